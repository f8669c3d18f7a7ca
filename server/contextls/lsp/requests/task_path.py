"""``context/task/path``: the tasks from the root to the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.params import root_params
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with the path; empty when no task is active."""
    workspace = ls.workspaces.choose(root_params(params).root_uri)
    return {"tasks": to_wire(await workspace.look(lambda engine: engine.tasks.path()))}
