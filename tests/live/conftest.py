"""Live workspaces on real temporary folders, with a clock that the test turns."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from contextls.live.listener import Listener
from contextls.settings import Settings

from ..protocol.conftest import build_workspace
from .desk import Desk

SitDown = Callable[..., Desk]
Workplace = Callable[[], Path]
USUAL = {"read_seconds": 5.0, "edit_seconds": 20.0, "watch": False, "index_on_open": False, "workers": 1}


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    """Write the sample workspace, once."""

    def build() -> Path:
        root = tmp_path / "shop project"
        return root if root.exists() else build_workspace(root)

    return build


@pytest_asyncio.fixture
async def sit_down(workplace: Workplace) -> AsyncIterator[SitDown]:
    """Sit down at a workspace; nothing is indexed or watched unless the settings say so."""
    desks: list[Desk] = []

    def sit(listener: Listener | None = None, **settings: Any) -> Desk:  # noqa: ANN401 - settings of any type
        desks.append(Desk(workplace(), Settings(**{**USUAL, **settings}), listener))
        return desks[-1]

    yield sit
    for desk in desks:
        await desk.leave()
