"""The settings say which events are recorded."""

from __future__ import annotations

import pytest

from contextls.live.intake import Receipt
from contextls.model import NewEvent

from .conftest import SitDown


@pytest.mark.parametrize(
    ("settings", "recorded"),
    [
        ({"memory_paused": True}, []),
        ({"record": ("git_*", "file_w*")}, ["file_write"]),
        ({"record": ("*",), "unrecorded": ("shell_exec", "file_[!w]*")}, ["file_write"]),
    ],
)
async def test_recording_can_be_paused_or_narrowed(
    sit_down: SitDown, settings: dict[str, object], recorded: list[str]
) -> None:
    desk = sit_down(**settings)
    path = desk.open("shop/cart.py")
    desk.save(path, "CHANGED = 1\n")
    receipt = await desk.record(NewEvent("shell_exec", {"command": "make", "exitCode": 0}))
    assert receipt == Receipt(None, "switched off")
    assert [event["type"] for event in await desk.events()] == recorded
    assert "CHANGED = 1" in await desk.ask("CHANGED")


async def test_nothing_of_an_ignored_file_is_recorded(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=1.0, read_seconds=1.0)
    path = desk.open("private/notes.py")
    desk.type(path, "def secret_plan():\n    pass\n")
    await desk.pass_time(10_000)
    desk.save(path, "def secret_plan():\n    return 1\n")
    receipt = await desk.record(NewEvent("file_write", {"path": "private/notes.py"}))
    assert receipt == Receipt(None, "ignored")
    assert await desk.events() == []


async def test_events_that_wait_together_are_recorded_in_order(sit_down: SitDown) -> None:
    desk = sit_down()
    receipts = [desk.live.intake.add(desk.workspace, NewEvent("note", {"text": str(n)})) for n in range(1200)]
    await desk.settle()
    assert [receipt.result().id for receipt in receipts] == [f"event-{n}" for n in range(1, 1201)]
