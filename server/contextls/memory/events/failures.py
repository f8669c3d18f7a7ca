"""The failure that is open right now, as the events tell it: the last that nothing has put right since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from contextls.model import Event, EventType, Outcome

# A failure that nobody touched for a day is no longer what the user is at.
STALE_MS = 24 * 60 * 60 * 1000
_WRITES = frozenset({EventType.FILE_WRITE, EventType.FILE_EDIT, EventType.FILE_RENAME})


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that failed, or an error that came without one.

    ``events`` are the run and the errors that belong to it, newest first; ``changes`` the edits and writes between the
    last time the same command passed (or the session began) and the failure, newest first.
    """

    events: tuple[Event, ...]
    changes: tuple[Event, ...]

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
        found = ((event.content.get("path"), event.content.get("line")) for event in self.events)
        return tuple((path, line) for path, line in found if isinstance(path, str) and isinstance(line, int))


def latest_failure(events: Iterable[Event], now: int) -> Failure | None:
    """The newest failure in ``events`` (any order) that is fresh at ``now`` (ms) and was not followed by a success."""
    ordered = sorted(events, key=lambda event: (event.timestamp, _number(event)))
    passed: set[str] = set()
    for at in range(len(ordered) - 1, -1, -1):
        event = ordered[at]
        if now - event.timestamp > STALE_MS:
            return None
        command = _command(event)
        if event.type == EventType.SHELL_EXEC and event.outcome is Outcome.SUCCESS:
            passed.add(command)
        elif _fails(event) and command not in passed:
            return _failure(ordered[: at + 1], command)
    return None


def _failure(history: Sequence[Event], command: str) -> Failure:
    """The failure that ``history`` ends with."""
    last = history[-1]
    belonging: list[Event] = []
    changes: list[Event] = []
    for event in reversed(history):
        if event.session_id != last.session_id:
            continue
        same = _command(event) == command
        if same and event.type == EventType.SHELL_EXEC and event.outcome is Outcome.SUCCESS:
            break
        if event.type in _WRITES:
            changes.append(event)
        elif same and _fails(event) and not (changes and belonging):
            belonging.append(event)
    return Failure(tuple(belonging), tuple(changes))


def _fails(event: Event) -> bool:
    return event.outcome is Outcome.FAILURE and event.type in (EventType.SHELL_EXEC, EventType.ERROR)


def _command(event: Event) -> str:
    return str(event.content.get("command", ""))


def _number(event: Event) -> int:
    return int(event.id.rpartition("-")[2])
