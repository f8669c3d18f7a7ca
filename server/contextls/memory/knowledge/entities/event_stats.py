"""Statistics of events by entity: how active each is, which commands ran, which errors came and what fixed them.

Read incrementally: each event once, in the order of recording. What was read is an immutable value for readers.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from contextls.errors import StoreError
from contextls.memory.knowledge.entities.salience import activity, fade
from contextls.model import WRITES, Event, EventType, Outcome
from contextls.regex import compile_late

if TYPE_CHECKING:
    from contextls.memory.events import EventLog

# How many of the newest events a process reads when it begins; older ones have faded.
NEWEST = 5_000
PAGE = 2_000
# The number of commands, and of errors, that are kept: the newest.
MAX_KEPT = 500
MAX_WRITTEN = 50  # files, the newest, that may have put one failing command right
# The number of failing commands that are followed until they pass; those that failed first are dropped.
MAX_FAILING = 50

# How much one event says about the file that it names.
WORTH: Mapping[str, float] = {
    EventType.FILE_WRITE: 1.0,
    EventType.FILE_EDIT: 1.0,
    EventType.FILE_RENAME: 1.0,
    EventType.ERROR: 1.0,
    EventType.DIAGNOSTIC: 0.5,
    EventType.FILE_READ: 0.5,
    EventType.FILE_FOCUS: 0.5,
}
_VARIES = compile_late(r"0x[0-9a-fA-F]+|\b[0-9a-f]{8,}\b|\d+|'[^']{0,200}'|\"[^\"]{0,200}\"|`[^`]{0,200}`")


class Activity(Struct, frozen=True):
    """A sum of faded weights as of ``at`` (ms)."""

    total: float = 0.0
    at: int = 0

    def plus(self, weight: float, when: int) -> Activity:
        """With one more event; events may come in any order of time."""
        at = max(self.at, when)
        return Activity(fade(self.total, at - self.at) + fade(weight, at - when), at)

    def now(self, now: int) -> float:
        """The activity in 0..1 at ``now`` (ms)."""
        return activity(fade(self.total, now - self.at))


class CommandStats(Struct, frozen=True):
    """The runs of one command line."""

    command: str
    runs: int
    failures: int
    failed: bool  # the last time
    activity: Activity


class ErrorStats(Struct, frozen=True):
    """An error as a kind: messages that differ only in numbers and quoted words are one."""

    id: str
    message: str
    path: str
    line: int
    times: int
    activity: Activity


class FixStats(Struct, frozen=True):
    """The number of times that a failure ended (``attempts``), and that ``path`` was changed before (``successes``)."""

    path: str
    successes: int
    attempts: int


class EventStats(Struct, frozen=True):
    """Statistics of files, commands and errors."""

    files: Mapping[str, Activity] = field(default_factory=dict)
    # By path, when it was written last, in ms.
    written: Mapping[str, int] = field(default_factory=dict)
    commands: Mapping[str, CommandStats] = field(default_factory=dict)
    errors: Mapping[str, ErrorStats] = field(default_factory=dict)
    # By the entity id of an error or a command.
    fixes: Mapping[str, tuple[FixStats, ...]] = field(default_factory=dict)
    # By path: the ids of its errors, and of what changes to it fixed.
    errors_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fixed_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def command_id(command: str) -> str:
    """The entity id of a command line."""
    return f"command:{' '.join(command.split())[:200]}"


def error_id(message: str) -> str:
    """The entity id of an error; what varies from one time to the next (numbers, addresses, quoted words) is left out."""
    first = next((line.strip() for line in message.splitlines() if line.strip()), "")
    return f"error:{hashlib.blake2b(_VARIES.sub('…', first).encode(), digest_size=6).hexdigest()}"


class EventStatsReader:
    """Reads the event log once, then only what is new. Safe to call from several threads."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._guard = threading.Lock()
        self._last = 0
        self._wipes = -1
        self._counts = _Counts()
        self._value = EventStats()

    def read(self) -> EventStats:
        """Count the events so far; when they cannot be read, the last counts stand and their own source reports it."""
        with self._guard:
            with contextlib.suppress(StoreError):
                self._catch_up()
            return self._value

    def _catch_up(self) -> None:
        newest, _, wipes = self._log.version()
        if wipes != self._wipes or newest < self._last:
            self._counts, self._last, self._wipes = _Counts(), 0, wipes
            self._value = EventStats()
        if newest == self._last:
            return
        at = max(self._last, newest - NEWEST)
        while at < newest:
            events = self._log.after(at, PAGE)
            if not events:
                break
            for event in events:
                self._counts.add(event)
            at = self._last = int(events[-1].id.rsplit("-", 1)[-1])
        self._last = max(at, newest)
        self._value = self._counts.value()


class _Counts:
    """Adds events up, one after the other."""

    def __init__(self) -> None:
        self.files: dict[str, Activity] = {}
        self.written: dict[str, int] = {}
        self.commands: dict[str, CommandStats] = {}
        self.errors: dict[str, ErrorStats] = {}
        self.failing: dict[str, dict[str, None]] = {}  # command -> files written since, by whichever process
        self.open_errors: dict[str, dict[str, None]] = {}  # command -> ids of its errors
        self.attempts: dict[str, int] = {}
        self.successes: dict[str, dict[str, int]] = {}

    def add(self, event: Event) -> None:
        path = event.content.get("path")
        if isinstance(path, str) and event.type in WORTH:
            before = self.files.get(path, Activity())
            self.files[path] = before.plus(WORTH[event.type], event.timestamp)
        if event.type in WRITES and isinstance(path, str):
            self.written[path] = max(event.timestamp, self.written.get(path, 0))
            for written in self.failing.values():
                _put_last(written, path, MAX_WRITTEN)
        elif event.type == EventType.SHELL_EXEC:
            self._count_run(event)
        elif event.type == EventType.ERROR:
            self._count_error(event)

    def _count_run(self, event: Event) -> None:
        command = " ".join(str(event.content.get("command", "")).split())[:200]
        known = self.commands.pop(command, CommandStats(command, 0, 0, failed=False, activity=Activity()))
        failed = known.failed if event.outcome is None else event.outcome is Outcome.FAILURE
        self.commands[command] = CommandStats(
            command,
            known.runs + 1,
            known.failures + (event.outcome is Outcome.FAILURE),
            failed,
            known.activity.plus(1.0, event.timestamp),
        )
        if len(self.commands) > MAX_KEPT:
            self._forget(command_id(next(iter(self.commands))))
            self.commands.pop(next(iter(self.commands)))
        if event.outcome is None:
            return  # whether it mended anything is not known
        if failed:
            self.failing.setdefault(command, {})
            if len(self.failing) > MAX_FAILING:
                oldest = next(iter(self.failing))
                del self.failing[oldest]
                self.open_errors.pop(oldest, None)
        elif command in self.failing:
            written = self.failing.pop(command)
            for entity in (command_id(command), *self.open_errors.pop(command, ())):
                self._count_fix(entity, written)

    def _count_error(self, event: Event) -> None:
        message = str(event.content.get("message", ""))
        entity = error_id(message)
        known = self.errors.pop(entity, None)
        path, line = event.content.get("path"), event.content.get("line")
        self.errors[entity] = ErrorStats(
            entity,
            message,
            path if isinstance(path, str) else (known.path if known else ""),
            line if isinstance(line, int) else (known.line if known and not isinstance(path, str) else 0),
            (known.times if known else 0) + 1,
            (known.activity if known else Activity()).plus(1.0, event.timestamp),
        )
        if len(self.errors) > MAX_KEPT:
            oldest = next(iter(self.errors))
            self.errors.pop(oldest)
            self._forget(oldest)
        command = " ".join(str(event.content.get("command", "")).split())[:200]
        if command and command in self.failing:
            _put_last(self.open_errors.setdefault(command, {}), entity, MAX_KEPT)

    def _count_fix(self, entity: str, written: Iterable[str]) -> None:
        self.attempts[entity] = self.attempts.get(entity, 0) + 1
        by_path = self.successes.setdefault(entity, {})
        for path in written:
            by_path[path] = by_path.get(path, 0) + 1

    def _forget(self, entity: str) -> None:
        self.attempts.pop(entity, None)
        self.successes.pop(entity, None)

    def value(self) -> EventStats:
        errors_of: dict[str, list[str]] = {}
        for error in self.errors.values():
            if error.path:
                errors_of.setdefault(error.path, []).append(error.id)
        fixes: dict[str, tuple[FixStats, ...]] = {}
        fixed_in: dict[str, list[str]] = {}
        for entity, by_path in self.successes.items():
            fixes[entity] = tuple(
                FixStats(path, count, self.attempts[entity]) for path, count in sorted(by_path.items())
            )
            for path in by_path:
                fixed_in.setdefault(path, []).append(entity)
        return EventStats(
            files=dict(self.files),
            written=dict(self.written),
            commands=dict(self.commands),
            errors=dict(self.errors),
            fixes=fixes,
            errors_of={path: tuple(ids) for path, ids in errors_of.items()},
            fixed_in={path: tuple(sorted(ids)) for path, ids in fixed_in.items()},
        )


def _put_last(kept: dict[str, None], name: str, most: int) -> None:
    """Make ``name`` the newest of ``kept``; the oldest goes where there are more than ``most``."""
    kept.pop(name, None)
    kept[name] = None
    if len(kept) > most:
        del kept[next(iter(kept))]
