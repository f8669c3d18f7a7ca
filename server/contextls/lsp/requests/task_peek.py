"""``context/task/peek``: what is being worked on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.params import root_params
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with the current task; null when none is active."""
    workspace = ls.workspaces.choose(root_params(params).root_uri)
    return {"current": to_wire(await workspace.look(lambda engine: engine.tasks.peek()))}
