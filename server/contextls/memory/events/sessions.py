"""Which sessions the log holds, and which of them an event belongs to that names none.

A session is a workspace and a time: what an editor, a terminal and a script do there is one session until a long pause.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextls.store.database import Database

# A meal or a meeting does not end a session, a night does.
PAUSE_MS = 2 * 60 * 60 * 1000
# The ids that ``new_session`` makes: sessions that a client named are its own, and nobody else joins them.
_OURS = "session_id GLOB '" + "[0-9a-f]" * 12 + "'"
Query = Callable[[str, Sequence[Any]], Sequence[tuple[Any, ...]]]


def new_session() -> str:
    """An id that no session has."""
    return uuid.uuid4().hex[:12]


def session_around(query: Query, at: int) -> str | None:
    """The session that was going on at the moment ``at`` of the log's clock (ms); ``None`` where none was.

    What is recorded afterwards, such as a commit made while nothing was open, may also belong to one that began later.
    """
    # Bounded on both sides, so that the index on time answers.
    before = query(
        f"SELECT session_id FROM events WHERE log_time BETWEEN ? AND ? AND {_OURS} "  # noqa: S608 - constants
        "ORDER BY log_time DESC, id DESC LIMIT 1",
        (at - PAUSE_MS, at),
    )
    found = before or query(
        f"SELECT session_id FROM events WHERE log_time > ? AND log_time <= ? AND {_OURS} "  # noqa: S608 - constants
        "ORDER BY log_time, id LIMIT 1",
        (at, at + PAUSE_MS),
    )
    return str(found[0][0]) if found else None


def assign_sessions(query: Query, events: Sequence[tuple[str | None, int]]) -> list[str]:
    """The session of each of ``events``, which are told by the session that they name, if any, and their time (ms).

    Those that name none join the one of their time, which the first of them may begin.
    """
    found: list[str] = []
    last: tuple[str, int] | None = None  # the session of the last event that named none, and its time
    for named, at in events:
        if named is not None:
            found.append(named)
            continue
        if last is None or abs(at - last[1]) > PAUSE_MS:
            last = (session_around(query, at) or new_session(), at)
        last = (last[0], at)
        found.append(last[0])
    return found


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One session: its first and last moment on the log's clock (ms) and the number of its events."""

    id: str
    first: int
    last: int
    events: int


class SessionIndex:
    """The sessions of one log. Reading 100,000 events takes tens of milliseconds, what was added since next to none."""

    def __init__(self, database: Database) -> None:
        """Read nothing yet."""
        self._database = database
        self._guard = threading.Lock()
        self._oldest = self._newest = 0
        self._known: dict[str, SessionSummary] = {}

    def newest(self, limit: int) -> tuple[SessionSummary, ...]:
        """The sessions whose last events are the newest, newest first."""
        with self._guard:
            self._catch_up()
            known = list(self._known.values())
        known.sort(key=lambda session: (-session.last, session.id))
        return tuple(known[:limit])

    def _catch_up(self) -> None:
        ((oldest, newest),) = self._database.read(
            "SELECT (SELECT MIN(id) FROM events), (SELECT MAX(id) FROM events)"
        )
        if oldest != self._oldest:
            # The oldest events were deleted; whose they were is not kept anywhere.
            self._known, self._newest = {}, 0
        self._oldest = oldest or 0
        if newest is None or newest == self._newest:
            return
        # Without a lower bound the query is answered from the index on sessions alone.
        added = "id <= ?" if self._newest == 0 else f"id > {self._newest} AND id <= ?"
        rows = self._database.read(
            "SELECT session_id, MIN(log_time), MAX(log_time), COUNT(*) FROM events "  # noqa: S608 - a number
            f"WHERE {added} GROUP BY session_id",
            (newest,),
        )
        for identity, first, last, events in rows:
            known = self._known.get(identity, SessionSummary(identity, first, last, 0))
            self._known[identity] = SessionSummary(
                identity, min(known.first, first), max(known.last, last), known.events + events
            )
        self._newest = newest
