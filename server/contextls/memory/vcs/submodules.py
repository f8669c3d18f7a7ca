"""Submodules as they lie in a working tree: the commit that each has checked out, and whether it has changes of its own."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

from msgspec import Struct

from contextls import cancellation
from contextls.memory.vcs.clean_files import MAX_BYTES, has_hash, is_clean, stamp_of
from contextls.memory.vcs.git_state import GitFiles
from contextls.workspace.git_head import head_commit, head_commit_in
from contextls.workspace.git_tree import REGULAR, IndexEntry
from contextls.workspace.reflog import GitFolder, git_folder
from contextls.workspace.regular_file import read_bytes
from contextls.workspace.stamps import stamp_at


class Checkout(Struct, frozen=True):
    """The checked-out ``commit`` of a submodule, and whether its files are known to have uncommitted changes."""

    commit: str
    edited: bool


class Submodules:
    """Reads the submodules of one working tree.

    Which commit is checked out costs a look at two small files, and is read again each time. Uncommitted changes cost two
    processes and a look at each file, so they are looked for once, and only for so long.
    """

    def __init__(self, root: Path, seconds: float = 0.0) -> None:
        """``seconds`` may go by until no more uncommitted changes are looked for; without any, none are."""
        self._root = root
        self._until = time.monotonic() + seconds
        self._edited: dict[str, bool | None] = {}

    def read(self, path: str) -> Checkout | None:
        """The state of the submodule at ``path``; None where it is not checked out."""
        place = self._root / path
        folder = _own_folder(self._root, place)
        # Only git itself reads every way of keeping references.
        commit = None if folder is None else head_commit_in(folder) or head_commit(place)
        if commit is None:
            return None
        if path not in self._edited:
            self._edited[path] = _is_edited(place, self._until)
        return Checkout(commit, bool(self._edited[path]))

    def list_unsure(self) -> list[str]:
        """The submodules for which time ran out before it was known whether they have uncommitted changes."""
        return sorted(path for path, edited in self._edited.items() if edited is None)


def _own_folder(root: Path, place: Path) -> GitFolder | None:
    """The git folder of a submodule. Without one of its own, git would speak of the repository around it."""
    stamp = stamp_at(place)
    if stamp is None or not stat.S_ISDIR(stamp.mode) or not os.path.lexists(place / ".git"):
        return None
    return git_folder(place) if place.resolve().is_relative_to(root.resolve()) else None


def _is_edited(place: Path, until: float) -> bool | None:
    """Whether a file of the repository at ``place`` is not what its newest commit has; None when the time is over.

    New files do not count.
    """
    if time.monotonic() >= until:
        return None
    known = GitFiles.read(place, "HEAD")
    tree = {path: entry.blob for path, entry in known.tree.items() if entry.kind in REGULAR}
    index = {path: entry for path, entry in known.entries.items() if entry.kind in REGULAR}
    if any(tree.get(path) != entry.blob for path, entry in index.items()) or tree.keys() - index.keys():
        return True
    for path, entry in index.items():
        if time.monotonic() >= until:
            return None
        if not _is_unchanged(place, path, entry, known.taken):
            return True
    return False


def _is_unchanged(place: Path, path: str, entry: IndexEntry, taken: int) -> bool:
    cancellation.check()
    stamp = stamp_of(place, path)
    if not entry.watched or is_clean(entry, stamp, taken):
        return True
    if stamp is None or stamp.size != entry.size:
        return False
    try:
        return stamp.size > MAX_BYTES or has_hash(
            read_bytes(place / path, MAX_BYTES, within=place), entry.blob
        )
    except OSError:
        return True
