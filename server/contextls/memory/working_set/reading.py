"""One file of a working set, read again whenever it changed, and kept as it was understood last where it is broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from contextls.memory.working_set.disk import MAX_BYTES, ManifestFile
from contextls.memory.working_set.faults import fault_of
from contextls.memory.working_set.nodes import BrokenFileError
from contextls.model import ManifestFault
from contextls.workspace.stamps import Stamp, is_settled

T = TypeVar("T")


class FileReading(Struct, Generic[T], frozen=True):
    """The last reading: ``text`` is what was understood last, ``content`` what it says; ``None`` where that never was.

    ``broken`` says why the file is not understood, and ``refused`` is its text then, where it could be read. The same
    object as long as the file is the same.
    """

    content: T
    text: str | None = None
    broken: ManifestFault | None = None
    refused: str | None = None
    is_there: bool = False


def parse_text(name: str, text: str, parse: Callable[[str], T], nothing: T) -> FileReading[T]:
    """The reading of a text that is in no file yet."""
    try:
        if len(text) > MAX_BYTES:
            raise BrokenFileError(
                1, f"it is larger than {MAX_BYTES:,} bytes; pin folders instead of single files"
            )
        return FileReading(parse(text), text, is_there=True)
    except BrokenFileError as error:
        return FileReading(nothing, None, fault_of(name, error), text, is_there=True)
    except RecursionError:
        return FileReading(nothing, None, _too_deep(name), text, is_there=True)


class FollowedFile(Generic[T]):
    """Reads one file whenever it changed. Not to be used from several threads at once."""

    def __init__(self, file: ManifestFile, parse: Callable[[str], T], nothing: T) -> None:
        """Reads nothing yet. ``nothing`` is the content of a file that is empty or not there."""
        self._file = file
        self._parse = parse
        self._stamp: Stamp | None = None
        self._settled = False
        self._nothing = nothing
        self._reading: FileReading[T] = FileReading(nothing)

    def read(self) -> FileReading[T]:
        """The content of the file now; what was understood last where it is broken."""
        stamp = self._file.stamp()
        if not self._settled or self._stamp != stamp:
            self._reading = self._reread(self._reading)
            self._stamp, self._settled = stamp, is_settled(stamp)
        return self._reading

    def _reread(self, known: FileReading[T]) -> FileReading[T]:
        text, is_there = None, True
        try:
            found = self._file.read()
            text, is_there = (found.text if found else ""), found is not None
            if text == (known.refused if known.broken else known.text) and is_there == known.is_there:
                return known  # touched, but the same: nothing is parsed a second time
            return FileReading(self._parse(text) if text else self._nothing, text, is_there=is_there)
        except BrokenFileError as error:
            return self._keep(known, fault_of(self._file.name, error), text)
        except RecursionError:
            return self._keep(known, _too_deep(self._file.name), text)

    def _keep(self, known: FileReading[T], broken: ManifestFault, text: str | None) -> FileReading[T]:
        kept = replace(known, broken=broken, refused=text, is_there=True)
        return known if kept == known else kept


def _too_deep(name: str) -> ManifestFault:
    return fault_of(name, BrokenFileError(1, "nested too deeply"))
