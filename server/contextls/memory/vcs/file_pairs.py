"""Files before and after their changes: from git's objects, its index and the disk, with unsaved texts.

Read again each time; nothing that a repository names is started.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from contextls import cancellation
from contextls.code.pool import WorkerPool
from contextls.memory.index.outlines import Outline
from contextls.memory.vcs.renames import pair_renames
from contextls.memory.vcs.working_changes import MAX_BYTES, has_hash, is_clean, stamp_of, text_of
from contextls.model import Changes
from contextls.workspace.git_tree import IndexEntry, read_contents
from contextls.workspace.inner_repositories import drop_inner
from contextls.workspace.regular_file import read_bytes


@dataclass(frozen=True, slots=True)
class GitFiles:
    """The files as git knows them: in the newest commit, in the index, in conflict."""

    tree: Mapping[str, str]
    entries: Mapping[str, IndexEntry]
    conflicts: Mapping[str, str]
    taken: int  # when the index was written, in nanoseconds


@dataclass(frozen=True, slots=True)
class FilePair:
    """One file before and after; None where there was or is no such file. ``unreadable``: no text, or too large."""

    path: str
    before: str | None
    after: str | None
    came_from: str = ""
    unreadable: bool = False


@dataclass
class Workspace:
    """The parts of a workspace that telling its changes needs.

    ``outlines`` are of the files as they are, unsaved texts included.
    """

    root: Path
    outlines: Mapping[str, Outline]
    unsaved: Mapping[str, str]
    accepts: Callable[[str], bool]
    pool: WorkerPool
    warnings: list[str] = field(default_factory=list)


def list_staged(index: GitFiles) -> list[str]:
    """The files of which the index holds another version than the newest commit."""
    entries, tree = index.entries, index.tree
    paths = (entries.keys() | tree.keys()) - index.conflicts.keys()
    return [path for path in paths if _blob(entries.get(path)) != tree.get(path)]


def list_changed_on_disk(workspace: Workspace, index: GitFiles, scope: Changes) -> list[str]:
    """The files that may differ between what ``scope`` begins with and the disk, as far as times and sizes tell."""
    known = index.entries.keys() | index.tree.keys() | index.conflicts.keys()
    new = drop_inner(workspace.root, (workspace.outlines.keys() | workspace.unsaved.keys()) - known)
    found = []
    for path in known.union(new):
        cancellation.check()
        entry = index.entries.get(path)
        if path in workspace.unsaved:
            found.append(path)
        elif entry is None:
            gone = path in index.tree and path not in index.conflicts and scope is Changes.UNSTAGED
            if not gone or path in workspace.outlines:
                found.append(path)
        elif entry.watched:
            same = scope is Changes.UNSTAGED or entry.blob == index.tree.get(path)
            if not (same and _is_clean(workspace.root, path, entry, index.taken)):
                found.append(path)
    return found


def _is_clean(root: Path, path: str, entry: IndexEntry, taken: int) -> bool:
    """Whether the file is what the index holds. One that may only have been touched or copied is looked into."""
    stamp = stamp_of(root, path)
    if is_clean(entry, stamp, taken):
        return True
    return stamp is not None and stamp.size == entry.size and _is_still(root, path, entry.blob)


def read_pairs(workspace: Workspace, index: GitFiles, scope: Changes, paths: Sequence[str]) -> list[FilePair]:
    """The texts of ``paths`` before and after the changes; a file that was only touched is left out."""
    base = {path: blob for path in paths if (blob := _base(index, scope, path)) is not None}
    after = {path: blob for path in paths if (blob := _blob(index.entries.get(path))) is not None}
    staged = scope is Changes.STAGED
    blobs = read_contents(workspace.root, {*base.values(), *(after.values() if staged else ())}, MAX_BYTES)
    read = partial(_read_blob, blobs)
    pairs = []
    for path in paths:
        before, whole = read(base.get(path))
        now, readable = read(after.get(path)) if staged else _on_disk(workspace, path)
        unreadable = not (whole and readable)
        if staged or not (unreadable and _is_still(workspace.root, path, base.get(path))):
            pairs.append(FilePair(path, before, now, unreadable=unreadable))
    return pairs


def _base(index: GitFiles, scope: Changes, path: str) -> str | None:
    if scope is not Changes.UNSTAGED:
        return index.tree.get(path)
    return index.conflicts.get(path) or _blob(index.entries.get(path))


def _read_blob(blobs: Mapping[str, bytes], blob: str | None) -> tuple[str | None, bool]:
    """The text of a blob, None for no file; and whether it could be read."""
    text = None if blob is None else text_of(blobs.get(blob))
    return text, blob is None or text is not None


def _on_disk(workspace: Workspace, path: str) -> tuple[str | None, bool]:
    if path in workspace.unsaved:
        return workspace.unsaved[path], True
    stamp = stamp_of(workspace.root, path)
    if stamp is None:
        return None, True
    if stamp.size > MAX_BYTES:
        return None, False
    try:
        text = text_of(read_bytes(workspace.root / path, MAX_BYTES, within=workspace.root))
    except OSError:
        return None, False
    return text, text is not None


def _is_still(root: Path, path: str, blob: str | None) -> bool:
    """Whether a file that is no text is what it was, and was only touched."""
    stamp = stamp_of(root, path)
    if blob is None or stamp is None or stamp.size > MAX_BYTES:
        return False
    try:
        return has_hash(read_bytes(root / path, MAX_BYTES, within=root), blob)
    except OSError:
        return False


def join_renames(pairs: Sequence[FilePair]) -> list[FilePair]:
    """``pairs`` with a file that went and the one that came in its place as one."""
    gone = {pair.path: pair.before for pair in pairs if pair.after is None and pair.before}
    came = {pair.path: pair.after for pair in pairs if pair.before is None and pair.after}
    origin = pair_renames(gone, came)
    return [
        replace(pair, before=gone[origin[pair.path]], came_from=origin[pair.path])
        if pair.path in origin
        else pair
        for pair in pairs
        if pair.path not in origin.values()
    ]


def _blob(entry: IndexEntry | None) -> str | None:
    return None if entry is None else entry.blob
