"""Validation of events, and their outcome where they do not say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contextls.errors import InvalidRequestError
from contextls.event_content import check_content
from contextls.model import EventType, NewEvent, Outcome

LATEST_MS = 253_402_300_799_999  # the last millisecond of the year 9999, where calendars in Python end
MAX_NAME_CHARS = 200


def validate_event(event: NewEvent) -> NewEvent:
    """The event itself when its fields are right, else ``InvalidRequestError`` naming the field."""
    if not event.type or not event.type.replace("_", "").isalnum() or len(event.type) > MAX_NAME_CHARS:
        raise InvalidRequestError(
            "type", "a name such as file_read, file_write, shell_exec or error", event.type
        )
    if not isinstance(event.content, Mapping):
        raise InvalidRequestError("content", "an object", event.content)
    check_content(event.type, event.content)
    if event.timestamp is not None and not 0 <= event.timestamp <= LATEST_MS:
        raise InvalidRequestError(
            "timestamp", "milliseconds since 1970-01-01, 0 or more, before the year 10000", event.timestamp
        )
    for name, value in (("sessionId", event.session_id), ("taskId", event.task_id)):
        if value is not None and len(value) > MAX_NAME_CHARS:
            raise InvalidRequestError(name, f"at most {MAX_NAME_CHARS} characters", value)
    return event


def implied_outcome(kind: str, content: Mapping[str, Any]) -> Outcome | None:
    """The outcome of an event that does not say it: of a command by its exit code, where known; of an error, failure."""
    if kind == EventType.SHELL_EXEC:
        code = content.get("exitCode")
        return None if code is None else Outcome.SUCCESS if code == 0 else Outcome.FAILURE
    return Outcome.FAILURE if kind == EventType.ERROR else None
