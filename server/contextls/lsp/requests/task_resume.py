"""``context/task/resume``: make a blocked task current again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.lsp.requests.task_family import changed

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Resume; answered with the task, which is current now."""
    fields = Fields(params, ("id", "rootUri"))
    task = fields.needed_text("id")
    return await changed(ls, fields.file_uri("rootUri"), lambda engine: engine.tasks.resume(task))
