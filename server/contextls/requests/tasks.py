"""``context/task/*``: the stack of goals that says what is being worked on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from contextls.model import TaskFrame
from contextls.requests.common import FilledText, RootUri
from contextls.schema.rules import Doc


@dataclass(frozen=True, slots=True, kw_only=True)
class PushTask:
    """Begin a task below the current one."""

    goal: Annotated[FilledText, Doc("what is to be done; 2,000 characters are kept")]
    root_uri: RootUri = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PopTask:
    """Complete the current task."""

    result: Annotated[str | None, Doc("what later tasks will know of it")] = None
    root_uri: RootUri = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockTask:
    """Set the current task aside because it cannot go on."""

    reason: Annotated[str | None, Doc("why it cannot go on")] = None
    root_uri: RootUri = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeTask:
    """Make a task current again that was set aside."""

    id: Annotated[FilledText, Doc("the `id` of the task")]
    root_uri: RootUri = None


@dataclass(frozen=True, slots=True)
class TaskChange:
    """The task that was pushed, popped, blocked or resumed, and the one that is worked on now."""

    task: TaskFrame
    current: TaskFrame | None


@dataclass(frozen=True, slots=True)
class CurrentTask:
    """The task that is worked on."""

    current: TaskFrame | None


@dataclass(frozen=True, slots=True)
class TaskPath:
    """The tasks from the root to the current one."""

    tasks: tuple[TaskFrame, ...]


@dataclass(frozen=True, slots=True)
class TaskList:
    """Every task, each right below its parent, and the id of the one that is worked on."""

    tasks: tuple[TaskFrame, ...]
    current: str | None
