"""SQL for the newest events, written so that an index answers whatever the filters are."""

from __future__ import annotations

import json
from collections.abc import Sequence

from contextls.memory.events.schema import COLUMNS, event_number
from contextls.memory.events.validation import LATEST_MS
from contextls.model import Filters

# SQLite joins 500 statements at most; long before that, sorting is no slower.
_MAX_PARTS = 50
_ORDER = "ORDER BY log_time DESC, id DESC LIMIT ?"
Parameters = tuple[str | int, ...]


def newest_query(
    limit: int, filters: Filters, session_id: str | None, before: tuple[int, int] | None
) -> tuple[str, Parameters]:
    """The statement for the newest ``limit`` events and its parameters; ``before`` is a log time and a number.

    One part for each type, where they are few: SQLite reads each from its index in order, and with ``type IN (…)`` would
    sort them all.
    """
    kinds = tuple(dict.fromkeys(filters.event_types or ()))
    parts: list[str] = []
    parameters: list[str | int] = []
    for some in [(kind,) for kind in kinds] if 0 < len(kinds) <= _MAX_PARTS else [kinds]:
        part, values = _part(limit, filters, session_id, some, before)
        parts.append(part)
        parameters.extend(values)
    if len(parts) == 1:
        return parts[0], tuple(parameters)
    together = " UNION ALL ".join(f"SELECT * FROM ({part})" for part in parts)  # noqa: S608 - see below
    return f"SELECT {COLUMNS} FROM ({together}) {_ORDER}", (*parameters, limit)  # noqa: S608 - constants


def _part(
    limit: int,
    filters: Filters,
    session_id: str | None,
    kinds: Sequence[str],
    before: tuple[int, int] | None,
) -> tuple[str, Parameters]:
    where = ["1"]
    parameters: list[str | int] = []
    if filters.since is not None:
        where.append("log_time >= ?")
        parameters.append(max(0, min(filters.since, LATEST_MS)))
    if filters.until is not None:
        where.append("log_time <= ?")
        parameters.append(max(0, min(filters.until, LATEST_MS)))
    if before is not None:
        where.append("(log_time, id) < (?, ?)")
        parameters.extend(before)
    if len(kinds) == 1:
        where.append("type = ?")
        parameters.append(kinds[0])
    elif kinds:
        where.append("type IN (SELECT value FROM json_each(?))")
        parameters.append(json.dumps(kinds))
    if session_id is not None:
        where.append("session_id = ?")
        parameters.append(session_id)
    if filters.task_id is not None:
        where.append("task_id = ?")
        parameters.append(filters.task_id)
    excluded = [number for each in filters.exclude if (number := event_number(each)) is not None]
    if excluded:
        where.append(f"id NOT IN ({', '.join(map(str, excluded))})")
    statement = f"SELECT {COLUMNS}, log_time FROM events WHERE {' AND '.join(where)} {_ORDER}"  # noqa: S608 - values are bound, numbers are numbers
    return statement, (*parameters, limit)
