"""Files before and after the changes that a question names: from git's objects, its index and the disk.

Read again each time, with unsaved texts; nothing that a repository names is started.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from contextls import cancellation
from contextls.code.pool import WorkerPool
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.vcs.disk_versions import DiskVersions
from contextls.memory.vcs.file_versions import NOT_SHOWN, FileVersion, read_versions
from contextls.memory.vcs.git_state import GitFiles
from contextls.memory.vcs.lfs_pointers import MAX_POINTER_BYTES
from contextls.memory.vcs.pair_hunks import FilePair
from contextls.model import Changes
from contextls.workspace.git_tree import REGULAR, IndexEntry, TreeEntry
from contextls.workspace.new_files import find_new


class Names(Protocol):
    """Says whether a prompt may name a file or folder whose content it may not show."""

    def __call__(self, path: str, *, is_folder: bool) -> bool:
        """Whether it may be named."""


def name_nothing(path: str, *, is_folder: bool) -> bool:  # noqa: ARG001 - a ``Names``
    """A ``Names`` that names nothing: what may not be shown is not mentioned."""
    return False


class ComparedWorkspace(Struct):
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


def list_staged(git: GitFiles) -> list[str]:
    """The files whose version in the index differs from that in the newest commit."""
    paths = (git.entries.keys() | git.tree.keys()) - git.conflicts.keys()
    return [path for path in paths if git.staged(path) != git.tree.get(path)]


def list_changed_on_disk(
    workspace: ComparedWorkspace, git: GitFiles, disk: DiskVersions, scope: Changes
) -> list[str]:
    """The files that may differ between what ``scope`` begins with and the disk, as far as times and sizes tell."""
    paths = git.entries.keys() | git.tree.keys() | git.conflicts.keys()
    new = find_new(workspace.root, (workspace.outlines.keys() | workspace.unsaved.keys()) - paths)
    found = []
    for path in paths.union(new):
        cancellation.check()
        entry = git.entries.get(path)
        if path in workspace.unsaved:
            found.append(path)
        elif entry is None:
            gone = path in git.tree and path not in git.conflicts and scope is Changes.UNSTAGED
            if not gone or path in workspace.outlines:
                found.append(path)
        elif entry.watched:
            same = scope is Changes.UNSTAGED or entry.content == git.tree.get(path)
            if not (same and _is_clean(disk, path, entry, git.taken)):
                found.append(path)
    return _drop_stored_by_lfs(workspace, git, disk, scope, found)


def _drop_stored_by_lfs(
    workspace: ComparedWorkspace, git: GitFiles, disk: DiskVersions, scope: Changes, paths: Sequence[str]
) -> list[str]:
    """``paths`` without the files that were only touched or copied and that git keeps as pointers to them."""
    touched = {
        path: entry.content
        for path in paths
        if (entry := git.entries.get(path)) is not None
        and path not in workspace.unsaved
        and entry.content == _find_base(git, path, scope)
        and _may_be_filtered(disk, path, entry)
    }
    versions = read_versions(workspace.root, touched.values(), MAX_POINTER_BYTES)
    stored = {path for path, content in touched.items() if disk.is_stored_as(path, versions[content].text)}
    return [path for path in paths if path not in stored]


def _may_be_filtered(disk: DiskVersions, path: str, entry: IndexEntry) -> bool:
    """Whether a file is as long as when it was taken into the index: with other bytes, a filter may have changed them."""
    stamp = disk.stamp(path)
    same_kind = disk.kind(stamp, entry) is entry.kind
    return entry.kind in REGULAR and same_kind and stamp is not None and stamp.size == entry.size


def _is_clean(disk: DiskVersions, path: str, entry: IndexEntry, taken: int) -> bool:
    """Whether this is what the index holds. What may only have been touched or copied is looked into."""
    stamp = disk.stamp(path)
    if disk.is_clean(entry, stamp, taken):
        return True
    looked_into = entry.kind not in REGULAR or (stamp is not None and stamp.size == entry.size)
    version = disk.read(path, entry) if looked_into else None
    return version is not None and version.is_kept_as(entry.content)


def list_mentionable(workspace: ComparedWorkspace, git: GitFiles, paths: Iterable[str]) -> list[str]:
    """The ``paths`` that a prompt may mention: sorted, the files that it may show, then those that it may only name."""
    shown, named = [], []
    for path in sorted(paths):
        if git.is_submodule(path):
            if workspace.names(path, is_folder=True):
                shown.append(path)
        elif workspace.accepts(path):
            shown.append(path)
        elif workspace.names(path, is_folder=False):
            named.append(path)
    return shown + named


def read_staged(workspace: ComparedWorkspace, git: GitFiles, paths: Sequence[str]) -> list[FilePair]:
    """``paths`` in the newest commit and in the index."""
    kept = {path: (git.tree.get(path), git.staged(path)) for path in paths}
    versions = read_versions(workspace.root, (entry for pair in kept.values() for entry in pair if entry))
    pairs = [FilePair(path, versions.get(old), versions.get(new)) for path, (old, new) in kept.items()]
    return [pair if workspace.accepts(pair.path) else pair.hide() for pair in pairs]


def read_changed_on_disk(
    workspace: ComparedWorkspace, git: GitFiles, disk: DiskVersions, scope: Changes, paths: Sequence[str]
) -> list[FilePair]:
    """``paths`` as ``scope`` begins with and as they are; a file that was only touched is left out."""
    kept = {path: _find_base(git, path, scope) for path in paths}
    found = {}
    for path, base in kept.items():
        cancellation.check()
        found[path] = disk.read(path, git.entries.get(path) or base, workspace.unsaved.get(path))
    return pair_with_kept(disk, kept, found, workspace.accepts)


def pair_with_kept(
    disk: DiskVersions,
    kept: Mapping[str, TreeEntry | None],
    found: Mapping[str, FileVersion | None],
    accepts: Callable[[str], bool],
) -> list[FilePair]:
    """Pair what git has ``kept`` of files with what was ``found``, for those that differ.

    The text of a file that ``accepts`` refuses is left out.
    """
    before = {
        path: kept.get(path)
        for path, version in found.items()
        if version is None or not version.is_kept_as(kept.get(path))
    }
    versions = read_versions(disk.root, filter(None, before.values()))
    pairs = []
    for path, entry in before.items():
        old = versions.get(entry)
        pair = FilePair(path, old, _undo_filter(disk, path, old, found[path]))
        pairs.append(pair if accepts(path) else pair.hide())
    return pairs


def _undo_filter(
    disk: DiskVersions, path: str, kept: FileVersion | None, found: FileVersion | None
) -> FileVersion | None:
    """``found`` as git would keep it: as the pointer that is ``kept``, where that stands for the file."""
    if kept is None or found is None or not {kept.kind, found.kind} <= REGULAR:
        return found
    is_unsaved = not found.blob and not found.unread
    # Too large to be read, but not touched since it was staged: the index knows it as another than the pointer's.
    is_known = found.unread == NOT_SHOWN and found.blob
    if is_unsaved or is_known or not disk.is_stored_as(path, kept.text):
        return found
    return replace(kept, kind=found.kind)


def _find_base(git: GitFiles, path: str, scope: Changes) -> TreeEntry | None:
    """The version that the changes of ``scope`` begin with."""
    if scope is not Changes.UNSTAGED:
        return git.tree.get(path)
    return git.conflicts.get(path) or git.staged(path)
