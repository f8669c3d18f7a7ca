"""The commands of ``workspace/executeCommand``."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from contextls.live.indexing import index
from contextls.lsp.requests import workspace
from contextls.lsp.requests.assemble import assemble
from contextls.requests.uris import from_path
from contextls.text.gate import CleanText

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.lsp.server import ContextServer
    from contextls.model import Context, IndexReport, Status
    from contextls.requests.assemble import CopyParams
    from contextls.requests.common import RootParams
    from contextls.requests.workspace import ReindexParams

COPY_CONTEXT = "contextls.copyContext"
REINDEX = "contextls.reindex"
SHOW_STATUS = "contextls.showStatus"
HANDLED_BY_CLIENT = "copyToClipboard"


async def copy_context(ls: ContextServer, params: CopyParams) -> Context:
    """Assemble; for clients that do not copy by themselves, also open the prompt as a document."""
    from contextls.requests.common import TextDocument
    from contextls.requests.turn import AssembleParams

    document = None if params.uri is None else TextDocument(params.uri)
    query = AssembleParams(
        query=params.query,
        task=params.task,
        max_tokens=params.max_tokens,
        text_document=document,
        range=params.range,
    )
    context = await assemble(ls, query, "arguments[0].uri")
    if HANDLED_BY_CLIENT not in ls.client.handles:
        place = ls.workspaces.choose(None, params.uri)
        path = await place.look(lambda engine: engine.write_prompt_file(context.content))
        ls.spawn(_show_prompt(ls, path))
    return context


async def reindex(ls: ContextServer, params: ReindexParams) -> IndexReport:
    """Bring the index up to date, or with ``rebuild`` make it again; answers with the report once done."""
    return await index(ls.live.listeners, ls.workspaces.choose(params.root_uri), rebuild=params.rebuild)


async def show_status(ls: ContextServer, params: RootParams) -> Status:
    """Answers with the status and shows its summary."""
    status = await workspace.status(ls, params)
    ls.show(
        f"contextls: {status.root} is {status.state}: "
        f"{status.files} files, {status.chunks} chunks, {status.events} events"
    )
    for warning in status.warnings:
        ls.show(warning)
    return status


async def _show_prompt(ls: ContextServer, path: Path) -> None:
    if ls.client.shows_documents:
        # The only path that a client must open: it lies in the user's cache, and nothing of a workspace names it.
        place = CleanText(from_path(path))
        params = types.ShowDocumentParams(uri=place, external=False, take_focus=True)
        try:
            shown = await ls.window_show_document_async(params)
        except asyncio.CancelledError:
            raise
        except Exception:
            shown = types.ShowDocumentResult(success=False)
        if shown.success:
            return
    ls.show(f"The prompt is in {path}")
