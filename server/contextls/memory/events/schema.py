"""The tables of the event log, and how one row becomes an event."""

from __future__ import annotations

import json
import re
from typing import Any

from contextls.model import Event, Outcome

# ``log_time`` is where an event stands in time by the log's own clock, see ``EventLog``.
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
)
COLUMNS = "id, type, session_id, timestamp, content, outcome, task_id"
_ID = re.compile(r"event-(\d{1,18})")


def event_of(row: tuple[Any, ...]) -> Event:
    """The event in a row of ``COLUMNS``."""
    number, kind, session_id, timestamp, content, outcome, task_id = row
    return Event(
        event_id(number),
        kind,
        session_id,
        timestamp,
        json.loads(content),
        Outcome(outcome) if outcome else None,
        task_id,
    )


def event_id(number: int) -> str:
    """The id of the event with this number."""
    return f"event-{number}"


def event_number(identity: str) -> int | None:
    """The number in an event's id; ``None`` when it is the id of something else."""
    found = _ID.fullmatch(identity)
    return int(found[1]) if found else None
