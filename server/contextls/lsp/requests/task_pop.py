"""``context/task/pop``: complete the current task and leave its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.fields import Fields
from contextls.lsp.requests.task_family import changed

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Pop; answered with the completed task and the one that is current now."""
    fields = Fields({} if params is None else params, ("result", "rootUri"))
    result = fields.text("result")
    return await changed(ls, fields.file_uri("rootUri"), lambda engine: engine.tasks.pop(result))
