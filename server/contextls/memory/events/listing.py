"""The events that people page through: newest first, without what is ignored by now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from contextls.errors import InvalidRequestError
from contextls.memory.events.leaks import shown_events
from contextls.memory.events.log import EventLog
from contextls.memory.events.schema import event_number
from contextls.model import Event, Filters

# Where all that was read is ignored, this many are read next, so that a long run of them ends soon.
MIN_READ = 50


def list_events(
    log: EventLog,
    root: Path,
    accepts: Callable[[str], bool],
    limit: int,
    filters: Filters,
    session_id: str | None = None,
    before: str | None = None,
) -> tuple[Event, ...]:
    """The ``limit`` newest events that ``filters`` let through; after the event with the id ``before`` in this order.

    Raises ``InvalidRequestError`` when ``before`` is no id of an event.
    """
    number = None if before is None else event_number(before)
    if before is not None and number is None:
        raise InvalidRequestError("before", "the id of an event, such as event-12", before)
    found: list[Event] = []
    while len(found) < limit:
        wanted = max(MIN_READ, limit - len(found))
        page = log.newest(wanted, filters, session_id, number)
        found.extend(shown_events(page, root, accepts))
        if len(page) < wanted:
            break
        number = event_number(page[-1].id)
    return tuple(found[:limit])
