"""Reads events in the order of recording and counts habits, one event at a time.

An editor and the terminals used with it are separate sessions of one piece of work, so all sessions of a workspace are read
as one stream. A pause of fifteen minutes or a commit ends a piece of work.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from contextls.memory.patterns.tables import Table, by_words
from contextls.memory.patterns.wording import habit_command, head, signature, words_of
from contextls.model import WRITES, Event, EventType, Outcome

PAUSE_MS = 15 * 60 * 1000
# A piece of work on more files is a mass change, which says little about any two of them.
MAX_TOGETHER = 30
# After that many other commands, a run no longer belongs to the edit.
COMMANDS_AFTER_EDIT = 5
# A repair that took more files says little about each.
MAX_REPAIRED = 10
MAX_FAILING = 20
# The numbers of newest failing commands, and of their errors, that a question looks at.
MAX_FAILING_NOW, MAX_ERRORS_NOW = 3, 4
# Errors are reported right after the run that printed them.
ERROR_LAG_MS = 60_000
SEQUENCE_LENGTHS = (1, 2)
RAN, ERRED, EDITED = "run", "error", "edit"
_CHANGES = WRITES | {EventType.FILE_RENAME}


def key(*parts: str) -> str:
    """Several words as the name of one cause or effect; ``parts_of`` takes it apart."""
    return "\0".join(parts)


def parts_of(name: str) -> list[str]:
    """The words that ``key`` put together."""
    return name.split("\0")


def _by_folder(subject: str, command: str) -> frozenset[str]:
    return words_of(command) if subject.endswith("/") else frozenset()


def _by_words_and_repair(cause: str, repair: str) -> frozenset[str]:
    return words_of(cause) | {repair}


class HabitTables(Struct):
    """All habits that are counted. Causes and effects are paths, command lines, or ``key`` of several words."""

    together: Table = field(default_factory=Table)  # path -> path
    commands: Table = field(default_factory=lambda: Table(_by_folder))  # path, or folder with "/" -> command
    # RAN and a command, or ERRED, a signature and a command -> EDITED and a path, or RAN and a command
    fixes: Table = field(default_factory=lambda: Table(_by_words_and_repair))
    sequences: Table = field(default_factory=lambda: Table(by_words))  # one or two actions -> the next one
    tasks: Table = field(default_factory=Table)  # task id -> command

    def all(self) -> dict[str, Table]:
        """The tables by name."""
        return {
            "together": self.together,
            "commands": self.commands,
            "fixes": self.fixes,
            "sequences": self.sequences,
            "tasks": self.tasks,
        }


class _FailingCommand(Struct):
    """A command that failed and has not passed since: the errors it told of, and what was tried."""

    at: int
    errors: set[str] = field(default_factory=set)
    tried: dict[str, None] = field(default_factory=dict)
    edits: int = 0


class Miner:
    """Counts habits into ``tables``. Not safe for threads: one owner feeds it."""

    def __init__(self) -> None:
        self.tables = HabitTables()
        self.recent: list[str] = []  # the last actions of this piece of work, as sequences name them
        self._last = 0
        self._changed: dict[str, None] = {}
        self._open: dict[str, set[str]] = {}  # edited file -> commands run since
        self._failing: dict[str, _FailingCommand] = {}

    def take(self, event: Event) -> None:
        """Count what one event adds. Never raises for an event that a log has accepted."""
        at = event.timestamp
        if abs(at - self._last) > PAUSE_MS:
            self._pause()
        self._last = at
        content = event.content
        if event.type in _CHANGES and isinstance(content.get("path"), str):
            self._change(content["path"].replace("\0", " "), at)
        elif event.type == EventType.SHELL_EXEC:
            command = habit_command(content.get("command", ""))
            if command is not None and event.outcome is not None:
                self._run(command, at, failed=event.outcome is Outcome.FAILURE, task=event.task_id)
        elif event.type == EventType.ERROR:
            self._err(content.get("command"), signature(content.get("message", "")), at)
        elif event.type == EventType.GIT_COMMIT:
            self._changed.clear()

    def recent_failures(self) -> list[str]:
        """Recent failures that have not passed since, as causes of ``tables.fixes``: commands and their errors."""
        found = []
        latest = sorted(self._failing.items(), key=lambda item: (-item[1].at, item[0]))
        for command, failing in latest[:MAX_FAILING_NOW]:
            found.append(key(RAN, command))
            found.extend(key(ERRED, error, command) for error in sorted(failing.errors)[:MAX_ERRORS_NOW])
        return found

    def as_json(self) -> dict[str, Any]:
        """JSON-ready data that ``load_json`` takes."""
        return {
            "tables": {name: table.as_json() for name, table in self.tables.all().items()},
            "recent": self.recent,
            "last": self._last,
            "changed": list(self._changed),
            "open": {subject: sorted(seen) for subject, seen in self._open.items()},
            "failing": {
                command: [failing.at, sorted(failing.errors), list(failing.tried), failing.edits]
                for command, failing in self._failing.items()
            },
        }

    def load_json(self, data: dict[str, Any]) -> None:
        """Go on where ``as_json`` was. Raises ``LookupError``, ``ValueError``, ``TypeError``, ``AttributeError`` else."""
        for name, table in self.tables.all().items():
            table.load_json(data["tables"][name])
        self.recent = list(data["recent"])
        self._last = int(data["last"])
        self._changed = dict.fromkeys(data["changed"])
        self._open = {subject: set(seen) for subject, seen in data["open"].items()}
        for command, (at, errors, tried, edits) in data["failing"].items():
            self._failing[command] = _FailingCommand(int(at), set(errors), dict.fromkeys(tried), int(edits))

    def _pause(self) -> None:
        self._changed.clear()
        self._open.clear()
        self.recent.clear()

    def _change(self, path: str, at: int) -> None:
        together = self.tables.together
        if path not in self._changed:
            together.count_occasion(path, at)
            if len(self._changed) < MAX_TOGETHER:
                for other in self._changed:
                    together.count_effect(path, other, at)
                    together.count_effect(other, path, at)
                self._changed[path] = None
        folder = f"{path.rpartition('/')[0]}/"
        for subject in (path, folder):
            begun = self._open.get(subject)
            if begun == set() or len(self._open) >= 2 * MAX_TOGETHER:
                continue
            self._open[subject] = set()
            self.tables.commands.count_occasion(subject, at)
        for failing in self._failing.values():
            if failing.edits <= MAX_REPAIRED and key(EDITED, path) not in failing.tried:
                failing.tried[key(EDITED, path)] = None
                failing.edits += 1
        ending = path.rpartition(".")[2] if "." in path.rpartition("/")[2] else ""
        self._act(key(EDITED, f"*.{ending}" if ending else path.rpartition("/")[2]), at)

    def _run(self, command: str, at: int, *, failed: bool, task: str | None) -> None:
        for subject, seen in list(self._open.items()):
            if command not in seen:
                self.tables.commands.count_effect(subject, command, at, passed=not failed)
                seen.add(command)
            if len(seen) >= COMMANDS_AFTER_EDIT:
                del self._open[subject]
        if task is not None:
            self.tables.tasks.count_occasion(task, at)
            self.tables.tasks.count_effect(task, command, at, passed=not failed)
        self._act(key(RAN, head(command)), at)
        if failed:
            if command not in self._failing and len(self._failing) >= MAX_FAILING:
                del self._failing[next(iter(self._failing))]
            self._failing.setdefault(command, _FailingCommand(at)).at = at
        else:
            self._pass(command, at)

    def _pass(self, command: str, at: int) -> None:
        failing = self._failing.pop(command, None)
        for other in self._failing.values():
            if len(other.tried) < 2 * MAX_REPAIRED:
                other.tried.setdefault(key(RAN, command))
        if failing is None:
            return
        fixes = self.tables.fixes
        tried = [what for what in failing.tried if failing.edits <= MAX_REPAIRED or what.startswith(RAN)]
        for cause in (key(RAN, command), *(key(ERRED, error, command) for error in sorted(failing.errors))):
            fixes.count_occasion(cause, at)
            for what in tried:
                fixes.count_effect(cause, what, at, passed=True)

    def _err(self, command: object, error: str, at: int) -> None:
        if not error:
            return
        named = self._failing.get(habit_command(command) or "") if command else None
        if named is None and not command and self._failing:
            latest = max(self._failing.values(), key=lambda failing: failing.at)
            named = latest if abs(at - latest.at) <= ERROR_LAG_MS else None
        if named is not None and len(named.errors) < MAX_REPAIRED:
            named.errors.add(error)

    def _act(self, action: str, at: int) -> None:
        """One more step of a sequence; a step that repeats counts once."""
        if self.recent and self.recent[-1] == action:
            return
        sequences = self.tables.sequences
        for length in SEQUENCE_LENGTHS:
            if len(self.recent) >= length:
                sequences.count_effect(key(*self.recent[-length:]), action, at)
        self.recent = [*self.recent, action][-max(SEQUENCE_LENGTHS) :]
        for length in SEQUENCE_LENGTHS:
            if len(self.recent) >= length:
                sequences.count_occasion(key(*self.recent[-length:]), at)
