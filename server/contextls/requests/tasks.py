"""``context/task/*``: the stack of goals that says what is being worked on."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from contextls.model import TaskFrame
from contextls.requests.common import FilledText, RootUri
from contextls.schema.rules import Doc


class PushTask(Struct, frozen=True, kw_only=True):
    """Begin a task below the current one."""

    goal: Annotated[FilledText, Doc("what is to be done; 2,000 characters are kept")]
    root_uri: RootUri = None


class PopTask(Struct, frozen=True, kw_only=True):
    """Complete the current task."""

    result: Annotated[str | None, Doc("what later tasks will know of it")] = None
    root_uri: RootUri = None


class BlockTask(Struct, frozen=True, kw_only=True):
    """Set the current task aside because it cannot go on."""

    reason: Annotated[str | None, Doc("why it cannot go on")] = None
    root_uri: RootUri = None


class ResumeTask(Struct, frozen=True, kw_only=True):
    """Make a task current again that was set aside."""

    id: Annotated[FilledText, Doc("the `id` of the task")]
    root_uri: RootUri = None


class TaskChange(Struct, frozen=True):
    """The task that was pushed, popped, blocked or resumed, and the one that is worked on now."""

    task: TaskFrame
    current: TaskFrame | None


class CurrentTask(Struct, frozen=True):
    """The task that is worked on."""

    current: TaskFrame | None


class TaskPath(Struct, frozen=True):
    """The tasks from the root to the current one."""

    tasks: tuple[TaskFrame, ...]


class TaskList(Struct, frozen=True):
    """Every task, each right below its parent, and the id of the one that is worked on."""

    tasks: tuple[TaskFrame, ...]
    current: str | None
