"""Events: what happened in the workspace, appended by any process and never lost once acknowledged."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from contextls.errors import InvalidRequestError
from contextls.model import Event, EventType, Filters, NewEvent, Outcome
from contextls.store.database import Database
from contextls.store.quarantine import opened_or_new, quarantined
from contextls.text.redact import redact

_MIGRATIONS = (
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
)
# Longer texts in an event are cut in the middle: the head says what ran, the tail says how it ended.
MAX_TEXT_CHARS = 8_000

MAX_CONTENT_CHARS = 64_000
MAX_DEPTH = 20
LONGEST_SECRET = 1_000
LATEST_MS = 253_402_300_799_999  # the last millisecond of the year 9999, where calendars in Python end
_SURROGATE = re.compile("[\ud800-\udfff]")

_FIELDS: Mapping[str, Mapping[str, tuple[type | tuple[type, ...], bool, str]]] = {
    EventType.FILE_READ: {"path": (str, True, "a path relative to the workspace")},
    EventType.FILE_WRITE: {"path": (str, True, "a path relative to the workspace")},
    EventType.SHELL_EXEC: {
        "command": (str, True, "the command line as a string"),
        "exitCode": (int, True, "a whole number"),
        "stdout": (str, False, "a string"),
        "stderr": (str, False, "a string"),
        "cwd": (str, False, "a folder as a string"),
        "durationMs": ((int, float), False, "milliseconds as a number"),
    },
    EventType.ERROR: {
        "message": (str, True, "the error message as a string"),
        "stack": (str, False, "a string"),
        "path": (str, False, "a path relative to the workspace"),
        "line": (int, False, "a line number, counted from 1"),
        "source": (str, False, "the tool that reported it"),
        "code": ((str, int), False, "the tool's code for it"),
        "command": (str, False, "the command that printed it"),
        "test": (str, False, "the name of the test that failed"),
    },
}


def validated(event: NewEvent) -> NewEvent:
    """The event itself when its fields are right, else ``InvalidRequestError`` naming the field."""
    if not event.type or not event.type.replace("_", "").isalnum():
        raise InvalidRequestError(
            "type", "a name such as file_read, file_write, shell_exec or error", event.type
        )
    if not isinstance(event.content, Mapping):
        raise InvalidRequestError("content", "an object", event.content)
    known = _FIELDS.get(event.type)
    if known is not None:
        _check_fields(event.content, known)
    if event.timestamp is not None and not 0 <= event.timestamp <= LATEST_MS:
        raise InvalidRequestError(
            "timestamp", "milliseconds since 1970-01-01, 0 or more, before the year 10000", event.timestamp
        )
    return event


class EventLog:
    """The events of one workspace in SQLite (WAL, synced on commit)."""

    def __init__(self, path: Path, session_id: str) -> None:
        """``session_id`` is the session of events that name none.

        A damaged file is moved aside and kept, and a new one begun. Raises ``StoreError``.
        """
        self._path = path
        self._database = opened_or_new(path, lambda: Database(path, _MIGRATIONS, durable=True), keep_all=True)
        self.session_id = session_id

    def append(self, event: NewEvent) -> Event:
        """Store an event, secrets redacted; it is on disk when this returns. Raises ``InvalidRequestError``."""
        validated(event)
        content = _cleaned(event.content)
        text = _as_json(content)
        timestamp = int(time.time() * 1000) if event.timestamp is None else event.timestamp
        session_id = _SURROGATE.sub("\ufffd", event.session_id or self.session_id)
        outcome = event.outcome or _implied_outcome(event.type, content)
        with self._database.write() as connection:
            cursor = connection.execute(
                "INSERT INTO events (type, session_id, timestamp, outcome, content) VALUES (?, ?, ?, ?, ?)",
                (
                    event.type,
                    session_id,
                    timestamp,
                    outcome,
                    text,
                ),
            )
            number = cursor.lastrowid
        return Event(f"event-{number}", event.type, session_id, timestamp, content, outcome)

    def newest(
        self, limit: int, filters: Filters = Filters(), session_id: str | None = None
    ) -> tuple[Event, ...]:
        """The newest events that pass ``filters``, newest first (by time, then by order of recording)."""
        where: list[str] = ["1"]
        parameters: list[str | int] = []
        if filters.since is not None:
            where.append("timestamp >= ?")
            parameters.append(min(filters.since, LATEST_MS))
        if filters.event_types:
            where.append(f"type IN ({', '.join('?' * len(filters.event_types))})")
            parameters.extend(filters.event_types)
        if session_id is not None:
            where.append("session_id = ?")
            parameters.append(session_id)
        rows = self._database.read(
            f"SELECT id, type, session_id, timestamp, content, outcome FROM events WHERE {' AND '.join(where)} "  # noqa: S608
            "ORDER BY timestamp DESC, id DESC LIMIT ?",
            (*parameters, limit),
        )
        events = (_event(row) for row in rows)
        return tuple(event for event in events if event.id not in filters.exclude)

    def count(self) -> int:
        """The number of stored events."""
        return int(self._database.read("SELECT COUNT(*) FROM events")[0][0])

    def wipe(self) -> None:
        """Delete every event, also from the disk's free space in the file."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM events")
        self._database.shrink()

    def warnings(self) -> tuple[str, ...]:
        """Names the files of events that were damaged and moved aside."""
        return tuple(
            f"the events at {self._path} were damaged and begun anew; the damaged file is kept at {place}"
            for place in quarantined(self._path)
        )

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def _event(row: tuple[Any, ...]) -> Event:
    number, kind, session_id, timestamp, content, outcome = row
    return Event(
        f"event-{number}",
        kind,
        session_id,
        timestamp,
        json.loads(content),
        Outcome(outcome) if outcome else None,
    )


def _check_fields(
    content: Mapping[str, Any], known: Mapping[str, tuple[type | tuple[type, ...], bool, str]]
) -> None:
    for name, (kinds, required, expected) in known.items():
        if name not in content:
            if required:
                raise InvalidRequestError(f"content.{name}", expected + "; it is missing")
            continue
        value = content[name]
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise InvalidRequestError(f"content.{name}", expected, value)
    for name in content:
        if name not in known:
            raise InvalidRequestError(f"content.{name}", "one of " + ", ".join(known))


def _implied_outcome(kind: str, content: Mapping[str, Any]) -> Outcome | None:
    if kind == EventType.SHELL_EXEC:
        return Outcome.SUCCESS if content["exitCode"] == 0 else Outcome.FAILURE
    return Outcome.FAILURE if kind == EventType.ERROR else None


def _cleaned(value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - any JSON value
    """The value with secrets redacted and long texts cut, at any depth."""
    if depth > MAX_DEPTH:
        raise InvalidRequestError("content", f"at most {MAX_DEPTH} levels of objects and lists")
    if isinstance(value, str):
        return _cut(redact(_SURROGATE.sub("\ufffd", value)).text)
    if isinstance(value, Mapping):
        return {_cleaned(str(key)): _cleaned_field(str(key), item, depth) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cleaned(item, depth + 1) for item in value]
    return value


def _cleaned_field(name: str, value: Any, depth: int) -> Any:  # noqa: ANN401 - any JSON value
    """A field is a secret as well when only its name says so: ``{"password": "…"}``."""
    if isinstance(value, str) and len(value) <= LONGEST_SECRET and redact(f'{name}="{value}"').found:
        value = redact(value).text if redact(value).found else "[redacted:secret]"
    return _cleaned(value, depth + 1)


def _as_json(content: Any) -> str:  # noqa: ANN401 - any JSON value
    try:
        text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise InvalidRequestError("content", f"JSON values only ({error})") from None
    if len(text) > MAX_CONTENT_CHARS:
        raise InvalidRequestError("content", f"at most {MAX_CONTENT_CHARS} characters of JSON")
    return text


def _cut(text: str) -> str:
    if len(text) <= MAX_TEXT_CHARS:
        return text
    half = MAX_TEXT_CHARS // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"
