"""The changes that a question names, as hunks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from contextls.code.model import Definition
from contextls.code.pool import Result
from contextls.code.worker_tasks import definitions_in
from contextls.memory.vcs.change_scope import ChangeScope
from contextls.memory.vcs.file_pairs import (
    FilePair,
    GitFiles,
    Workspace,
    join_renames,
    list_changed_on_disk,
    list_staged,
    read_pairs,
)
from contextls.memory.vcs.hunks import Hunk, find_hunks, shorten_removed
from contextls.memory.vcs.working_changes import MAX_BYTES, MAX_FILES, is_clean, stamp_of
from contextls.model import Changes
from contextls.text.redact import redact
from contextls.workspace.git_tree import files_of, index_entries, list_conflicts
from contextls.workspace.reflog import git_folder

NAMED = 5


@dataclass(frozen=True, slots=True)
class AskedChanges:
    """The hunks by path and line, and what a user should know about what is not among them."""

    hunks: tuple[Hunk, ...] = ()
    warnings: tuple[str, ...] = ()


def read_asked_changes(workspace: Workspace, asked: ChangeScope) -> AskedChanges:
    """The changes that were asked for; of at most 60 files, none larger than 400,000 bytes."""
    scope = asked.which
    folder = git_folder(workspace.root)
    if folder is None:
        return AskedChanges((), (f"there are no changes to tell: {workspace.root} is in no git repository",))
    written = stamp_of(folder.own, "index")
    index = GitFiles(
        tree=files_of(workspace.root, asked.since) or {},
        entries=index_entries(workspace.root) or {},
        conflicts=list_conflicts(workspace.root),
        taken=written.modified if written else 0,
    )
    staged = scope is Changes.STAGED
    paths = list_staged(index) if staged else list_changed_on_disk(workspace, index, scope)
    shown = sorted(path for path in paths if workspace.accepts(path))
    looked = read_pairs(workspace, index, scope, shown[:MAX_FILES])
    pairs = [pair for pair in looked if pair.unreadable or pair.before != pair.after]
    readable = join_renames([pair for pair in pairs if not pair.unreadable])
    defined = _definitions(workspace, index, readable, staged=staged)
    hunks = tuple(hunk for pair in readable for hunk in _hunks(pair, defined.get(pair.path, ())))
    _warn(workspace, index, asked, shown, pairs, hunks)
    return AskedChanges(hunks, tuple(workspace.warnings))


def _definitions(
    workspace: Workspace, index: GitFiles, pairs: Sequence[FilePair], *, staged: bool
) -> dict[str, Sequence[Definition]]:
    """The definitions of each text after its change: of what is staged they may not be those of the disk."""
    known = {path: outline.definitions for path, outline in workspace.outlines.items()}
    if not staged:
        return {pair.path: known.get(pair.path, ()) for pair in pairs if pair.after is not None}
    found: dict[str, Sequence[Definition]] = {}
    others = []
    for pair in pairs:
        if pair.after is None:
            continue
        clean = is_clean(index.entries.get(pair.path), stamp_of(workspace.root, pair.path), index.taken)
        if clean and pair.path in known and pair.path not in workspace.unsaved:
            found[pair.path] = known[pair.path]
        else:
            others.append(pair)
    tasks = [(pair.path, pair.after or "") for pair in others]
    for (path, _), result in zip(tasks, workspace.pool.map(definitions_in, tasks), strict=True):
        found[path] = result.value if isinstance(result, Result) else ()
    return found


def _hunks(pair: FilePair, definitions: Sequence[Definition]) -> tuple[Hunk, ...]:
    before, after = redact(pair.before or "").text, redact(pair.after or "").text
    hunks = find_hunks(pair.path, before, after, definitions)
    if pair.after is None:
        return shorten_removed(hunks)
    if not pair.came_from:
        return hunks
    moved = f"rename from {pair.came_from}\nrename to {pair.path}"
    if not hunks:
        return (Hunk(pair.path, "", 1, 1, 0, 0, moved, pair.came_from),)
    first = replace(hunks[0], text=f"{moved}\n{hunks[0].text}", came_from=pair.came_from)
    return (first, *hunks[1:])


def _warn(
    workspace: Workspace,
    index: GitFiles,
    asked: ChangeScope,
    shown: Sequence[str],
    pairs: Sequence[FilePair],
    hunks: Sequence[Hunk],
) -> None:
    say = workspace.warnings.append
    unreadable = [pair.path for pair in pairs if pair.unreadable]
    if unreadable:
        say(f"not shown, as no text or larger than {MAX_BYTES:,} bytes: {_list_paths(unreadable)}")
    conflicts = [path for path in sorted(index.conflicts) if workspace.accepts(path)]
    if conflicts and asked.which is Changes.STAGED:
        say(f"in conflict and therefore not staged: {_list_paths(conflicts)}")
    if len(shown) > MAX_FILES:
        say(f"{len(shown) - MAX_FILES} more files may have changed; the first {MAX_FILES} by name are told")
    if not hunks:
        since = " " in asked.words
        say(f"there are no changes {asked.words}" if since else f"there are no {asked.words} changes to show")


def _list_paths(paths: Iterable[str]) -> str:
    names = list(paths)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
