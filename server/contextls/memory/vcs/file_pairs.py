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
from contextls.memory.vcs.disk_versions import DiskVersions
from contextls.memory.vcs.file_versions import FileVersion, read_versions
from contextls.memory.vcs.git_state import GitFiles
from contextls.memory.vcs.pair_hunks import FilePair
from contextls.model import Changes
from contextls.workspace.git_tree import REGULAR, IndexEntry, TreeEntry
from contextls.workspace.inner_repositories import drop_inner


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


def list_staged(git: GitFiles) -> list[str]:
    """The files of which the index holds another version than the newest commit."""
    paths = (git.entries.keys() | git.tree.keys()) - git.conflicts.keys()
    return [path for path in paths if git.staged(path) != git.tree.get(path)]


def list_changed_on_disk(
    workspace: Workspace, git: GitFiles, disk: DiskVersions, scope: Changes
) -> list[str]:
    """The files that may differ between what ``scope`` begins with and the disk, as far as times and sizes tell."""
    paths = git.entries.keys() | git.tree.keys() | git.conflicts.keys()
    new = drop_inner(workspace.root, (workspace.outlines.keys() | workspace.unsaved.keys()) - paths)
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
    return found


def _is_clean(disk: DiskVersions, path: str, entry: IndexEntry, taken: int) -> bool:
    """Whether this is what the index holds. What may only have been touched or copied is looked into."""
    stamp = disk.stamp(path)
    if disk.is_clean(entry, stamp, taken):
        return True
    looked_into = entry.kind not in REGULAR or (stamp is not None and stamp.size == entry.size)
    version = disk.read(path, entry) if looked_into else None
    return version is not None and version.is_kept_as(entry.content)


def list_told(workspace: Workspace, git: GitFiles, paths: Iterable[str]) -> list[str]:
    """Those of ``paths`` of which a prompt may speak: by name the files that it shows, then those that it only names."""
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


def read_staged(workspace: Workspace, git: GitFiles, paths: Sequence[str]) -> list[FilePair]:
    """``paths`` in the newest commit and in the index."""
    kept = {path: (git.tree.get(path), git.staged(path)) for path in paths}
    versions = read_versions(workspace.root, (entry for pair in kept.values() for entry in pair if entry))
    pairs = [FilePair(path, versions.get(old), versions.get(new)) for path, (old, new) in kept.items()]
    return [pair if workspace.accepts(pair.path) else pair.hide() for pair in pairs]


def read_changed_on_disk(
    workspace: Workspace, git: GitFiles, disk: DiskVersions, scope: Changes, paths: Sequence[str]
) -> list[FilePair]:
    """``paths`` as ``scope`` begins with and as they are; a file that was only touched is left out."""
    kept = {path: _find_base(git, path, scope) for path in paths}
    found = {}
    for path, base in kept.items():
        cancellation.check()
        found[path] = disk.read(path, git.entries.get(path) or base, workspace.unsaved.get(path))
    return pair_with_kept(workspace.root, kept, found, workspace.accepts)


def pair_with_kept(
    root: Path,
    kept: Mapping[str, TreeEntry | None],
    found: Mapping[str, FileVersion | None],
    accepts: Callable[[str], bool],
) -> list[FilePair]:
    """What git has ``kept`` of the files and what was ``found``; those that are as they were need nothing from git.

    The text of a file that ``accepts`` refuses is left out.
    """
    before = {
        path: kept.get(path)
        for path, version in found.items()
        if version is None or not version.is_kept_as(kept.get(path))
    }
    versions = read_versions(root, filter(None, before.values()))
    pairs = [FilePair(path, versions.get(entry), found[path]) for path, entry in before.items()]
    return [pair if accepts(pair.path) else pair.hide() for pair in pairs]


def _find_base(git: GitFiles, path: str, scope: Changes) -> TreeEntry | None:
    """What the changes of ``scope`` begin with."""
    if scope is not Changes.UNSTAGED:
        return git.tree.get(path)
    return git.conflicts.get(path) or git.staged(path)
