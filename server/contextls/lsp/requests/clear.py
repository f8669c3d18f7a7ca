"""``context/clear``: delete what is remembered about a workspace."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from contextls.errors import InvalidRequestError
from contextls.lsp.fields import Fields
from contextls.lsp.indexing import index_in_background
from contextls.model import ClearReport
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer
    from contextls.lsp.workspaces import Workspace


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with what was deleted; where folders are indexed when they are opened, this one is indexed again."""
    fields = Fields({} if params is None else params, ("index", "events", "rootUri"))
    index, events = not fields.has("index") or fields.flag("index"), fields.flag("events")
    if not (index or events):
        raise InvalidRequestError("index", "true, here or in events: something to delete", False)
    workspace = ls.workspaces.choose(fields.file_uri("rootUri"))
    deleted = await _clear_events(ls, workspace) if events else 0
    if index:
        await _clear_index(ls, workspace)
    answer: dict[str, Any] = to_wire(ClearReport(index=index, events=deleted))
    return answer


async def _clear_events(ls: ContextServer, workspace: Workspace) -> int:
    """Delete the events, those that wait to be written included."""
    opened = workspace.start()
    report = ls.work.write(lambda: opened.result().clear(index=False, events=True))
    return (await asyncio.wrap_future(report)).events


async def _clear_index(ls: ContextServer, workspace: Workspace) -> None:
    """Delete the index; a run that is under way is stopped first, as it would only fill what is being emptied."""
    workspace.stop_indexing()
    await workspace.index(lambda engine, _stop: engine.clear(index=True), threading.Event())
    if ls.settings.index_on_open:
        ls.spawn(index_in_background(ls, workspace))
