"""The tables of the event log, and how one row becomes an event."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from contextls.model import Event, Outcome
from contextls.regex import compile_late
from contextls.store.salvage import SavedTable, Truth, optional_text, text_of, whole
from contextls.store.sqlite_pages import Value

# ``log_time`` is where an event stands in time by the log's own clock, see ``EventLog``; ``key`` see ``key_digest``.
MIGRATIONS = (
    """
    CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        type TEXT NOT NULL,
        session_id TEXT NOT NULL,
        timestamp INTEGER NOT NULL,
        outcome TEXT,
        content TEXT NOT NULL
    );
    CREATE INDEX events_session ON events (session_id, id);
    CREATE INDEX events_timestamp ON events (timestamp);
    """,
    """
    ALTER TABLE events ADD COLUMN task_id TEXT;
    ALTER TABLE events ADD COLUMN log_time INTEGER NOT NULL DEFAULT 0;
    UPDATE events SET log_time = MIN(timestamp, CAST(strftime('%s', 'now') AS INTEGER) * 1000);
    DROP INDEX events_session;
    DROP INDEX events_timestamp;
    CREATE INDEX events_time ON events (log_time);
    CREATE INDEX events_type ON events (type, log_time);
    CREATE INDEX events_session ON events (session_id, log_time, type);
    CREATE TABLE log_state (wipes INTEGER NOT NULL);
    INSERT INTO log_state VALUES (0)
    """,
    """
    ALTER TABLE events ADD COLUMN key BLOB;
    CREATE UNIQUE INDEX events_key ON events (key) WHERE key IS NOT NULL
    """,
)
COLUMNS = "id, type, session_id, timestamp, content, outcome, task_id"
_ID = compile_late(r"event-(\d{1,18})")
_DIGEST_BYTES = 16


def key_digest(key: str | None) -> bytes | None:
    """The digest under which a sender's key is stored: the key itself may be long or hold a secret."""
    return (
        hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).digest() if key else None
    )


def event_of(row: tuple[Any, ...]) -> Event:
    """The event in a row of ``COLUMNS``. Raises ``ValueError`` where it makes no sense: such a row is damaged."""
    number, kind, session_id, timestamp, content, outcome, task_id = row
    if not (isinstance(kind, str) and isinstance(session_id, str) and isinstance(timestamp, int)):
        raise ValueError("values that no event has")
    # Only texts can be parsed, and only objects are contents.
    found = json.loads(content) if isinstance(content, str) else None
    if not isinstance(found, dict):
        raise ValueError("a content that is no object")
    return Event(
        event_id(number),
        kind,
        session_id,
        timestamp,
        found,
        Outcome(outcome) if outcome else None,
        task_id,
    )


def _saved_event(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    # The first version had no task and no time of the log, the second no key; a row is as wide as its table was then.
    if len(values) not in (6, 8, 9) or values[0] is not None:
        return None
    kind, session, content = (text_of(values[at]) for at in (1, 2, 5))
    timestamp, outcome = whole(values[3]), optional_text(values[4])
    task, log_time = (optional_text(values[6]), whole(values[7])) if len(values) > 6 else (None, timestamp)
    key = values[8] if len(values) > 8 else None
    if key is not None and not (isinstance(key, bytes) and len(key) == _DIGEST_BYTES):
        raise ValueError("no key")
    event_of((whole(number, 1), kind, session, timestamp, content, outcome, task))
    return number, kind, session, timestamp, content, outcome, task, log_time, key


def _saved_state(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    return (whole(values[0]),) if len(values) == 1 and number == 1 else None


TRUTH = Truth(
    "events",
    (
        SavedTable("events", (*COLUMNS.split(", "), "log_time", "key"), _saved_event),
        SavedTable("log_state", ("wipes",), _saved_state, single=True),
    ),
)


def event_id(number: int) -> str:
    """The id of the event with this number."""
    return f"event-{number}"


def event_number(identity: str) -> int | None:
    """The number in an event's id; ``None`` when it is the id of something else."""
    found = _ID.fullmatch(identity)
    return int(found[1]) if found else None


def in_order(events: Iterable[Event]) -> list[Event]:
    """``events`` as they happened, the oldest first; of those of one millisecond, as they were recorded."""
    return sorted(events, key=lambda event: (event.timestamp, event_number(event.id) or 0))
