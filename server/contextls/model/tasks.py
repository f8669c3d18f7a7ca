"""Tasks and how they stand."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from contextls.schema.rules import Doc


class TaskStatus(StrEnum):
    """The status of a task."""

    ACTIVE = "active"
    COMPLETE = "complete"
    BLOCKED = "blocked"


class TaskFrame(Struct, frozen=True):
    """One task. ``result`` is what completing it left, ``reason`` why it is blocked; a root has ``depth`` 0."""

    id: str
    goal: str
    parent: str | None
    children: tuple[str, ...]
    status: TaskStatus
    result: str | None
    reason: str | None
    depth: int
    created_at: Annotated[int, Doc("milliseconds since the epoch")]
    completed_at: int | None
