"""Checks that the path of a database still names the file that is open: two ``lstat``, a few microseconds."""

from __future__ import annotations

from pathlib import Path

from contextls.store.quarantine import COMPANIONS
from contextls.store.state_place import StateFilePlace, place_of


class FileIdentity:
    """The file that was opened, with its write-ahead log; compared with what is there now."""

    def __init__(self, path: Path) -> None:
        """Nothing is open yet."""
        self._path = path
        self._log_path = f"{path}{COMPANIONS[0]}"
        self._file: StateFilePlace | None = None
        self._log: StateFilePlace | None = None

    @property
    def file(self) -> StateFilePlace | None:
        """The file that is open."""
        return self._file

    def note(self) -> None:
        """Note that the file that lies there now is the one that is open."""
        self._log = place_of(self._log_path)
        self._file = place_of(self._path)

    def forget(self) -> None:
        """Note that nothing is open any more."""
        self._file = self._log = None

    def note_size(self) -> None:
        """The file became smaller, and that is as it should be."""
        place = place_of(self._path)
        if self._file is not None and self._file.is_same(place):
            self._file = place

    def is_moved(self) -> bool:
        """Whether the file that is open has to be looked at again."""
        known, place = self._file, place_of(self._path)
        if known is None or place is None or self._is_elsewhere(place):
            return True
        if place.size < known.size:  # another process may have given space back, or cut it off
            return True
        if place.size != known.size:
            self._file = place
        return False

    def is_elsewhere(self) -> bool:
        """Whether the path, or its log's, names another file than the one that is open, or an empty one."""
        return self._is_elsewhere(place_of(self._path))

    def is_file_there(self) -> bool:
        """Whether the path still names the file that is open, wherever its log is."""
        return self._file is not None and self._file.is_same(place_of(self._path))

    def _is_elsewhere(self, place: StateFilePlace | None) -> bool:
        known = self._file
        if known is None or place is None or not known.is_same(place) or not place.size:
            return True
        return self._log is not None and not self._log.is_same(place_of(self._log_path))
