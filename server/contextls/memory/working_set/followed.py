"""The manifest as the file says it now: read again when it changed, kept as it was understood last where it is broken."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from contextls.memory.working_set.disk import ManifestFile
from contextls.memory.working_set.entries import Manifest, read_manifest
from contextls.memory.working_set.exclusions import Exclusions
from contextls.memory.working_set.nodes import BrokenFileError
from contextls.workspace.stamps import Stamp, is_settled


@dataclass(frozen=True, slots=True)
class Known:
    """The last reading and its stamp; ``text`` is what was understood last.

    ``broken`` says why the file is not understood, and ``refused`` is its text then, where it could be read.
    """

    stamp: Stamp | None = None
    settled: bool = False
    text: str | None = None
    manifest: Manifest = field(default_factory=Manifest)
    exclusions: Exclusions = field(default_factory=Exclusions)
    broken: str | None = None
    refused: str | None = None


class FollowedManifest:
    """Reads one file whenever it changed. Safe to use from any thread."""

    def __init__(self, file: ManifestFile, is_file: Callable[[str], bool]) -> None:
        """Reads nothing yet. ``is_file`` tells names of files that hold a ``#`` from symbols."""
        self._file = file
        self._is_file = is_file
        self._guard = threading.Lock()
        self._known = Known()

    def read(self) -> Known:
        """The content of the file, read again when it changed; what was last understood where it is broken."""
        with self._guard:
            stamp = self._file.stamp()
            known = self._known
            if not known.settled or known.stamp != stamp:
                self._known = replace(self._read_anew(known), stamp=stamp, settled=is_settled(stamp))
            return self._known

    def _read_anew(self, known: Known) -> Known:
        text = None
        try:
            content = self._file.read()
            text = content.text if content else ""
            if text == (known.refused if known.broken else known.text):
                return known  # touched, but the same: nothing is parsed a second time
            manifest = read_manifest(text, self._is_file)
            exclusions = Exclusions.of(target for _, target in manifest.excluded)
            return Known(text=text, manifest=manifest, exclusions=exclusions)
        except (BrokenFileError, RecursionError, OSError) as error:
            return replace(known, broken=str(error), refused=text)
