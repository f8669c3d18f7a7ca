"""Which index fell to this process is told for each workspace by itself."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.live.workspace import Workspace
from contextls.live.writer_watch import PAUSE_MS

from ..memory.workspaces import SHOP, write
from .conftest import SitDown


async def test_a_workspace_that_cannot_be_looked_at_keeps_no_other_from_being_taken_over(
    sit_down: SitDown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> bool:
        raise OSError("the disk is gone")

    other = write(tmp_path / "other", SHOP)
    desk = sit_down(watch=True)
    live, fell = desk.live, asyncio.Queue[Workspace]()
    monkeypatch.setattr(live.writer_watch, "_index", fell.put_nowait)
    with Engine.open(other) as writer:  # as another process would
        writer.upkeep.join_writers()
        live.change_folders([other])
        broken, whole = live.workspaces
        monkeypatch.setattr((await broken.engine()).upkeep, "has_to_index", fail)
        await whole.engine()
    async with asyncio.timeout(30):
        while fell.empty():
            await desk.pass_time(PAUSE_MS)
    assert fell.get_nowait() is whole
    assert f"cannot tell who writes the index of {broken.root}" in caplog.messages
