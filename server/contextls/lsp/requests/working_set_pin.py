"""``context/workingSet/pin``: put a file, folder or symbol into every prompt that has room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.requests.working_set_family import changed
from contextls.lsp.working_set_params import pin_params

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Pin, or change the fields given of what is pinned; no longer excluded."""
    asked = pin_params(params)
    return await changed(
        ls,
        asked.target,
        lambda engine, target: engine.working_set.pin(
            target, asked.priority, asked.role, asked.truncate_strategy, asked.max_lines
        ),
    )
