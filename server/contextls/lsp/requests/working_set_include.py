"""``context/workingSet/include``: take an exclusion back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.requests.working_set_family import changed
from contextls.lsp.working_set_params import target_params

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """No longer exclude; what is not excluded stays so."""
    return await changed(ls, target_params(params), lambda engine, target: engine.working_set.include(target))
