"""``context/assemble``: a question becomes a prompt."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from contextls.errors import InvalidRequestError
from contextls.lsp.first_index import wait_for_first_index
from contextls.lsp.params import AssembleParams, Place, assemble_params
from contextls.lsp.uris import to_path
from contextls.model import AssembleRequest, Changes, EditorPosition
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.model import Context


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer one question; progress and its cancellation go by the client's own token."""
    asked = assemble_params(params)
    task = asyncio.current_task()

    def cancel() -> None:
        if task is not None:
            task.cancel()

    job = ls.jobs.adopt(asked.work_done_token, "Assembling context", cancel)
    try:
        context = await assemble(ls, asked)
    finally:
        job.end()
    answer: dict[str, Any] = to_wire(context)
    return answer


async def assemble(ls: ContextServer, asked: AssembleParams, uri_field: str = "textDocument.uri") -> Context:
    """The context for checked parameters. Raises ``InvalidRequestError``, ``WorkspaceError``."""
    if asked.place is not None:
        asked = replace(asked, place=replace(asked.place, uri=ls.workspaces.named(asked.place.uri)))
    uri = asked.place.uri if asked.place else None
    workspace = ls.workspaces.choose(asked.root_uri, uri, uri_field)
    ls.attention.asked_about(uri)
    default_budget = ls.settings.max_tokens
    warning = await wait_for_first_index(workspace)
    context = await workspace.ask(
        lambda engine: engine.assemble(_request(engine, asked, default_budget, uri_field))
    )
    if not warning or context.report.index_complete:
        return context
    return replace(context, report=replace(context.report, warnings=(*context.report.warnings, warning)))


def _request(engine: Engine, asked: AssembleParams, default_budget: int, uri_field: str) -> AssembleRequest:
    return AssembleRequest(
        query=asked.query,
        max_tokens=asked.max_tokens or default_budget,
        session_id=asked.session_id,
        archetype=asked.archetype or AssembleRequest(query="").archetype,
        strategy_overrides=asked.strategy_overrides,
        additional_context=asked.additional_context,
        filters=asked.filters,
        boosts=asked.boosts,
        position=_position(engine, asked.place, uri_field),
        tokenizer=asked.tokenizer,
        order=asked.order,
        changes=Changes(asked.changes) if asked.changes else None,
    )


def _position(engine: Engine, place: Place | None, uri_field: str) -> EditorPosition | None:
    path = to_path(place.uri) if place else None
    if place is None or path is None:
        return None
    relative = engine.relative(path)
    if relative is None:
        raise InvalidRequestError(
            uri_field, "a document inside the workspace, also after links are resolved", place.uri
        )
    return EditorPosition(relative, place.start_line, place.end_line)
