"""``context/update``: a context brought up to date with one event."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from contextls.lsp.assembly_params import update_params
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Record the event behind the writes before it and answer with the context that has it first."""
    asked = update_params(params)
    opened = ls.workspaces.choose(asked.root_uri).start()
    answer: dict[str, Any] = to_wire(
        await asyncio.wrap_future(
            ls.work.write(lambda: opened.result().update(asked.context_id, asked.event, asked.max_tokens))
        )
    )
    return answer
