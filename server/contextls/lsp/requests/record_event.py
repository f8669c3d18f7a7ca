"""``context/recordEvent``: something happened that only the client saw. A request or a notification."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from contextls.lsp.params import record_params

if TYPE_CHECKING:
    from concurrent.futures import Future

    from contextls.engine import Engine
    from contextls.lsp.params import RecordParams
    from contextls.lsp.server import ContextServer
    from contextls.lsp.workspaces import Workspace


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Record it, behind the writes before it; answered once it is durable."""
    told = record_params(params)
    workspace = ls.workspaces.choose(told.root_uri)
    return await asyncio.wrap_future(_queued(ls, workspace, told))


def _queued(ls: ContextServer, workspace: Workspace, told: RecordParams) -> Future[dict[str, Any]]:
    opened = workspace.start()
    return ls.work.write(lambda: _record(opened.result(), told))


def _record(engine: Engine, told: RecordParams) -> dict[str, Any]:
    event = engine.record(told.event)
    if event is None:
        return {"id": None, "reason": "ignored"}
    return {"id": event.id}
