"""Events that a client records and lists, the file in front, and the problems of a document."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from contextls.errors import InvalidRequestError
from contextls.live.problems import Problem
from contextls.lsp.problems import OUR_SOURCE, severity_name
from contextls.requests.uris import to_path
from contextls.standalone import summarize_event

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.model import Event
    from contextls.requests.events import (
        Diagnostic,
        DiagnosticsParams,
        EventList,
        EventsParams,
        FocusParams,
        ListedEvent,
        NotRecorded,
        Recorded,
        RecordParams,
    )


async def record(ls: ContextServer, params: RecordParams) -> Recorded | NotRecorded:
    """Record it, after earlier writes; answered once it is durable."""
    from contextls.requests.events import NotRecorded, Recorded

    workspace = ls.workspaces.choose(params.root_uri)
    receipt = await asyncio.wrap_future(ls.live.intake.add(workspace, params.event))
    return NotRecorded(reason=receipt.reason) if receipt.id is None else Recorded(receipt.id)


async def list_page(ls: ContextServer, params: EventsParams) -> EventList:
    """Answer with one page of events, newest first, each with a plain line that says what happened."""
    from contextls.requests.events import EventList

    workspace = ls.workspaces.choose(params.root_uri)

    def page(engine: Engine) -> EventList:
        found = engine.events(params.limit, params.filters.filters, params.session_id, params.before)
        return EventList(tuple(map(_list_event, found)))

    return await workspace.ask(page)


def focus(ls: ContextServer, params: FocusParams) -> None:
    """Turn to the file; one outside of every workspace, or none on disk, only takes the focus away."""
    path = to_path(params.uri)
    if path is None and params.uri.startswith("file:"):
        raise InvalidRequestError("uri", "the URI of a document", params.uri)
    if path is not None and ls.workspaces.touch(path) is not None:
        ls.live.attention.turn_to(path)
    else:
        ls.live.attention.turn_away()


def change_diagnostics(ls: ContextServer, params: DiagnosticsParams) -> None:
    """Compare them with what was heard last; what is outside of every workspace is left out."""
    path = to_path(params.uri)
    if path is not None and ls.workspaces.containing(path) is not None:
        # What this server says of a working set is no news to it.
        others = (each for each in params.diagnostics if each.source != OUR_SOURCE)
        ls.live.problems.replace(path, list(map(_problem, others)))


def _list_event(event: Event) -> ListedEvent:
    from contextls.requests.events import ListedEvent

    return ListedEvent(**asdict(event), text=summarize_event(event))


def _problem(diagnostic: Diagnostic) -> Problem:
    return Problem(
        diagnostic.message,
        diagnostic.range.start.line + 1,
        severity_name(diagnostic.severity),
        diagnostic.source or "",
        str(diagnostic.code) if isinstance(diagnostic.code, str | int) else "",
    )
