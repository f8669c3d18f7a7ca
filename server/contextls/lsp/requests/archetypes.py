"""``context/archetypes``: the named strategies, to offer them to a user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401, ARG001 - JSON; pygls knows it by this name
    """Answer with all of them; takes no parameters."""
    from contextls.assembly.strategies import described

    Fields({} if params is None else params, ())
    return {"archetypes": to_wire(described())}
