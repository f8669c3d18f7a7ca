"""A question that comes while the first index is built waits for it, but not for long."""

from __future__ import annotations

import asyncio

from contextls.live.first_index import wait_for_first_index
from contextls.model import IndexProgress

from .conftest import SitDown
from .desk import Desk


async def begin_waiting(desk: Desk) -> asyncio.Task[str]:
    """Ask while the first index is built; past what comes before the wait for it."""
    await desk.settle()
    asleep = desk.clock.sleepers
    waiting = asyncio.create_task(wait_for_first_index(desk.workspace))
    while desk.clock.sleepers == asleep and not waiting.done():
        await asyncio.sleep(0.001)
    return waiting


async def test_without_a_run_there_is_nothing_to_wait_for(sit_down: SitDown) -> None:
    desk = sit_down()
    assert await wait_for_first_index(desk.workspace) == ""


async def test_a_short_first_run_is_waited_for(sit_down: SitDown) -> None:
    desk = sit_down()
    done = desk.workspace.runs.begin()
    waiting = await begin_waiting(desk)
    await desk.clock.advance(1_500)
    assert not waiting.done()
    done()
    await desk.clock.advance(20)
    assert await waiting == ""


async def test_a_wait_ends_after_two_seconds_with_a_warning(sit_down: SitDown) -> None:
    desk = sit_down()
    desk.workspace.runs.begin()
    desk.workspace.pace.begin()
    desk.workspace.pace.advance(IndexProgress("index", 2, 200, ""))
    waiting = await begin_waiting(desk)
    await desk.clock.advance(1_999)
    assert waiting.done()  # 198 files more would have taken longer than what was left
    assert "the first index was not built within 2 s (2 of 200 files)" in await waiting


async def test_a_long_first_run_is_not_waited_for(sit_down: SitDown) -> None:
    desk = sit_down()
    desk.workspace.runs.begin()
    desk.workspace.pace.begin()
    desk.workspace.pace.advance(IndexProgress("index", 0, 5_000, ""))
    waiting = await begin_waiting(desk)
    assert waiting.done()
    assert await waiting == ""
