"""Recent activity: this session's events and the highlights of earlier sessions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from contextls.assembly.items import Item, recency
from contextls.assembly.shapes.markdown import event_entry
from contextls.assembly.signals import Signals
from contextls.memory.events import EventLog
from contextls.memory.leaks import shows_ignored, without_output
from contextls.model import Event, EventType, Filters, Outcome, Section

SESSION_EVENTS = 50
OTHER_EVENTS = 100


def recent_events(
    log: EventLog, filters: Filters, session_id: str | None, root: Path, accepts: Callable[[str], bool]
) -> list[Event]:
    """The newest events of this session, then other sessions' failures and writes.

    What files hold that are ignored by now is left out.
    """
    # What is excluded by its id is left out later, where it is reported.
    filters = replace(filters, exclude=())
    own = log.newest(SESSION_EVENTS, filters, session_id or log.session_id)
    others = [
        event
        for event in log.newest(OTHER_EVENTS, filters)
        if event.outcome is Outcome.FAILURE or event.type in {EventType.FILE_WRITE, EventType.SHELL_EXEC}
    ]
    together = {event.id: event for event in [*own, *others]}
    return [
        replace(event, content=without_output(event.content))
        if event.type == EventType.SHELL_EXEC and shows_ignored(event.content, root, accepts)
        else event
        for event in together.values()
        if _allowed(event, accepts)
    ]


def event_items(events: Sequence[Event], signals: Signals, now: int) -> list[Item]:
    """Items for ``events``; the same thing done again and again counts once, at its newest."""
    newest: dict[tuple[str, str], Event] = {}
    times: dict[tuple[str, str], int] = {}
    for event in sorted(events, key=lambda event: (-event.timestamp, event.id)):
        key = (event.type, _subject(event))
        newest.setdefault(key, event)
        times[key] = times.get(key, 0) + 1
    return [
        Item(
            section=Section.RECENT,
            source=event.id,
            text=event_entry(event, times[key]),
            relevance=_relevance(event, signals),
            recency=recency(event.timestamp, now),
            salience=0.8 if event.outcome is Outcome.FAILURE else 0.5,
            paths=(event.content["path"],) if isinstance(event.content.get("path"), str) else (),
        )
        for key, event in newest.items()
    ]


def _allowed(event: Event, accepts: Callable[[str], bool]) -> bool:
    named = [event.content.get("path"), *_strings(event.content.get("paths"))]
    return all(accepts(path) for path in named if isinstance(path, str))


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _subject(event: Event) -> str:
    for name in ("path", "command", "message"):
        if name in event.content:
            return str(event.content[name])
    return event.id


def _relevance(event: Event, signals: Signals) -> float:
    """Half for the right kind of event, half for the share of the question's words that it contains."""
    text = " ".join(str(value) for value in event.content.values()).lower()
    words = [word for word in signals.keywords if len(word) > 2]
    matched = sum(word in text for word in words) / len(words) if words else 0.0
    return 0.5 * (event.type in signals.event_types) + 0.5 * matched
