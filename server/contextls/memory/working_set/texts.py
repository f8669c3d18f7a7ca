"""The texts of pinned files, read once for as long as they stay the same."""

from __future__ import annotations

import threading
from collections import OrderedDict

from msgspec import Struct

from contextls.memory.working_set.places import PlaceLookup, Places
from contextls.text.encoded import leave_out_encoded
from contextls.workspace.stamps import Stamp, is_settled

# Twice what one question reads at the most (``MAX_READ`` of the source), so that it does not push out its own files.
MAX_KEPT_CHARS = 8_000_000  # characters
_OF_A_FILE = 100  # what keeping one file costs besides, in characters


class PinnedText(Struct, frozen=True):
    """The lines of a file as chunks count them, without their ends: none of a blank one, or where there is a ``problem``."""

    lines: tuple[str, ...] = ()
    characters: int = 0
    problem: str | None = None

    def lacks(self, lines: tuple[int, int] | None) -> str | None:
        """Say so where none of ``lines`` (from, to; 1-based) is in the file; ``None`` where some are, or it has no text."""
        if self.problem is not None or lines is None or lines[0] <= len(self.lines):
            return None
        return f"its file has only {len(self.lines):,} lines"


class PinnedTexts:
    """Pinned files as they are now, unsaved or on disk, without secrets and encoded data. Safe to use from any thread."""

    def __init__(self, places: Places) -> None:
        """Reads nothing yet."""
        self._places = places
        self._known: OrderedDict[str, tuple[Stamp | str | None, PinnedText]] = OrderedDict()
        self._characters = 0
        self._guard = threading.Lock()

    def text(self, path: str, look: PlaceLookup | None = None) -> PinnedText:
        """The text of the file, read again when it changed; whether it may be read is asked each time."""
        problem = self._places.problem(path, folder=False, look=look)
        if problem is not None:
            return PinnedText(problem=problem)
        version = self._version(path)
        with self._guard:
            known = self._known.get(path)
            if known is not None and known[0] == version:
                self._known.move_to_end(path)
                return known[1]
        text = self._read(path)
        if version == self._version(path) and (isinstance(version, str) or is_settled(version)):
            self._keep(path, version, text)
        return text

    def _version(self, path: str) -> Stamp | str | None:
        unsaved = self._places.unsaved(path)
        return self._places.stamp(path) if unsaved is None else unsaved

    def _read(self, path: str) -> PinnedText:
        try:
            text = leave_out_encoded(self._places.text(path))
        except ValueError as error:
            return PinnedText(problem=str(error))
        if not text.strip():
            return PinnedText(characters=len(text))
        lines = text.replace("\r\n", "\n").split("\n")
        return PinnedText(tuple(lines[:-1] if not lines[-1] else lines), len(text))

    def _keep(self, path: str, version: Stamp | str | None, text: PinnedText) -> None:
        with self._guard:
            self._drop(path)
            self._known[path] = (version, text)
            self._characters += text.characters + _OF_A_FILE
            while self._characters > MAX_KEPT_CHARS:
                self._drop(next(iter(self._known)))

    def _drop(self, path: str) -> None:
        known = self._known.pop(path, None)
        if known is not None:
            self._characters -= known[1].characters + _OF_A_FILE
