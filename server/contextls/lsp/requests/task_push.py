"""``context/task/push``: begin a task below the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.lsp.requests.task_family import changed

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Push; answered with the new task once it is durable."""
    fields = Fields(params, ("goal", "rootUri"))
    goal = fields.needed_text("goal")
    return await changed(ls, fields.file_uri("rootUri"), lambda engine: engine.tasks.push(goal))
