"""Groups repeated events, so that a prompt shows the same thing once, with its count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.memory.activity.edits import sum_up_edits
from contextls.model import LOOKS, WRITES, Event, EventType

# A save that follows an edit of the file within this time adds nothing to it.
SAVED_MS = 10 * 60 * 1000
# The names shown of tests that fail in the same way; the others are counted.
MAX_NAMED_TESTS = 3


class RepeatedEvent(Struct):
    """The events of one thing that was done once or several times, newest first."""

    events: list[Event] = field(default_factory=list)

    @property
    def newest(self) -> Event:
        """The event that stands for all of them."""
        return self.events[0]

    @property
    def tests(self) -> list[str]:
        """The names of the tests that an error failed, in the order in which they were reported."""
        told = (event.content.get("test") for event in reversed(self.events) if event.type == EventType.ERROR)
        return list(dict.fromkeys(str(test) for test in told if test))

    @property
    def times(self) -> int:
        """The number of runs: one run may report an error for several tests, or at several lines."""
        if self.newest.type != EventType.ERROR:
            return len(self.events)
        return 1 if len(self.tests) > 1 else len({event.timestamp for event in self.events})

    @property
    def lines(self) -> list[int]:
        """The lines at which the newest run reported the error."""
        newest = self.newest
        together = (each for each in self.events if each.timestamp == newest.timestamp)
        told = {each.content.get("line") for each in together if newest.type == EventType.ERROR}
        return sorted(line for line in told if isinstance(line, int))

    @property
    def summary(self) -> Event:
        """The newest event with the content of all: the first line, the names of tests, the sum of edits."""
        newest, tests = self.newest, self.tests
        if self.lines:
            newest = replace(newest, content={**newest.content, "line": self.lines[0]})
        if len(tests) > 1:
            more = f" and {len(tests) - MAX_NAMED_TESTS} more" if len(tests) > MAX_NAMED_TESTS else ""
            content = {**newest.content, "test": ", ".join(tests[:MAX_NAMED_TESTS]) + more}
            return replace(newest, content=content)
        if newest.type != EventType.FILE_EDIT or len(self.events) == 1:
            return newest
        return replace(newest, content=sum_up_edits([event.content for event in reversed(self.events)]))


def group_repeats(events: Iterable[Event]) -> list[RepeatedEvent]:
    """Group events about the same thing that ended alike; the group with the newest event comes first."""
    groups: dict[tuple[str, ...], RepeatedEvent] = {}
    for event in sorted(events, key=lambda event: (-event.timestamp, -_number(event))):
        groups.setdefault(_subject(event), RepeatedEvent()).events.append(event)
    for group in groups.values():
        # A runner reports one error in several places, and not all of them give the line.
        placed = [
            event for event in group.events if event.type == EventType.ERROR and event.content.get("line")
        ]
        group.events = placed or group.events
    return list(groups.values())


def without_superseded(groups: Sequence[RepeatedEvent]) -> list[RepeatedEvent]:
    """Leave out what another group tells better: reads of a changed file, saves of an edit, solved problems."""
    edited: dict[object, int] = {}
    changed: dict[object, int] = {}
    for group in groups:
        event = group.newest
        if event.type in WRITES:
            path = event.content.get("path")
            changed[path] = max(event.timestamp, changed.get(path, 0))
            if event.type == EventType.FILE_EDIT:
                edited[path] = event.timestamp
    kept = []
    for group in groups:
        event = group.newest
        path = event.content.get("path")
        looked_at = event.type in LOOKS and path in changed
        saved = (
            event.type == EventType.FILE_WRITE and event.timestamp - edited.get(path, -SAVED_MS) < SAVED_MS
        )
        solved = event.type == EventType.DIAGNOSTIC and event.content.get("state") == "gone"
        if not (looked_at or saved or solved):
            kept.append(group)
    return kept


def _number(event: Event) -> int:
    """The number at the end of an event's id, which grows with every event."""
    tail = event.id.rsplit("-", 1)[-1]
    return int(tail) if tail.isdecimal() else 0


def _subject(event: Event) -> tuple[str, ...]:
    """The key of what an event is about; events that share it repeat each other."""
    content = event.content
    if event.type in (EventType.ERROR, EventType.DIAGNOSTIC):
        return event.type, str(content.get("path")), str(content.get("message"))
    for name in ("path", "command"):
        if name in content:
            return event.type, str(content[name]), str(event.outcome if name == "command" else "")
    return event.type, event.id
