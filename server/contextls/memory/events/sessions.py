"""Finds the session of an event that names none.

A session is a workspace and a time: what an editor, a terminal and a script do there is one session until a long pause.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

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
