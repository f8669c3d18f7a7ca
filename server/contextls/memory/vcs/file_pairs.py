"""Files before and after the changes that a question names: from git's objects, its index and the disk.

Read again each time, with unsaved texts; nothing that a repository names is started.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from contextls import cancellation
from contextls.code.pool import WorkerPool
from contextls.memory.index.outlines import Outline
from contextls.memory.vcs.disk_versions import SAME, DiskVersions, Same
from contextls.memory.vcs.file_versions import FileVersion, read_blobs, version_of
from contextls.memory.vcs.pair_hunks import FilePair
from contextls.model import Changes
from contextls.workspace.git_tree import EntryKind, IndexEntry, TreeEntry
from contextls.workspace.inner_repositories import drop_inner


@dataclass(frozen=True, slots=True)
class GitFiles:
    """The files as git knows them: in the newest commit, in the index, in conflict."""

    tree: Mapping[str, TreeEntry]
    entries: Mapping[str, IndexEntry]
    conflicts: Mapping[str, TreeEntry]
    taken: int  # when the index was written, in nanoseconds

    def base(self, path: str, scope: Changes) -> TreeEntry | None:
        """What the changes of ``scope`` begin with."""
        if scope is not Changes.UNSTAGED:
            return self.tree.get(path)
        return self.conflicts.get(path) or _content(self.entries.get(path))

    def is_submodule(self, path: str) -> bool:
        """Whether git keeps a submodule at ``path``, or did in the newest commit."""
        known = self.entries.get(path) or self.tree.get(path)
        return known is not None and known.kind is EntryKind.SUBMODULE


class Names(Protocol):
    """Says whether a prompt may name a file or folder whose content it may not show."""

    def __call__(self, path: str, *, is_folder: bool) -> bool:
        """Whether it may be named."""


def name_nothing(path: str, *, is_folder: bool) -> bool:  # noqa: ARG001 - a ``Names``
    """Where only what is shown is told."""
    return False


@dataclass
class Workspace:
    """The parts of a workspace that telling its changes needs.

    ``outlines`` are of the files as they are, unsaved texts included. ``accepts`` says of which files the content may be
    shown, ``names`` which other ones may be named.
    """

    root: Path
    outlines: Mapping[str, Outline]
    unsaved: Mapping[str, str]
    accepts: Callable[[str], bool]
    pool: WorkerPool
    names: Names = name_nothing
    warnings: list[str] = field(default_factory=list)


def list_staged(index: GitFiles) -> list[str]:
    """The files of which the index holds another version than the newest commit."""
    entries, tree = index.entries, index.tree
    paths = (entries.keys() | tree.keys()) - index.conflicts.keys()
    return [path for path in paths if _content(entries.get(path)) != tree.get(path)]


def list_changed_on_disk(
    workspace: Workspace, index: GitFiles, disk: DiskVersions, scope: Changes
) -> list[str]:
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
            same = scope is Changes.UNSTAGED or entry.content == index.tree.get(path)
            if not (same and _is_clean(disk, path, entry, index.taken)):
                found.append(path)
    return found


def _is_clean(disk: DiskVersions, path: str, entry: IndexEntry, taken: int) -> bool:
    """Whether this is what the index holds. What may only have been touched or copied is looked into."""
    stamp = disk.stamp(path)
    if disk.is_clean(entry, stamp, taken):
        return True
    looked_into = entry.kind is EntryKind.SUBMODULE or (stamp is not None and stamp.size == entry.size)
    return looked_into and disk.read(path, entry.content, entry) is SAME


def list_told(workspace: Workspace, index: GitFiles, paths: Iterable[str]) -> list[str]:
    """Those of ``paths`` of which a prompt may speak: by name the files that it shows, then those that it only names."""
    shown, named = [], []
    for path in sorted(paths):
        if index.is_submodule(path):
            if workspace.names(path, is_folder=True):
                shown.append(path)
        elif workspace.accepts(path):
            shown.append(path)
        elif workspace.names(path, is_folder=False):
            named.append(path)
    return shown + named


def read_staged(workspace: Workspace, index: GitFiles, paths: Sequence[str]) -> list[FilePair]:
    """``paths`` in the newest commit and in the index."""
    after = {path: entry.content for path in paths if (entry := index.entries.get(path))}
    before = {path: index.tree[path] for path in paths if path in index.tree}
    blobs = read_blobs(workspace.root, [*before.values(), *after.values()])
    return [
        _pair(workspace, path, _version(before.get(path), blobs), _version(after.get(path), blobs))
        for path in paths
    ]


def read_changed_on_disk(
    workspace: Workspace, index: GitFiles, disk: DiskVersions, scope: Changes, paths: Sequence[str]
) -> list[FilePair]:
    """``paths`` as ``scope`` begins with and as they are; a file that was only touched is left out."""
    after: dict[str, FileVersion | None] = {}
    for path in paths:
        cancellation.check()
        base, entry = index.base(path, scope), index.entries.get(path)
        version = disk.read(path, base, entry, workspace.unsaved.get(path))
        if not isinstance(version, Same):
            after[path] = version
    before = {path: base for path in after if (base := index.base(path, scope))}
    blobs = read_blobs(workspace.root, before.values())
    return [
        _pair(workspace, path, _version(before.get(path), blobs), version) for path, version in after.items()
    ]


def _pair(workspace: Workspace, path: str, before: FileVersion | None, after: FileVersion | None) -> FilePair:
    pair = FilePair(path, before, after)
    return pair if workspace.accepts(path) else pair.hide()


def _version(entry: TreeEntry | None, blobs: Mapping[str, bytes]) -> FileVersion | None:
    return None if entry is None else version_of(entry, blobs.get(entry.blob))


def _content(entry: IndexEntry | None) -> TreeEntry | None:
    return None if entry is None else entry.content
