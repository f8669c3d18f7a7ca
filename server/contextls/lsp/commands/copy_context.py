"""The command ``contextls.copyContext``: a prompt for any client, our own plugins or not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from contextls.lsp.requests.assemble import assemble
from contextls.requests.uris import from_path
from contextls.text.gate import CleanText

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.lsp.server import ContextServer
    from contextls.model import Context
    from contextls.requests.assemble import CopyParams

COMMAND = "contextls.copyContext"
HANDLED_BY_CLIENT = "copyToClipboard"


async def run(ls: ContextServer, params: CopyParams) -> Context:
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
        workspace = ls.workspaces.choose(None, params.uri)
        path = await workspace.look(lambda engine: engine.write_prompt_file(context.content))
        ls.spawn(_show_prompt(ls, path))
    return context


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
