"""``context/task/block``: set the current task aside because it cannot go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.lsp.requests.task_family import changed

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Block; answered with the blocked task and the one that is current now."""
    fields = Fields({} if params is None else params, ("reason", "rootUri"))
    reason = fields.text("reason")
    return await changed(ls, fields.file_uri("rootUri"), lambda engine: engine.tasks.block(reason))
