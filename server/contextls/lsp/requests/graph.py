"""``context/graph``: what hangs together with an entity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any] | None:  # noqa: ANN401 - JSON
    """Answer with the graph around ``name``; null when nothing is called so."""
    fields = Fields(params, ("name", "depth", "rootUri"))
    name, depth = fields.needed_text("name"), fields.whole("depth", least=1)
    workspace = ls.workspaces.choose(fields.file_uri("rootUri"))
    found = await workspace.ask(lambda engine: engine.graph(name, depth or 1))
    answer: dict[str, Any] | None = None if found is None else to_wire(found)
    return answer
