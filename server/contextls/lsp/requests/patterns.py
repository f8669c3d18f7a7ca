"""``context/patterns``: the habits of a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer

_USUAL = 50


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with the surest habits; with ``path``, those that name this file."""
    fields = Fields({} if params is None else params, ("limit", "path", "rootUri"))
    limit, path = fields.whole("limit", least=1), fields.text("path")
    workspace = ls.workspaces.choose(fields.file_uri("rootUri"))
    found = await workspace.ask(lambda engine: engine.patterns(limit or _USUAL, path))
    return {"patterns": to_wire(found)}
