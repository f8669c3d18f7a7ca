"""What the ``context/task/*`` methods share: a change waits its turn behind the events before it, and says where it led."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from contextls.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.model import TaskFrame


async def changed(
    ls: ContextServer, root_uri: str | None, change: Callable[[Engine], TaskFrame]
) -> dict[str, Any]:
    """Make a change to the stack of a workspace; its task, and the one that is current then."""
    opened = ls.workspaces.choose(root_uri).start()

    def run() -> dict[str, Any]:
        engine = opened.result()
        task = change(engine)
        return {"task": to_wire(task), "current": to_wire(engine.tasks.peek())}

    return await asyncio.wrap_future(ls.work.write(run))
