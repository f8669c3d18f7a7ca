"""``context/task/list``: every task of a workspace, as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.params import root_params
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with all tasks, each right below its parent, and the id of the current one."""
    return await ls.workspaces.choose(root_params(params).root_uri).look(_all)


def _all(engine: Engine) -> dict[str, Any]:
    return {"tasks": to_wire(engine.tasks.list()), "current": engine.tasks.current_id()}
