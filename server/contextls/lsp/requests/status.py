"""``context/status``: the truth about one workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.params import root_params
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.model import Status


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with the status of the workspace that is meant."""
    status = await status_of(ls, root_params(params).root_uri)
    answer: dict[str, Any] = to_wire(status)
    return answer


async def status_of(ls: ContextServer, root_uri: str | None) -> Status:
    """The status of the workspace that ``root_uri`` names, or of the one used last."""
    return await ls.workspaces.choose(root_uri).look(_status)


def _status(engine: Engine) -> Status:
    return engine.status()
