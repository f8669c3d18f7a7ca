"""``context/task/*``: a change waits its turn behind the events before it, and is answered once it is durable."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.model import TaskFrame
    from contextls.requests.common import RootParams
    from contextls.requests.tasks import (
        BlockTask,
        CurrentTask,
        PopTask,
        PushTask,
        ResumeTask,
        TaskChange,
        TaskList,
        TaskPath,
    )


async def push(ls: ContextServer, asked: PushTask) -> TaskChange:
    """Begin a task below the current one."""
    return await _change(ls, asked.root_uri, lambda engine: engine.tasks.push(asked.goal))


async def pop(ls: ContextServer, asked: PopTask) -> TaskChange:
    """Complete the current task and leave its result."""
    return await _change(ls, asked.root_uri, lambda engine: engine.tasks.pop(asked.result))


async def block(ls: ContextServer, asked: BlockTask) -> TaskChange:
    """Set the current task aside because it cannot go on."""
    return await _change(ls, asked.root_uri, lambda engine: engine.tasks.block(asked.reason))


async def resume(ls: ContextServer, asked: ResumeTask) -> TaskChange:
    """Make a blocked task current again."""
    return await _change(ls, asked.root_uri, lambda engine: engine.tasks.resume(asked.id))


async def peek(ls: ContextServer, asked: RootParams) -> CurrentTask:
    """Answer with what is being worked on."""
    from contextls.requests.tasks import CurrentTask

    workspace = ls.workspaces.choose(asked.root_uri)
    return await workspace.look(lambda engine: CurrentTask(engine.tasks.peek()))


async def path(ls: ContextServer, asked: RootParams) -> TaskPath:
    """Answer with the tasks from the root to the current one; none when no task is active."""
    from contextls.requests.tasks import TaskPath

    workspace = ls.workspaces.choose(asked.root_uri)
    return await workspace.look(lambda engine: TaskPath(tuple(engine.tasks.path())))


async def list_all(ls: ContextServer, asked: RootParams) -> TaskList:
    """Answer with every task, as a tree."""
    from contextls.requests.tasks import TaskList

    workspace = ls.workspaces.choose(asked.root_uri)
    return await workspace.look(
        lambda engine: TaskList(tuple(engine.tasks.list()), engine.tasks.current_id())
    )


async def _change(
    ls: ContextServer, root_uri: str | None, change: Callable[[Engine], TaskFrame]
) -> TaskChange:
    from contextls.requests.tasks import TaskChange

    workspace = ls.workspaces.choose(root_uri)
    return await workspace.change(lambda engine: TaskChange(change(engine), engine.tasks.peek()))
