"""The changes that somebody asks about by name: what is staged, what is not, or both.

Read again each time, from git's objects, its index and the disk; nothing that a repository names is started.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from contextls import cancellation
from contextls.code.model import Definition
from contextls.code.pool import Result, WorkerPool
from contextls.code.worker_tasks import definitions_in
from contextls.errors import InvalidRequestError
from contextls.memory.index.outlines import Outline
from contextls.memory.vcs.hunks import Hunk, farewell, hunks_between
from contextls.memory.vcs.renames import pair_renames
from contextls.memory.vcs.working_changes import (
    MAX_BYTES,
    MAX_FILES,
    has_hash,
    is_clean,
    stamp_of,
    text_of,
)
from contextls.model import Changes
from contextls.text.redact import redact
from contextls.workspace.git_branch import fork_point
from contextls.workspace.git_tree import IndexEntry, contents, files_of, index_entries, list_conflicts
from contextls.workspace.inner_repositories import drop_inner
from contextls.workspace.reflog import git_folder
from contextls.workspace.regular_file import read_bytes

NAMED = 5


@dataclass(frozen=True, slots=True)
class AskedChanges:
    """The hunks by path and line, and what a user should know about what is not among them."""

    hunks: tuple[Hunk, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeScope:
    """Which changes: ``which`` of them, counted from the commit ``since``; ``words`` stand before or behind "changes"."""

    which: Changes
    since: str = "HEAD"
    words: str = "uncommitted"


@dataclass(frozen=True, slots=True)
class _Index:
    """The files as git knows them: in the newest commit, in the index, in conflict."""

    tree: Mapping[str, str]
    entries: Mapping[str, IndexEntry]
    conflicts: Mapping[str, str]
    taken: int  # when the index was written, in nanoseconds


@dataclass(frozen=True, slots=True)
class _Pair:
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


def read_scope(root: Path, asked: str) -> ChangeScope:
    """What ``asked`` means: one of ``Changes``, or all that is new since HEAD left a branch, a tag or a commit.

    Raises ``InvalidRequestError`` where the repository of ``root`` has none of that name.
    """
    if asked in tuple(Changes):
        return ChangeScope(Changes(asked), words=describe_changes(asked))
    since = fork_point(root, asked)
    if since is None:
        known = ", ".join(Changes)
        raise InvalidRequestError(
            "changes", f"{known}, or a branch, a tag or a commit of this repository", asked
        )
    return ChangeScope(Changes.ALL, since, describe_changes(asked))


def describe_changes(asked: str) -> str:
    """How changes stand, as words: uncommitted, staged, unstaged, since main."""
    if asked == Changes.ALL:
        return "uncommitted"
    return asked if asked in tuple(Changes) else f"since {asked}"


def asked_changes(workspace: Workspace, asked: ChangeScope) -> AskedChanges:
    """The changes that were asked for; of at most 60 files, none larger than 400,000 bytes."""
    scope = asked.which
    folder = git_folder(workspace.root)
    if folder is None:
        return AskedChanges((), (f"there are no changes to tell: {workspace.root} is in no git repository",))
    written = stamp_of(folder.own, "index")
    index = _Index(
        tree=files_of(workspace.root, asked.since) or {},
        entries=index_entries(workspace.root) or {},
        conflicts=list_conflicts(workspace.root),
        taken=written.modified if written else 0,
    )
    staged = scope is Changes.STAGED
    paths = _list_staged(index) if staged else _unlike_the_disk(workspace, index, scope)
    shown = sorted(path for path in paths if workspace.accepts(path))
    looked = _pairs(workspace, index, scope, shown[:MAX_FILES])
    pairs = [pair for pair in looked if pair.unreadable or pair.before != pair.after]
    readable = _join_renames([pair for pair in pairs if not pair.unreadable])
    defined = _definitions(workspace, index, readable, staged=staged)
    hunks = tuple(hunk for pair in readable for hunk in _hunks(pair, defined.get(pair.path, ())))
    _warn(workspace, index, asked, shown, pairs, hunks)
    return AskedChanges(hunks, tuple(workspace.warnings))


def _list_staged(index: _Index) -> list[str]:
    entries, tree = index.entries, index.tree
    paths = (entries.keys() | tree.keys()) - index.conflicts.keys()
    return [path for path in paths if _blob(entries.get(path)) != tree.get(path)]


def _unlike_the_disk(workspace: Workspace, index: _Index, scope: Changes) -> list[str]:
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


def _pairs(workspace: Workspace, index: _Index, scope: Changes, paths: Sequence[str]) -> list[_Pair]:
    base = {path: blob for path in paths if (blob := _base(index, scope, path)) is not None}
    after = {path: blob for path in paths if (blob := _blob(index.entries.get(path))) is not None}
    staged = scope is Changes.STAGED
    blobs = contents(workspace.root, {*base.values(), *(after.values() if staged else ())}, MAX_BYTES)
    read = partial(_read_blob, blobs)
    pairs = []
    for path in paths:
        before, whole = read(base.get(path))
        now, readable = read(after.get(path)) if staged else _on_disk(workspace, path)
        unreadable = not (whole and readable)
        if staged or not (unreadable and _is_still(workspace.root, path, base.get(path))):
            pairs.append(_Pair(path, before, now, unreadable=unreadable))
    return pairs


def _base(index: _Index, scope: Changes, path: str) -> str | None:
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


def _join_renames(pairs: Sequence[_Pair]) -> list[_Pair]:
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


def _definitions(
    workspace: Workspace, index: _Index, pairs: Sequence[_Pair], *, staged: bool
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


def _hunks(pair: _Pair, definitions: Sequence[Definition]) -> tuple[Hunk, ...]:
    before, after = redact(pair.before or "").text, redact(pair.after or "").text
    hunks = hunks_between(pair.path, before, after, definitions)
    if pair.after is None:
        return farewell(hunks)
    if not pair.came_from:
        return hunks
    moved = f"rename from {pair.came_from}\nrename to {pair.path}"
    if not hunks:
        return (Hunk(pair.path, "", 1, 1, 0, 0, moved, pair.came_from),)
    first = replace(hunks[0], text=f"{moved}\n{hunks[0].text}", came_from=pair.came_from)
    return (first, *hunks[1:])


def _warn(
    workspace: Workspace,
    index: _Index,
    asked: ChangeScope,
    shown: Sequence[str],
    pairs: Sequence[_Pair],
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


def _blob(entry: IndexEntry | None) -> str | None:
    return None if entry is None else entry.blob
