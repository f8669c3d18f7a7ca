"""Events become rows with a number, a session and a time by the log's clock; one that is stored already stays one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from contextls.memory.events.sessions import assign_sessions
from contextls.model import Outcome

if TYPE_CHECKING:
    from contextls.store.transaction import Transaction


class ReadyEvent(Struct, frozen=True):
    """An event that is right and clean and only lacks its number.

    ``json`` is its content as stored, ``key`` the digest of its sender's key.
    """

    type: str
    session_id: str | None
    timestamp: int
    outcome: Outcome | None
    content: dict[str, Any]
    json: str
    task_id: str | None
    new_since: int | None
    key: bytes | None


class StoredEvent(Struct, frozen=True):
    """The number and session of a stored event. ``is_new`` is false where it had been stored before."""

    number: int
    session_id: str
    is_new: bool = True


def store_events(connection: Transaction, events: Sequence[ReadyEvent], now: int) -> Sequence[StoredEvent]:
    """Store those that are not stored yet; what became of each. ``now`` is the time in ms."""
    # Read under the write lock: no other process records before this is done.
    earlier = [_find_stored(connection, event) for event in events]
    fresh: dict[bytes | int, ReadyEvent] = {}
    for place, (event, found) in enumerate(zip(events, earlier, strict=True)):
        if found is None:
            fresh.setdefault(event.key or place, event)
    stored = dict(zip(fresh, _insert(connection, tuple(fresh.values()), now), strict=True))
    return [
        found or stored[event.key or place]
        for place, (event, found) in enumerate(zip(events, earlier, strict=True))
    ]


def _insert(connection: Transaction, events: Sequence[ReadyEvent], now: int) -> Sequence[StoredEvent]:
    if not events:
        return ()
    first, log_now = connection.read(
        lambda rows: (int(rows[0][0] or 0) + 1, max(now, int(rows[0][1] or 0))),
        "SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'events'), (SELECT MAX(log_time) FROM events)",
    )
    times = [log_now - max(0, now - event.timestamp) for event in events]
    sessions = assign_sessions(
        lambda sql, values: connection.read(list, sql, values),
        list(zip((event.session_id for event in events), times, strict=True)),
    )
    connection.executemany(
        "INSERT INTO events (id, type, session_id, timestamp, log_time, outcome, content, task_id, key) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                number,
                event.type,
                session,
                event.timestamp,
                log_time,
                event.outcome,
                event.json,
                event.task_id,
                event.key,
            )
            for number, (event, log_time, session) in enumerate(
                zip(events, times, sessions, strict=True), first
            )
        ],
    )
    return [StoredEvent(number, session) for number, session in enumerate(sessions, first)]


def _find_stored(connection: Transaction, event: ReadyEvent) -> StoredEvent | None:
    """The same event where its sender sent it before, or another process has noticed the same happening."""
    found: list[tuple[int, str]] = []
    if event.key is not None:
        found = connection.read(list, "SELECT id, session_id FROM events WHERE key = ?", (event.key,))
    elif event.new_since is not None:
        found = connection.read(
            list,
            "SELECT id, session_id FROM events "
            "WHERE type = ? AND log_time >= ? AND timestamp >= ? AND content = ? ORDER BY id DESC LIMIT 1",
            (event.type, event.new_since, event.new_since, event.json),
        )
    return StoredEvent(*found[0], is_new=False) if found else None
