"""The command ``contextls.showStatus``: one line for the user, all figures for the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.lsp.params import sole_argument
from contextls.lsp.requests.status import status_of
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer

COMMAND = "contextls.showStatus"


async def run(ls: ContextServer, arguments: object) -> dict[str, Any]:
    """Answers with the status and shows its summary."""
    fields = Fields(sole_argument(arguments), ("rootUri",), "arguments[0]")
    status = await status_of(ls, fields.file_uri("rootUri"))
    ls.show(
        f"contextls: {status.root} is {status.state}: "
        f"{status.files} files, {status.chunks} chunks, {status.events} events"
    )
    for warning in status.warnings:
        ls.show(warning)
    answer: dict[str, Any] = to_wire(status)
    return answer
