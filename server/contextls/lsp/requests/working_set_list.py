"""``context/workingSet/list``: what is pinned and excluded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.params import root_params
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with the working set, also where its file has something wrong: that is among the warnings."""
    workspace = ls.workspaces.choose(root_params(params).root_uri)
    answer: dict[str, Any] = to_wire(await workspace.ask(lambda engine: engine.working_set.view()))
    return answer
