"""A file that stays in front was read; going back to it later is focus."""

from __future__ import annotations

import pytest

from .conftest import SitDown


async def test_a_file_that_is_left_at_once_was_not_read(sit_down: SitDown) -> None:
    desk = sit_down(read_seconds=2.0)
    passed = desk.open("shop/cart.py")
    await desk.pass_time(1_999)
    desk.open("shop/invoice.py")
    desk.close(passed)
    await desk.pass_time(1_999)
    assert await desk.events("file_read") == []
    await desk.pass_time(60_000)
    assert [event["path"] for event in await desk.events("file_read")] == ["shop/invoice.py"]


async def test_a_file_that_a_question_is_about_was_read(sit_down: SitDown) -> None:
    desk = sit_down(read_seconds=2.0)
    desk.live.attention.work_in(desk.open("shop/cart.py"))
    assert [event["path"] for event in await desk.events("file_read")] == ["shop/cart.py"]
    await desk.pass_time(10_000)
    assert len(await desk.events()) == 1


async def test_going_back_to_an_open_file_is_focus(sit_down: SitDown) -> None:
    desk = sit_down(read_seconds=0.05)
    for name in ("shop/cart.py", "shop/invoice.py"):
        desk.live.attention.work_in(desk.open(name))
    assert len(await desk.events("file_read")) == 2
    for _ in range(3):
        for name in ("README.md", "shop/cart.py"):
            desk.live.attention.turn_to(desk.root / name)
            await desk.pass_time(150)
    assert [event["path"] for event in await desk.events("file_focus")] == ["README.md"]


@pytest.mark.parametrize(("away_ms", "count"), [(57_999, 1), (58_000, 3)])
async def test_focus_counts_again_after_a_minute(sit_down: SitDown, away_ms: int, count: int) -> None:
    desk = sit_down(read_seconds=2.0)
    path = desk.root / "README.md"
    for _ in range(3):
        desk.live.attention.turn_to(path)
        await desk.pass_time(2_000)
        desk.live.attention.turn_away()
        await desk.pass_time(away_ms)
    assert len(await desk.events("file_focus")) == count


async def test_what_did_not_stay_in_front_is_forgotten_when_the_user_leaves(sit_down: SitDown) -> None:
    desk = sit_down(read_seconds=2.0)
    desk.open("shop/cart.py")
    desk.live.stop()
    await desk.pass_time(10_000)
    assert await desk.events() == []


async def test_a_file_that_is_not_there_is_nothing_to_go_back_to(sit_down: SitDown) -> None:
    """A client asks for the code actions of a document that it never opened, and that no longer exists."""
    desk = sit_down(read_seconds=2.0)
    desk.live.attention.turn_to(desk.root / "shop/gone.py")
    await desk.pass_time(10_000)
    assert await desk.events() == []
