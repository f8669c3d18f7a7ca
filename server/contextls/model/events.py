"""Events on their way in and as stored."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct


class EventType(StrEnum):
    """The types of events. Clients may record further ones; these are those the engine itself understands."""

    FILE_READ = "file_read"
    FILE_FOCUS = "file_focus"
    FILE_EDIT = "file_edit"
    FILE_WRITE = "file_write"
    FILE_RENAME = "file_rename"
    FILE_DELETE = "file_delete"
    FILES_CHANGED = "files_changed"
    SHELL_EXEC = "shell_exec"
    ERROR = "error"
    DIAGNOSTIC = "diagnostic"
    GIT_CHECKOUT = "git_checkout"
    GIT_COMMIT = "git_commit"
    GIT_STASH = "git_stash"
    GIT_REBASE = "git_rebase"
    NOTE = "note"
    WORKING_SET = "working_set"


# Groups of types.
WRITES = frozenset({EventType.FILE_EDIT, EventType.FILE_WRITE})
FILE_CHANGES = WRITES | {EventType.FILE_RENAME, EventType.FILE_DELETE}
LOOKS = frozenset({EventType.FILE_READ, EventType.FILE_FOCUS})
TROUBLE = frozenset({EventType.ERROR, EventType.DIAGNOSTIC})
GIT_MOVES = frozenset(
    {EventType.GIT_COMMIT, EventType.GIT_CHECKOUT, EventType.GIT_STASH, EventType.GIT_REBASE}
)


class Outcome(StrEnum):
    """The outcome of an event."""

    SUCCESS = "success"
    FAILURE = "failure"


class NewEvent(Struct, frozen=True):
    """An event on its way in. ``timestamp`` and ``session_id`` default to now and the session that is going on.

    ``new_since`` is for what several processes notice, such as a change on disk: an event of the same type and content
    that was recorded from that time on (ms) is this one, which is not stored again.

    ``key`` is the sender's own name for this event, such as a UUID: one whose key is stored already is not stored again.
    Who did not hear what became of an event may send it again so.
    """

    type: str
    content: Mapping[str, Any]
    outcome: Outcome | None = None
    timestamp: int | None = None
    session_id: str | None = None
    task_id: str | None = None
    new_since: int | None = None
    key: str | None = None


class Event(Struct, frozen=True):
    """An event as stored. ``id`` grows in the order of recording; ``task_id`` is the task that was active."""

    id: str
    type: str
    session_id: str
    timestamp: int
    content: Mapping[str, Any]
    outcome: Outcome | None
    task_id: str | None = None
