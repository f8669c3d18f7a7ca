"""The paths of a workspace, found as imports name them: whole, by their ends, by their folders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from posixpath import dirname
from typing import Protocol


class Paths(Protocol):
    """Paths of a workspace, found by exact path, by the end of the path and by folder."""

    def __contains__(self, path: object) -> bool: ...

    def ending_with(self, suffix: str) -> list[str]:
        """Paths that are ``suffix`` or end with ``/suffix``."""

    def folders_ending_with(self, suffix: str) -> list[str]:
        """Folders with files in them that are ``suffix`` or end with ``/suffix``."""

    def files_of(self, folder: str) -> list[str]:
        """The files directly in ``folder``, in alphabetical order."""


class PathIndex:
    """All paths of a workspace, found by exact path, by the end of the path and by folder in constant time."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths: set[str] = set()
        self._by_tail: dict[str, list[str]] = defaultdict(list)
        self._folders: dict[str, list[str]] = defaultdict(list)
        self._folder_tails: dict[str, set[str]] = defaultdict(set)
        for path in paths:
            self.add(path)

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def __len__(self) -> int:
        return len(self._paths)

    def replace(self, gone: Iterable[str], came: Iterable[str]) -> PathIndex:
        """The index without ``gone`` and with ``came``; this one stays as it is. Costs little for few paths."""
        gone, came = list(gone), list(came)
        index = PathIndex(())
        index._paths = set(self._paths)
        index._by_tail = self._by_tail.copy()
        index._folders = self._folders.copy()
        index._folder_tails = self._folder_tails.copy()
        for path in (*gone, *came):
            folder = dirname(path)
            for tail in _tails(path):
                index._by_tail[tail] = list(index._by_tail[tail])
            index._folders[folder] = list(index._folders[folder])
            last = folder.rpartition("/")[2]
            index._folder_tails[last] = set(index._folder_tails[last])
        for path in gone:
            index.discard(path)
        for path in came:
            index.add(path)
        return index

    def add(self, path: str) -> None:
        """Take ``path`` (relative, with ``/``) into the index; no effect when it is there."""
        if path in self._paths:
            return
        self._paths.add(path)
        for tail in _tails(path):
            self._by_tail[tail].append(path)
        folder = dirname(path)
        self._folders[folder].append(path)
        self._folder_tails[folder.rpartition("/")[2]].add(folder)

    def discard(self, path: str) -> None:
        """Forget ``path``; no effect when it is not there."""
        if path not in self._paths:
            return
        self._paths.discard(path)
        for tail in _tails(path):
            self._by_tail[tail].remove(path)
        folder = dirname(path)
        self._folders[folder].remove(path)
        if not self._folders[folder]:
            self._folder_tails[folder.rpartition("/")[2]].discard(folder)

    def ending_with(self, suffix: str) -> list[str]:
        """Paths that are ``suffix`` or end with ``/suffix``."""
        parts = suffix.split("/")
        found = self._by_tail.get("/".join(parts[-2:]), ())
        return [path for path in found if len(parts) <= 2 or path == suffix or path.endswith("/" + suffix)]

    def folders_ending_with(self, suffix: str) -> list[str]:
        """Folders with files in them that are ``suffix`` or end with ``/suffix``."""
        found = self._folder_tails.get(suffix.rpartition("/")[2], ())
        return sorted(folder for folder in found if folder == suffix or folder.endswith("/" + suffix))

    def files_of(self, folder: str) -> list[str]:
        """The files directly in ``folder``, in alphabetical order."""
        return sorted(self._folders.get(folder, ()))


def _tails(path: str) -> set[str]:
    parts = path.split("/")
    return {parts[-1], "/".join(parts[-2:])}
