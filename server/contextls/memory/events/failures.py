"""The failures that are open, as the events tell them: what failed, and nothing has put right or tried again since.

Only time and the command line say what belongs together, never who recorded it: an editor, a terminal and a script are
processes of one sitting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from contextls.memory.events.commands import SimpleCommand, commands_of, cover, read_commands
from contextls.memory.events.exit_status import is_stopped, was_work
from contextls.memory.events.programs import CHECKERS, names_of
from contextls.memory.events.schema import in_order
from contextls.memory.events.servers import serves
from contextls.memory.events.sessions import PAUSE_MS
from contextls.model import Event, EventType, Outcome

# A failure that nobody touched for a day is no longer what the user is at.
STALE_MS = 24 * 60 * 60 * 1000
# The types that tell of failures and of what led to them.
TELLING = (
    EventType.SHELL_EXEC,
    EventType.ERROR,
    EventType.FILE_WRITE,
    EventType.FILE_EDIT,
    EventType.FILE_RENAME,
)
_WRITES = frozenset(TELLING) - {EventType.SHELL_EXEC, EventType.ERROR}


class FailedRun(Struct, frozen=True):
    """A run that failed, or errors that came without one.

    ``events`` are the run and those of its errors that nothing has put right, newest first, ``answered`` the others;
    ``changes`` the edits and writes since the same was last seen to pass (or since the sitting began), newest first,
    those that followed the failure included.
    """

    events: tuple[Event, ...]
    changes: tuple[Event, ...]
    answered: tuple[Event, ...] = ()

    @property
    def command(self) -> str:
        """The command line that failed; empty for errors that came without one."""
        return str(self.events[-1].content.get("command") or "")

    @property
    def names(self) -> frozenset[str]:
        """The names that people have for what ran, and for what that stands for, in lower case."""
        lines = (self.command, *self.events[-1].content.get("runs", ()))
        return frozenset(name for line in lines for name in names_of(line))

    @property
    def commands(self) -> tuple[SimpleCommand, ...]:
        """The commands that ran, as runs are compared by them."""
        return commands_of(self.events[-1])

    @property
    def text(self) -> str:
        """The printed text, errors first."""
        names = ("message", "stack", "stderr", "stdout")
        return "\n".join(
            str(event.content[name]) for name in names for event in self.events if event.content.get(name)
        )

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """Paths and lines that the errors name themselves."""
        return _places_of(self.events)

    @property
    def tests(self) -> tuple[tuple[str, str], ...]:
        """Path and name of the tests whose errors tell no line, as those of a summary."""
        told = (event.content for event in self.events if event.type == EventType.ERROR)
        found = ((each.get("path"), each.get("test") or "") for each in told if each.get("line") is None)
        return tuple((path, str(test)) for path, test in found if isinstance(path, str))

    @property
    def answered_places(self) -> tuple[tuple[str, int], ...]:
        """Paths and lines of what another run has put right since; the printed text still tells of them."""
        return _places_of(self.answered)


def _places_of(errors: Iterable[Event]) -> tuple[tuple[str, int], ...]:
    found = ((event.content.get("path"), event.content.get("line")) for event in errors)
    return tuple((path, line) for path, line in found if isinstance(path, str) and isinstance(line, int))


class _Open(Struct):
    """A failure while what came after it is being read. ``began`` is the place of its first event."""

    line: str
    commands: tuple[SimpleCommand, ...]
    began: int
    events: list[Event] = field(default_factory=list)
    answered: list[Event] = field(default_factory=list)

    @property
    def errors(self) -> list[Event]:
        return [event for event in self.events if event.type == EventType.ERROR]


def latest_failure(events: Iterable[Event], now: int) -> FailedRun | None:
    """The newest failure in ``events`` (any order) that is fresh at ``now`` (ms) and still open."""
    return next(iter(open_failures(events, now)), None)


def open_failures(events: Iterable[Event], now: int) -> tuple[FailedRun, ...]:
    """The failures in ``events`` (any order) that are fresh at ``now`` (ms) and still open, newest first."""
    ordered = in_order(events)
    fresh = [each for each in _still_open(ordered) if now - ordered[each.began].timestamp <= STALE_MS]
    return tuple(
        FailedRun(tuple(reversed(each.events)), tuple(_changes(ordered, each)), tuple(each.answered))
        for each in reversed(fresh)
    )


def settled_events(events: Iterable[Event]) -> frozenset[str]:
    """The ids of the errors in ``events`` that a later run answered for, and of the failed runs that passed since."""
    ordered = in_order(events)
    still_open = _still_open(ordered)
    kept = {event.id for failure in still_open for event in failure.events}
    failing = {failure.commands for failure in still_open}
    return frozenset(
        event.id
        for event in ordered
        if event.outcome is Outcome.FAILURE
        and event.id not in kept
        and (
            event.type == EventType.ERROR
            or (event.type == EventType.SHELL_EXEC and commands_of(event) not in failing)
        )
    )


def _still_open(ordered: Sequence[Event]) -> list[_Open]:
    """The failures that are open after ``ordered``, oldest first; each run is compared with the few that are open then."""
    still_open: list[_Open] = []
    for place, event in enumerate(ordered):
        if event.type == EventType.SHELL_EXEC:
            still_open = _after_run(still_open, event, place)
        elif event.type == EventType.ERROR and event.outcome is Outcome.FAILURE:
            _take_error(still_open, event, place)
    return still_open


def _after_run(still_open: Sequence[_Open], run: Event, place: int) -> list[_Open]:
    """The failures that are open once a command has run: it answers for those that it tried again, passing or not.

    A run without an outcome answers for none.
    """
    commands = commands_of(run)
    if run.outcome is None or _was_cut_short(run, commands):
        return list(still_open)
    left = []
    for failure in still_open:
        if cover(commands, failure.commands):
            continue
        if failure.errors:
            tried = [
                event for event in failure.errors if any(_tried(each, event, failure) for each in commands)
            ]
            failure.events = [event for event in failure.events if event not in tried]
            failure.answered.extend(tried)
            if not failure.errors:
                continue
        left.append(failure)
    if run.outcome is Outcome.FAILURE and was_work(run):
        left.append(_Open(str(run.content.get("command", "")), commands, place, [run]))
    return left


def _was_cut_short(run: Event, commands: Sequence[SimpleCommand]) -> bool:
    """Whether tests or checks were interrupted, or a server was whose output is not known."""
    if not is_stopped(run.content.get("exitCode")):
        return False
    are_checks = any(each.runs_tests or each.program in CHECKERS for each in commands)
    return are_checks or serves(str(run.content.get("command", "")))


def _tried(command: SimpleCommand, event: Event, failure: _Open) -> bool:
    """Whether a command ran the test that an error is about, with the runner that reported it."""
    path, test = str(event.content.get("path") or ""), str(event.content.get("test") or "")
    if any(command.program == each.program for each in failure.commands):
        return command.ran_test(path, test)
    return bool(test) and event.content.get("source") == command.program and command.ran_test(path, test)


def _take_error(still_open: list[_Open], error: Event, place: int) -> None:
    """Add an error to the run that reported it; one without a run is a failure by itself."""
    line = str(error.content.get("command") or "")
    for failure in reversed(still_open):
        if failure.line == line:
            failure.events.append(error)
            return
    still_open.append(_Open(line, read_commands(line), place, [error]))


def _changes(ordered: Sequence[Event], failure: _Open) -> list[Event]:
    """The writes since the command of ``failure`` last passed, else since the sitting began; newest first."""
    began = _last_pass(ordered, failure)
    if began is None:
        began = failure.began
        while began > 0 and ordered[began].timestamp - ordered[began - 1].timestamp <= PAUSE_MS:
            began -= 1
    oldest = ordered[failure.began].timestamp - STALE_MS
    return [
        event for event in reversed(ordered[began:]) if event.type in _WRITES and event.timestamp >= oldest
    ]


def _last_pass(ordered: Sequence[Event], failure: _Open) -> int | None:
    """The place of the last run before ``failure`` that tried all of it and passed."""
    for place in range(failure.began - 1, -1, -1):
        event = ordered[place]
        passed = event.type == EventType.SHELL_EXEC and event.outcome is Outcome.SUCCESS
        if passed and cover(commands_of(event), failure.commands):
            return place
    return None
