"""``context/search``: the chunks that answer a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.first_index import wait_for_first_index
from contextls.lsp.params import search_params
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer one search."""
    asked = search_params(params)
    workspace = ls.workspaces.choose(asked.root_uri)
    await wait_for_first_index(workspace)
    result = await workspace.ask(lambda engine: engine.search(asked.query, asked.limit))
    answer: dict[str, Any] = to_wire(result)
    return answer
