"""``context/feedback``: somebody found a piece of a prompt helpful, or not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from contextls.errors import InvalidRequestError
from contextls.lsp.fields import Fields

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Keep it; answered once it is durable."""
    fields = Fields(params, ("source", "id", "helpful", "contextId", "rootUri"))
    if fields.has("source") and fields.has("id"):
        raise InvalidRequestError("id", "either source or id, not both")
    source = fields.needed_text("id" if fields.has("id") else "source")
    if not fields.has("helpful"):
        raise InvalidRequestError("helpful", "true or false; it is missing")
    helpful, context_id = fields.flag("helpful"), fields.text("contextId")
    opened = ls.workspaces.choose(fields.file_uri("rootUri")).start()

    def keep() -> dict[str, Any]:
        opened.result().feedback(source, helpful=helpful, context_id=context_id)
        return {"source": source, "helpful": helpful}

    return await asyncio.wrap_future(ls.work.write(keep))
