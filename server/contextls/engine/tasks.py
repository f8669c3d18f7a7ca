"""The tasks of a workspace, as callers of an engine see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.model import TaskFrame

if TYPE_CHECKING:
    from contextls.memory.tasks.stack import TaskStack


class Tasks:
    """The stack of tasks, shared by every process of the workspace. Methods raise ``StoreError``."""

    def __init__(self, stack: TaskStack) -> None:
        """Use ``Engine.tasks``."""
        self._stack = stack

    def push(self, goal: str) -> TaskFrame:
        """Begin a task below the current one; it becomes the current one. Raises ``InvalidRequestError``."""
        return self._stack.push(goal)

    def pop(self, result: str | None = None) -> TaskFrame:
        """Complete the current task and return it. Raises ``InvalidRequestError`` when no task is active."""
        return self._stack.pop(result)

    def block(self, reason: str | None = None) -> TaskFrame:
        """Set the current task aside and return it. Raises ``InvalidRequestError`` when no task is active."""
        return self._stack.block(reason)

    def resume(self, task_id: str) -> TaskFrame:
        """Make a task current again that is not complete. Raises ``InvalidRequestError``."""
        return self._stack.resume(task_id)

    def peek(self) -> TaskFrame | None:
        """The current task; ``None`` when none is active."""
        return self._stack.peek()

    def path(self) -> tuple[TaskFrame, ...]:
        """The tasks from the root to the current one; empty when none is active."""
        return self._stack.path()

    def list(self) -> tuple[TaskFrame, ...]:
        """Every task, each right below its parent and the tasks below its elder siblings."""
        return self._stack.list()

    def current_id(self) -> str | None:
        """The id of the current task."""
        return self._stack.current_id()

    def wipe(self) -> None:
        """Delete every task, also from the disk's free space in the file."""
        self._stack.wipe()
