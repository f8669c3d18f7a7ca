"""What the ``context/workingSet/*`` methods share: a change waits its turn, and is answered with what is so then."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from contextls.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.lsp.working_set_params import TargetParams
    from contextls.memory.working_set.target import Target
    from contextls.model import WorkingSetView


async def changed(
    ls: ContextServer, asked: TargetParams, change: Callable[[Engine, Target], WorkingSetView]
) -> dict[str, Any]:
    """Make a change to the working set of the workspace that ``asked`` means."""
    workspace = ls.workspaces.choose(asked.root_uri, asked.uri, "uri")
    # What an editor shows is what a symbol or a position in it means.
    target = await workspace.ask(asked.target)
    opened = workspace.start()
    view = ls.work.write(lambda: change(opened.result(), target))
    answer: dict[str, Any] = to_wire(await asyncio.wrap_future(view))
    return answer
