"""``context/events``: what happened in a workspace, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.lsp.narrowing import read_event_filters
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer

_USUAL = 50


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with one page of events, each with a plain line that says what happened."""
    known = ("limit", "before", "filters", "sessionId", "rootUri")
    fields = Fields({} if params is None else params, known)
    limit, before = fields.whole("limit", least=1), fields.text("before")
    filters, session_id = read_event_filters(fields), fields.text("sessionId")
    workspace = ls.workspaces.choose(fields.file_uri("rootUri"))

    def page(engine: Engine) -> list[dict[str, Any]]:
        from contextls.memory.events import plainly

        found = engine.events(limit or _USUAL, filters, session_id, before)
        return [{**to_wire(event), "text": plainly(event)} for event in found]

    return {"events": await workspace.ask(page)}
