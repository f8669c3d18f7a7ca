"""The command ``contextls.reindex``: bring the index up to date now, or build it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.live.indexing import index

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer
    from contextls.model import IndexReport
    from contextls.requests.workspace import ReindexParams

COMMAND = "contextls.reindex"


async def run(ls: ContextServer, params: ReindexParams) -> IndexReport:
    """Answers with the report once done; ``rebuild`` throws the old index away first."""
    return await index(ls.live.listeners, ls.workspaces.choose(params.root_uri), rebuild=params.rebuild)
