"""The command ``contextls.copyContext``: a prompt for any client, our own plugins or not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from contextls.lsp import prompt_files
from contextls.lsp.params import AssembleParams, copy_params
from contextls.lsp.requests.assemble import assemble
from contextls.lsp.uris import from_path
from contextls.text.gate import CleanText
from contextls.wire import to_wire

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.lsp.server import ContextServer

COMMAND = "contextls.copyContext"
HANDLED_BY_CLIENT = "copyToClipboard"


async def run(ls: ContextServer, arguments: object) -> dict[str, Any]:
    """Assemble; for clients that do not copy by themselves, also open the prompt as a document."""
    asked = copy_params(arguments)
    query = AssembleParams(query=asked.query, max_tokens=asked.max_tokens, place=asked.place)
    context = await assemble(ls, query, "arguments[0].uri")
    if not ls.client_handles(HANDLED_BY_CLIENT):
        workspace = ls.workspaces.choose(None, asked.place.uri if asked.place else None)
        path = await ls.work.question(lambda: prompt_files.write(workspace.root, context.content))
        ls.spawn(_present(ls, path))
    answer: dict[str, Any] = to_wire(context)
    return answer


async def _present(ls: ContextServer, path: Path) -> None:
    window = ls.client_capabilities.window
    if window is not None and window.show_document is not None and window.show_document.support:
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
