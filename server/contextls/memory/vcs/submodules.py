"""Submodules as they lie in a working tree: the commit that each has checked out, and whether it has changes of its own."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from contextls import cancellation
from contextls.memory.vcs.clean_files import MAX_BYTES, git_version, has_hash, is_clean, stamp_of
from contextls.memory.vcs.git_state import GitFiles
from contextls.workspace.git import head_commit
from contextls.workspace.git_tree import REGULAR, IndexEntry
from contextls.workspace.reflog import GitFolder, git_folder
from contextls.workspace.regular_file import read_bytes
from contextls.workspace.stamps import stamp_at

# So many are looked into at one question; the others count as unchanged.
MAX_SUBMODULES = 20
MAX_LOOKS = 50_000  # files compared in one of them


@dataclass(frozen=True, slots=True)
class Checkout:
    """The checked-out ``commit`` of a submodule, and whether its files have uncommitted changes."""

    commit: str
    edited: bool


class Submodules:
    """Reads the submodules of one working tree, each again only where something happened in it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, tuple[object, Checkout | None]] = {}

    def forget(self, touched: Iterable[str] | None = None) -> None:
        """Look again at those that hold any of these paths; at all of them without any."""
        if touched is None:
            self._known.clear()
        for path in touched or ():
            for inner in [each for each in self._known if path == each or path.startswith(f"{each}/")]:
                del self._known[inner]

    def read(self, path: str) -> Checkout | None:
        """The state of the submodule at ``path``; None where it is not checked out, or one of too many."""
        place = self._root / path
        folder = _own_folder(self._root, place)
        if folder is None:
            return None
        version = git_version(folder)
        known = self._known.get(path)
        if known is not None and known[0] == version:
            return known[1]
        if known is None and len(self._known) >= MAX_SUBMODULES:
            return None
        commit = head_commit(place)
        state = None if commit is None else Checkout(commit, _is_edited(place))
        self._known[path] = (version, state)
        return state


def _own_folder(root: Path, place: Path) -> GitFolder | None:
    """The git folder of a submodule. Without one of its own, git would speak of the repository around it."""
    stamp = stamp_at(place)
    if stamp is None or not stat.S_ISDIR(stamp.mode) or not os.path.lexists(place / ".git"):
        return None
    return git_folder(place) if place.resolve().is_relative_to(root.resolve()) else None


def _is_edited(place: Path) -> bool:
    """Whether a file of the repository at ``place`` is not what its newest commit has; new files do not count."""
    known = GitFiles.read(place, "HEAD")
    tree = {path: entry.blob for path, entry in known.tree.items() if entry.kind in REGULAR}
    index = {path: entry for path, entry in known.entries.items() if entry.kind in REGULAR}
    if any(tree.get(path) != entry.blob for path, entry in index.items()) or tree.keys() - index.keys():
        return True
    return any(not _is_unchanged(place, path, index[path], known.taken) for path in list(index)[:MAX_LOOKS])


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
