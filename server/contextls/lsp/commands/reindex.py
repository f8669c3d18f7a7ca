"""The command ``contextls.reindex``: bring the index up to date now, or build it anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.lsp.indexing import index
from contextls.lsp.params import sole_argument
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer

COMMAND = "contextls.reindex"


async def run(ls: ContextServer, arguments: object) -> dict[str, Any]:
    """Answers with the report once done; ``rebuild`` throws the old index away first."""
    fields = Fields(sole_argument(arguments), ("rootUri", "rebuild"), "arguments[0]")
    workspace = ls.workspaces.choose(fields.file_uri("rootUri"))
    report = await index(ls, workspace, rebuild=fields.flag("rebuild"))
    answer: dict[str, Any] = to_wire(report)
    return answer
