"""The file of a working set on disk: read without following links, written whole or not at all."""

from __future__ import annotations

import codecs
import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from contextls.errors import StoreError
from contextls.memory.working_set.nodes import BrokenFileError
from contextls.workspace.regular_file import NotRegularError, open_regular
from contextls.workspace.stamps import Stamp, stamp_at
from contextls.workspace.whole_file import replace_file

NAME = ".context/working-set.yml"
MAX_BYTES = 256_000
# A writer of the file is waited for so long, with a look after each pause.
_WRITING_SECONDS = 0.03
_PAUSE_SECONDS = 0.005


class Content(Struct, frozen=True):
    """The text of the file; ``mark`` when it begins with a byte order mark, ``mode`` its permissions."""

    text: str
    mark: bool = False
    mode: int | None = None


class ManifestFile:
    """One file of a working set below its root: ``.context/working-set.yml``, or one that belongs to it."""

    def __init__(self, root: Path, name: str = NAME) -> None:
        """``name`` is relative to the root, without ``..``."""
        self._root = root
        self.name = name
        self.path = root / name

    def stamp(self) -> Stamp | None:
        """A stamp that changes whenever the file does; ``None`` when there is none."""
        return stamp_at(self.path)

    def read(self) -> Content | None:
        """The content; ``None`` when there is no file. Raises ``BrokenFileError`` where it is no plain text file."""
        for folder in self._folders():
            if folder.is_symlink():
                named = folder.relative_to(self._root).as_posix()
                raise BrokenFileError(1, f"{named} is a link, which is not followed; make it a folder")
        try:
            with open_regular(self.path, follow=False) as file:
                return _content(file)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except NotRegularError:
            raise BrokenFileError(1, "it is not a plain file; links are not followed") from None
        except OSError as error:
            raise BrokenFileError(1, f"it cannot be read ({error.strerror})") from None

    def write(self, content: Content) -> None:
        """Put ``content`` in the file's place. Raises ``StoreError``; the file is then as it was."""
        raw = (codecs.BOM_UTF8 if content.mark else b"") + content.text.encode()
        if len(raw) > MAX_BYTES:
            raise StoreError(
                f"{self.path} would be larger than {MAX_BYTES:,} bytes; pin folders instead of files"
            )
        try:
            self.path.parent.mkdir(exist_ok=True)
            replace_file(self.path, [raw], mode=0o644 if content.mode is None else content.mode)
        except OSError as error:
            raise StoreError(
                f"cannot write {self.path}: {error.strerror}; make room or give permission to write there"
            ) from error

    def delete(self) -> None:
        """Take the file away, and its folder where nothing else is in it. Raises ``StoreError``."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"cannot delete {self.path}: {error.strerror}") from error
        with suppress(OSError):
            self.path.parent.rmdir()

    def _folders(self) -> list[Path]:
        """The folders between the root and the file."""
        return [
            folder
            for folder in self.path.parents
            if folder != self._root and folder.is_relative_to(self._root)
        ]


def _content(file: BinaryIO) -> Content:
    """The text of an open file, once it reads the same twice. Raises ``BrokenFileError`` while it is being written."""
    deadline = time.monotonic() + _WRITING_SECONDS
    raw = _first_bytes(file)
    while True:
        status = os.fstat(file.fileno())
        before, raw = raw, _first_bytes(file)
        # Many programs empty a file before they fill it; what it excludes must not be shown in between.
        emptied = not raw and 0 <= time.time() - status.st_mtime < _WRITING_SECONDS
        if raw == before and not emptied:
            return _decode(raw, stat.S_IMODE(status.st_mode))
        if time.monotonic() > deadline:
            raise BrokenFileError(1, "it is being written; ask again")
        time.sleep(_PAUSE_SECONDS)


def _first_bytes(file: BinaryIO) -> bytes:
    """At most one byte more than a manifest may have."""
    file.seek(0)
    parts: list[bytes] = []
    left = MAX_BYTES + 1
    while left > 0 and (part := file.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _decode(raw: bytes, mode: int) -> Content:
    if len(raw) > MAX_BYTES:
        raise BrokenFileError(
            1, f"it is larger than {MAX_BYTES:,} bytes; pin folders instead of single files"
        )
    mark = raw.startswith(codecs.BOM_UTF8)
    try:
        text = raw[3 if mark else 0 :].decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BrokenFileError(line, "it is not UTF-8; save it in that encoding") from None
    return Content(text, mark, mode)
