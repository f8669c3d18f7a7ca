"""The changes that a question names, as hunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from contextls.code.model import Definition
from contextls.code.pool import Result
from contextls.code.worker_tasks import definitions_in
from contextls.memory.vcs.change_scope import ChangeScope
from contextls.memory.vcs.clean_files import MAX_BYTES, is_clean, stamp_of
from contextls.memory.vcs.disk_versions import DiskVersions
from contextls.memory.vcs.file_pairs import (
    ComparedWorkspace,
    list_changed_on_disk,
    list_mentionable,
    list_staged,
    read_changed_on_disk,
    read_staged,
)
from contextls.memory.vcs.file_versions import NOT_SHOWN
from contextls.memory.vcs.git_state import GitFiles
from contextls.memory.vcs.hunks import Hunk
from contextls.memory.vcs.pair_hunks import FilePair, find_pair_hunks, join_renames
from contextls.memory.vcs.submodules import Submodules
from contextls.memory.vcs.working_changes import MAX_FILES
from contextls.model import Changes
from contextls.workspace.git_files import refusal
from contextls.workspace.reflog import git_folder

NAMED = 5
SUBMODULE_SECONDS = 1.0  # until no more submodules are looked into; a small one takes 10 ms


class AskedChanges(Struct, frozen=True):
    """The hunks by path and line, and what a user should know about what is not among them."""

    hunks: tuple[Hunk, ...] = ()
    warnings: tuple[str, ...] = ()


def read_asked_changes(workspace: ComparedWorkspace, asked: ChangeScope) -> AskedChanges:
    """The changes that were asked for; of at most 60 files, none larger than 400,000 bytes."""
    scope = asked.which
    if git_folder(workspace.root) is None:
        return AskedChanges((), (f"there are no changes to tell: {workspace.root} is in no git repository",))
    git = GitFiles.read(workspace.root, asked.since)
    if not git.readable:
        said = refusal(workspace.root) or f"git cannot read {workspace.root}; run `git fsck` there"
        return AskedChanges((), (said,))
    paths, pairs = _read_pairs(workspace, git, scope)
    defined = _definitions(workspace, git, pairs, staged=scope is Changes.STAGED)
    hunks = tuple(hunk for pair in pairs for hunk in find_pair_hunks(pair, defined.get(pair.path, ())))
    _warn(workspace, git, asked, paths, pairs, hunks)
    return AskedChanges(hunks, tuple(workspace.warnings))


def _read_pairs(
    workspace: ComparedWorkspace, git: GitFiles, scope: Changes
) -> tuple[Sequence[str], Sequence[FilePair]]:
    """The files that may have changed, and the first of them before and after."""
    if scope is Changes.STAGED:
        paths = list_mentionable(workspace, git, list_staged(git))
        return paths, join_renames(read_staged(workspace, git, paths[:MAX_FILES]))
    submodules = Submodules(workspace.root, SUBMODULE_SECONDS)
    disk = DiskVersions(workspace.root, submodules)
    paths = list_mentionable(workspace, git, list_changed_on_disk(workspace, git, disk, scope))
    pairs = read_changed_on_disk(workspace, git, disk, scope, paths[:MAX_FILES])
    unsure = [path for path in submodules.list_unsure() if workspace.names(path, is_folder=True)]
    if unsure:
        workspace.warnings.append(f"not looked into for uncommitted changes: {_list_paths(unsure)}")
    return paths, join_renames(pairs)


def _definitions(
    workspace: ComparedWorkspace, git: GitFiles, pairs: Sequence[FilePair], *, staged: bool
) -> dict[str, Sequence[Definition]]:
    """The definitions of each text after its change: of what is staged they may not be those of the disk."""
    known = {path: outline.definitions for path, outline in workspace.outlines.items()}
    if not staged:
        return {pair.path: known.get(pair.path, ()) for pair in pairs if pair.after is not None}
    found: dict[str, Sequence[Definition]] = {}
    others = []
    for pair in pairs:
        if pair.after is None or not pair.after.lines:
            continue
        clean = is_clean(git.entries.get(pair.path), stamp_of(workspace.root, pair.path), git.taken)
        if clean and pair.path in known and pair.path not in workspace.unsaved:
            found[pair.path] = known[pair.path]
        else:
            others.append(pair)
    tasks = [(pair.path, pair.after.lines if pair.after else "") for pair in others]
    for (path, _), result in zip(tasks, workspace.pool.map(definitions_in, tasks), strict=True):
        found[path] = result.value if isinstance(result, Result) else ()
    return found


def _warn(
    workspace: ComparedWorkspace,
    git: GitFiles,
    asked: ChangeScope,
    paths: Sequence[str],
    pairs: Sequence[FilePair],
    hunks: Sequence[Hunk],
) -> None:
    say = workspace.warnings.append
    unread = [pair.path for pair in pairs if workspace.accepts(pair.path) and _is_unread(pair)]
    if unread:
        say(f"only named, as larger than {MAX_BYTES:,} bytes or not to be read: {_list_paths(unread)}")
    conflicts = [path for path in sorted(git.conflicts) if workspace.accepts(path)]
    if conflicts and asked.which is Changes.STAGED:
        say(f"in conflict and therefore not staged: {_list_paths(conflicts)}")
    if len(paths) > MAX_FILES:
        say(f"{len(paths) - MAX_FILES} more files may have changed; the first {MAX_FILES} by name are told")
    if not hunks:
        since = " " in asked.words
        say(f"there are no changes {asked.words}" if since else f"there are no {asked.words} changes to show")


def _is_unread(pair: FilePair) -> bool:
    return any(version is not None and version.unread == NOT_SHOWN for version in (pair.before, pair.after))


def _list_paths(paths: Iterable[str]) -> str:
    names = list(paths)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
