"""The command ``contextls.showStatus``: one line for the user, all figures for the client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.lsp.requests import workspace

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer
    from contextls.model import Status
    from contextls.requests.common import RootParams

COMMAND = "contextls.showStatus"


async def run(ls: ContextServer, params: RootParams) -> Status:
    """Answers with the status and shows its summary."""
    status = await workspace.status(ls, params)
    ls.show(
        f"contextls: {status.root} is {status.state}: "
        f"{status.files} files, {status.chunks} chunks, {status.events} events"
    )
    for warning in status.warnings:
        ls.show(warning)
    return status
