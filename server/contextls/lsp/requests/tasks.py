"""``context/task/*``: a change waits its turn after earlier events, and is answered once it is durable."""

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


async def push(ls: ContextServer, params: PushTask) -> TaskChange:
    """Begin a task below the current one."""
    return await _change(ls, params.root_uri, lambda engine: engine.tasks.push(params.goal))


async def pop(ls: ContextServer, params: PopTask) -> TaskChange:
    """Complete the current task and leave its result."""
    return await _change(ls, params.root_uri, lambda engine: engine.tasks.pop(params.result))


async def block(ls: ContextServer, params: BlockTask) -> TaskChange:
    """Set the current task aside because it cannot go on."""
    return await _change(ls, params.root_uri, lambda engine: engine.tasks.block(params.reason))


async def resume(ls: ContextServer, params: ResumeTask) -> TaskChange:
    """Make a blocked task current again."""
    return await _change(ls, params.root_uri, lambda engine: engine.tasks.resume(params.id))


async def peek(ls: ContextServer, params: RootParams) -> CurrentTask:
    """Answer with what is being worked on."""
    from contextls.requests.tasks import CurrentTask

    workspace = ls.workspaces.choose(params.root_uri)
    return await workspace.look(lambda engine: CurrentTask(engine.tasks.peek()))


async def path(ls: ContextServer, params: RootParams) -> TaskPath:
    """Answer with the tasks from the root to the current one; none when no task is active."""
    from contextls.requests.tasks import TaskPath

    workspace = ls.workspaces.choose(params.root_uri)
    return await workspace.look(lambda engine: TaskPath(tuple(engine.tasks.path())))


async def list_all(ls: ContextServer, params: RootParams) -> TaskList:
    """Answer with every task, as a tree."""
    from contextls.requests.tasks import TaskList

    workspace = ls.workspaces.choose(params.root_uri)
    return await workspace.look(
        lambda engine: TaskList(tuple(engine.tasks.list()), engine.tasks.current_id())
    )


async def _change(
    ls: ContextServer, root_uri: str | None, change: Callable[[Engine], TaskFrame]
) -> TaskChange:
    from contextls.requests.tasks import TaskChange

    workspace = ls.workspaces.choose(root_uri)
    return await workspace.change(lambda engine: TaskChange(change(engine), engine.tasks.peek()))
