"""Every file of a workspace that belongs to the memory, with size and time."""

from __future__ import annotations

import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from contextls.errors import CancelledError
from contextls.text.surrogates import is_encodable
from contextls.workspace.builtin_rules import is_internal
from contextls.workspace.ignore import IGNORE_FILES, Folder, IgnoreRules
from contextls.workspace.size_limit import is_too_large
from contextls.workspace.stamps import Stamp

_RULES = IGNORE_FILES | {".git"}


class FileStat(NamedTuple):
    """A file as the scan saw it, at its relative path."""

    path: str
    stamp: Stamp

    @property
    def size(self) -> int:
        """In bytes."""
        return self.stamp.size


class Scan(Struct, frozen=True):
    """The result of a scan.

    ``files`` are sorted by path; ``folders`` are those walked, ``""`` for the root. ``skipped`` counts
    left-out entries by reason (a folder counts as one): those of the ignore rules, ``size``, ``symlink``,
    ``special`` (pipes, sockets, devices) and ``name`` (not valid UTF-8), but not ``.git`` and its like, which nobody
    expects. ``unreadable`` names the folders and
    files that could not be looked at.
    """

    files: tuple[FileStat, ...]
    skipped: Mapping[str, int]
    unreadable: tuple[str, ...]
    folders: tuple[str, ...]


def scan(
    root: Path,
    rules: IgnoreRules,
    max_bytes: int,
    cancel: threading.Event | None = None,
    below: str = "",
    watch: Callable[[Sequence[FileStat]], None] = lambda _: None,
) -> Scan:
    """Walk ``root``, or only what lies ``below`` one of its folders. ``watch`` sees what grows.

    Symbolic links are not followed: what they point to inside the root is found where it lies. Raises
    ``CancelledError`` soon after ``cancel`` is set.
    """
    found = _Findings(max_bytes)
    folders: list[str] = []
    top = f"{str(root).rstrip(os.sep)}{os.sep}"
    start = rules.folder(below)
    # Upper folders first: what a watcher sees early is of the whole workspace.
    pending = deque([] if start is None else [(start, "")])
    while pending:
        if cancel is not None and cancel.is_set():
            raise CancelledError("the scan was cancelled")
        above, name = pending.popleft()
        path = above.child(name)
        folders.append(path)
        watch(found.files)
        try:
            # As text: joining Paths costs more than looking at a folder.
            with os.scandir(f"{top}{path}") as listed:
                entries = list(listed)
        except OSError:
            found.unreadable.append(path or ".")
            continue
        folder = _enter(above, name, entries)
        for entry in entries:
            if found.take(entry, folder):
                pending.append((folder, entry.name))
    # A watcher may hold the list itself, which has no items while it is sorted.
    ordered = sorted(found.files, key=lambda file: file.path)
    return Scan(tuple(ordered), dict(found.skipped), tuple(sorted(found.unreadable)), tuple(sorted(folders)))


def _enter(above: Folder, name: str, entries: Iterable[os.DirEntry[str]]) -> Folder:
    """The folder that has these entries. Most have no ignore files, and to look for them in each takes long."""
    if not name:
        return above
    # Some file systems make no difference between upper and lower case.
    names = [entry.name.lower() for entry in entries]
    return above.enter(name, has_rules=not _RULES.isdisjoint(names))


class _Findings:
    """The files and skipped entries found so far: the content of a ``Scan`` in the making."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self.files: list[FileStat] = []
        self.skipped: Counter[str] = Counter()
        self.unreadable: list[str] = []

    def take(self, entry: os.DirEntry[str], folder: Folder) -> bool:
        """Note a file that belongs to the memory, or why an entry does not; whether it is a folder to walk."""
        name = entry.name
        path = folder.child(name)
        is_dir = entry.is_dir(follow_symlinks=False)
        reason = _unfit(entry, is_dir) or folder.rules.decide(folder, path, name, is_dir)
        if reason:
            if not is_internal(name):
                self.skipped[reason] += 1
            return False
        if is_dir:
            return True
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            self.unreadable.append(path)
            return False
        if is_too_large(name, status.st_size, self._max_bytes):
            self.skipped["size"] += 1
        else:
            self.files.append(FileStat(path, Stamp.of(status)))
        return False


def _unfit(entry: os.DirEntry[str], is_dir: bool) -> str | None:
    if not is_encodable(entry.name):
        return "name"
    if is_dir or entry.is_file(follow_symlinks=False):
        return None
    return "symlink" if entry.is_symlink() else "special"
