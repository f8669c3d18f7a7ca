"""Loads a view of the history from its database, without running git."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial

from contextls.memory.vcs.tables import StoredCommit, build_tables
from contextls.memory.vcs.view import CommitView
from contextls.store.history_database import HistoryDatabase
from contextls.workspace.ignore import Folder, IgnoreRules

# A forged tree may hold names that no checkout allows, and any depth.
_DEEPEST = 200


def load_view(database: HistoryDatabase, rules: IgnoreRules) -> CommitView:
    """The view of what is stored: files that exist in the newest commit and that ``rules`` accept."""
    meta = database.meta()
    tip = meta.get("tip", b"").decode()
    if not tip:
        return CommitView.empty()
    names = database.paths()
    living = meta.get("alive", b"*")
    if living != b"*":
        names = {number: names[number] for number in _unpack(living) if number in names}
    commits = [
        StoredCommit(
            row.sha.hex(), row.time, row.author, row.subject, _unpack(row.files), _pairs(row.renames)
        )
        for row in database.commits()
    ]
    return CommitView(build_tables(commits, names), tip, accepts=make_filter(rules))


def make_filter(rules: IgnoreRules) -> Callable[[str], bool]:
    """Whether the rules accept a file, asked for many at a time: each folder is looked at once."""
    return partial(_accepts, {"": rules.top()})


def _accepts(folders: dict[str, Folder | None], path: str) -> bool:
    above, _, name = path.rpartition("/")
    folder = _folder(folders, above)
    return _ordinary(name) and folder is not None and folder.reason(name, is_dir=False) is None


def _folder(folders: dict[str, Folder | None], path: str) -> Folder | None:
    if path in folders:
        return folders[path]
    above, _, name = path.rpartition("/")
    parent = _folder(folders, above) if path.count("/") < _DEEPEST else None
    fits = parent is not None and _ordinary(name) and parent.reason(name, is_dir=True) is None
    folders[path] = parent.enter(name) if parent is not None and fits else None
    return folders[path]


def _ordinary(name: str) -> bool:
    return name not in ("", ".", "..") and name.lower() != ".git"


def _unpack(packed: bytes) -> Sequence[int]:
    # An array of 32-bit numbers; numpy takes ten times as long for a commit of three files.
    return array("i", packed)


def _pairs(packed: bytes) -> Sequence[tuple[int, int]]:
    numbers = _unpack(packed) if packed else ()
    return list(zip(numbers[::2], numbers[1::2], strict=True)) if numbers else ()
