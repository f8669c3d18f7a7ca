"""``context/entities``: what a query mentions, or what matters most in a workspace right now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer

_USUAL = 50


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with the entities that are asked for."""
    fields = Fields({} if params is None else params, ("query", "types", "limit", "rootUri"))
    query = fields.needed_text("query") if fields.has("query") else None
    types, limit = fields.texts("types"), fields.whole("limit", least=1)
    workspace = ls.workspaces.choose(fields.file_uri("rootUri"))
    found = await workspace.ask(lambda engine: engine.entities(query, types, limit or _USUAL))
    return {"entities": to_wire(found)}
