"""Commits, checkouts, stashes and rebases become events, each once, however many servers watch the workspace."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from contextls.memory.activity.head_moves import CHECKOUT, GitAction, Rebase, needs_earlier, read_actions
from contextls.model import Event, EventType, NewEvent, Outcome
from contextls.regex import compile_late
from contextls.store.locks import StateLock
from contextls.store.quarantine import remove
from contextls.store.state_file import write_json
from contextls.store.state_place import kind_in_the_way
from contextls.workspace import reflog
from contextls.workspace.git_log import UnreadableHistoryError, read_commits, read_subjects
from contextls.workspace.reflog import GitFolder, Move
from contextls.workspace.regular_file import STATE_BYTES, read_bytes

# A pull may bring thousands of commits, but it moves HEAD once; this bounds what a script can do in one second.
MAX_EVENTS = 100
MAX_PATHS = 50
# git is started once for each branch that was committed on.
MAX_TIPS = 8
LOCK_SECONDS = 2.0
_COMMIT = compile_late(r"(?:commit|cherry-pick|revert|am)(?: \([\w -]+\))?: (.*)")
_MERGE = compile_late(r"(?:commit \(merge\)|merge|pull)\b.*?: (?!Fast-forward)(.*)")
_MOVED = compile_late(r"(reset|pull|merge)\b(.*?): .*")


class _Cursor(Struct, frozen=True):
    """The places up to which both logs were read (``last`` marks the last line), and the number of stashes."""

    end: int
    last: str
    stashes: int
    stash_bytes: int


class GitMoves:
    """Follows the logs of one working tree from where any process last left off."""

    def __init__(self, root: Path, state: Path, record: Callable[[NewEvent], Event | None]) -> None:
        """``state`` is the workspace's state folder: the place in the logs is kept there, shared by all processes."""
        self._root = root
        self._cursor_file = state / "git-moves.json"
        self._lock = StateLock(state / "git-moves.lock")
        self._record = record
        self._folder: GitFolder | None = None
        self._seen = (-1, -1)

    def catch_up(self) -> int:
        """Record what happened since the last call of any process; the number of events. Cheap when nothing did.

        The first call in a workspace only takes note of where the logs end.
        """
        if self._folder is None:
            self._folder = reflog.git_folder(self._root)
        if self._folder is None:
            return 0
        sizes = (reflog.size(self._folder.moves), reflog.size(self._folder.stashes))
        if sizes == self._seen:
            return 0
        try:
            with self._lock.acquire(timeout=LOCK_SECONDS):
                count = self._catch_up(self._folder)
        except OSError:
            return 0  # another process is at it, or nothing can be written here
        self._seen = sizes
        return count

    def _catch_up(self, folder: GitFolder) -> int:
        cursor = self._load()
        tail = reflog.tail(folder.moves, cursor.end, cursor.last) if cursor else reflog.tail(folder.moves)
        stashes = reflog.tail(folder.stashes).moves
        now = _Cursor(tail.end, tail.last, len(stashes), reflog.size(folder.stashes))
        count = 0
        if cursor is not None:
            actions = _read_actions(folder, tail.moves, cursor.end)
            events = [*self._describe_actions(actions), *_read_stashes(cursor.stashes, stashes)]
            for event in events[-MAX_EVENTS:]:
                count += self._record(event) is not None
        if now != cursor:
            self._save(now)
        return count

    def _describe_actions(self, actions: Sequence[GitAction]) -> Iterator[NewEvent]:
        plain = [action for action in actions if action.rebase is None]
        paths, subjects = self._paths_of(plain), self._subjects_of(plain)
        for action in actions:
            if action.rebase is not None:
                yield _describe_rebase(action, action.rebase)
            else:
                yield from _describe_plain(action, paths, subjects)

    def _subjects_of(self, actions: Sequence[GitAction]) -> dict[str, str]:
        """The subject of each merge: git's log of HEAD only tells how it was made."""
        merges = [action.move.new for action in actions if _MERGE.match(action.move.message)][-MAX_EVENTS:]
        found = read_subjects(self._root, merges) if merges else {}
        return {sha: _shorten_origin(found.get(sha) or "Merge") for sha in merges}

    def _paths_of(self, actions: Sequence[GitAction]) -> dict[str, list[str]]:
        """The files of each commit that was made, as far as the history can be read."""
        made = [action for action in actions if _COMMIT.match(action.move.message)]
        tips = {action.branch: action.move.new for action in made}  # the newest commit on each
        found: dict[str, list[str]] = {}
        for tip in list(tips.values())[-MAX_TIPS:]:
            with suppress(UnreadableHistoryError):
                for commit in read_commits(self._root, 2 * len(made), tip=tip, renames=False):
                    found[commit.sha] = list(commit.paths[:MAX_PATHS])
        return found

    def _load(self) -> _Cursor | None:
        try:
            known = json.loads(read_bytes(self._cursor_file, STATE_BYTES))
            return _Cursor(int(known["end"]), str(known["last"]), int(known["stashes"]), int(known["bytes"]))
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return None

    def _save(self, cursor: _Cursor) -> None:
        known = {
            "end": cursor.end,
            "last": cursor.last,
            "stashes": cursor.stashes,
            "bytes": cursor.stash_bytes,
        }
        with suppress(OSError):  # then what happened is looked at again
            if kind_in_the_way(self._cursor_file) is not None:
                remove(self._cursor_file)
            write_json(self._cursor_file, known)


def _read_actions(folder: GitFolder, moves: Sequence[Move], begin: int) -> list[GitAction]:
    """The actions of the user in ``moves``, which begin at byte ``begin`` of the log."""
    unfinished = reflog.rebased_branch(folder)
    rebasing = unfinished is not None
    branch = (unfinished or None) if rebasing else reflog.branch(folder)
    earlier = reflog.before(folder.moves, begin) if needs_earlier(moves, rebasing=rebasing) else ()
    return list(read_actions(moves, earlier, branch, rebasing=rebasing))


def _describe_rebase(action: GitAction, rebase: Rebase) -> NewEvent:
    move, branch = action.move, action.branch
    if not rebase.pulled:
        return _event(EventType.GIT_REBASE, move, onto=rebase.onto or None, branch=branch)
    came_from = rebase.began and rebase.began.old[:12]
    places = {"from": came_from, "to": move.new[:12]}
    return _event(EventType.GIT_CHECKOUT, move, **places, branch=branch, action="pull")


def _describe_plain(
    action: GitAction, paths: dict[str, list[str]], subjects: dict[str, str]
) -> Iterator[NewEvent]:
    move, branch = action.move, action.branch
    if found := CHECKOUT.match(move.message):
        yield _event(EventType.GIT_CHECKOUT, move, **{"from": found[1], "to": found[2], "branch": branch})
    elif found := _COMMIT.match(move.message) or _MERGE.match(move.message):
        subject, touched = subjects.get(move.new, found[1]), paths.get(move.new, [])
        yield _event(
            EventType.GIT_COMMIT, move, commit=move.new, subject=subject, branch=branch, paths=touched
        )
    elif (found := _MOVED.match(move.message)) and move.old != move.new:
        merged = found[2].strip() if found[1] == "merge" else ""
        places = {"from": merged or move.old[:12], "to": move.new[:12]}
        yield _event(EventType.GIT_CHECKOUT, move, **places, branch=branch, action=found[1])


def _shorten_origin(subject: str) -> str:
    """Keep the last name of the address in ``Merge branch 'main' of example.org:a/shop``; it says enough."""
    merged, of, origin = subject.partition("' of ")
    if not of or not merged.startswith("Merge "):
        return subject
    origin, into, branch = origin.partition(" into ")
    name = re.split(r"[/:]", origin.rstrip("/").removesuffix(".git"))[-1]
    return f"{merged}{of}{name}{into}{branch}"


def _read_stashes(before: int, stashes: Sequence[Move]) -> Iterator[NewEvent]:
    for move in stashes[before:]:
        yield _event(EventType.GIT_STASH, move, action="push", subject=move.message)
    if len(stashes) < before:
        yield NewEvent(EventType.GIT_STASH, {"action": "pop"}, Outcome.SUCCESS)


def _event(kind: EventType, move: Move, **content: Any) -> NewEvent:  # noqa: ANN401 - JSON values
    told = {name: value for name, value in content.items() if value is not None}
    return NewEvent(kind, told, Outcome.SUCCESS, timestamp=move.timestamp)
