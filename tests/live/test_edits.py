"""Keystrokes become edits: once a file is saved, left, closed or left alone."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.events.schema import in_order
from contextls.model import NewEvent

from .conftest import SitDown

REFUND = "\n\ndef refund():\n    pass\n"


async def test_an_edit_is_recorded_by_symbol_when_the_file_is_saved(sit_down: SitDown) -> None:
    desk = sit_down(read_seconds=5.0, edit_seconds=60.0)
    path = desk.open("shop/cart.py")
    await desk.pass_time(5_000)
    edited = path.read_text().replace("total * 0.05", "total * 0.07\n    # more")
    for end in range(len(edited) - 40, len(edited)):  # keystroke by keystroke
        desk.type(path, edited[:end])
        await desk.pass_time(200)
    assert await desk.events("file_edit") == []
    desk.save(path, edited)
    (edit,) = await desk.events("file_edit")
    assert edit["summary"] == "edited `discount_for` (+2 −1)"
    assert (edit["path"], edit["symbols"]) == ("shop/cart.py", ["discount_for"])
    assert [event["type"] for event in await desk.events()] == ["file_read", "file_edit", "file_write"]


async def test_an_edit_that_is_recorded_late_was_made_before_what_was_run_after_it(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=60.0)
    path = desk.open("shop/cart.py")
    goes_on = threading.Event()
    desk.write(lambda _: goes_on.wait(30))
    desk.save(path, path.read_text() + REFUND)
    with Engine.open(desk.root) as shell:  # of another process
        run = shell.record(NewEvent("shell_exec", {"command": "pytest", "exitCode": 1}))
    assert run is not None
    goes_on.set()
    await desk.settle()
    told = in_order(await desk.workspace.look(lambda engine: engine.events()))
    kinds = [str(event.type) for event in told if event.timestamp <= run.timestamp]
    assert "file_edit" in kinds
    assert kinds.index("file_edit") < kinds.index("shell_exec")


async def test_a_question_right_after_a_save_knows_the_edit(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=60.0)
    path = desk.open("shop/cart.py")
    desk.save(path, path.read_text() + "\n\ndef total():\n    pass\n")  # what it needs has started after this
    assert len(await desk.events("file_edit")) == 1
    await desk.ask("what did I change last?")
    desk.write(lambda _: time.sleep(0.2))
    desk.save(path, path.read_text() + REFUND)
    assert "`refund`" in await desk.ask("what did I change last?")


async def test_a_question_does_not_wait_for_an_edit_that_takes_long(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=60.0)
    path = desk.open("shop/cart.py")
    goes_on = threading.Event()
    desk.write(lambda _: goes_on.wait(30))
    desk.save(path, path.read_text() + REFUND)
    assert "Edited: `shop/cart.py`" not in await desk.ask("what did I change last?")
    goes_on.set()


async def test_an_edit_is_recorded_once_the_file_is_left_alone(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=20.0)
    path = desk.open("shop/cart.py")
    desk.type(path, path.read_text() + REFUND)
    await desk.pass_time(19_999)
    assert await desk.events("file_edit") == []
    await desk.pass_time(1)
    (edit,) = await desk.events("file_edit")
    assert edit["summary"] == "added `refund` (+4 −0)"


async def test_typing_without_a_pause_is_recorded_once_a_minute(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=20.0)
    path = desk.open("shop/cart.py")
    for second in range(0, 119, 2):
        desk.type(path, f"NUMBER = {second}\n")
        await desk.pass_time(2_000)
    assert len(await desk.events("file_edit")) == 2


async def test_an_edit_is_recorded_when_another_file_comes_to_the_front(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=20.0)
    path = desk.open("shop/cart.py")
    desk.type(path, path.read_text() + REFUND)
    desk.open("shop/invoice.py")
    assert len(await desk.events("file_edit")) == 1
    await desk.pass_time(60_000)
    assert len(await desk.events("file_edit")) == 1


async def test_an_edit_that_is_closed_without_saving_is_taken_back(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=20.0)
    path = desk.open("shop/cart.py")
    desk.type(path, path.read_text() + REFUND)
    await desk.pass_time(20_000)
    assert len(await desk.events("file_edit")) == 1
    desk.close(path)
    edits = await desk.events("file_edit")
    assert [edit["summary"] for edit in edits] == ["added `refund` (+4 −0)", "removed `refund` (+0 −4)"]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"CAFE = 'caf\xe9'\n", "CAFE = 'café'\n"),
        (b"CAFE = 'caf\xe9'\n", "CAFE = 'caf\ufffd'\n"),
        (b"\xef\xbb\xbfCAFE = 'caf\xc3\xa9'\r\n", "CAFE = 'café'\n"),
        ("CAFE = 'café'\n".encode("utf-16"), "CAFE = 'café'\n"),
    ],
    ids=["Latin-1", "Latin-1 taken for UTF-8", "mark and line ends", "UTF-16"],
)
async def test_what_is_taken_back_is_what_was_typed_however_the_file_is_encoded(
    sit_down: SitDown, raw: bytes, shown: str
) -> None:
    desk = sit_down(edit_seconds=20.0)
    (desk.root / "shop/cafe.py").write_bytes(raw)
    path = desk.open("shop/cafe.py", shown)
    desk.type(path, shown + REFUND)
    await desk.pass_time(20_000)
    desk.close(path)
    edits = await desk.events("file_edit")
    assert [edit["summary"] for edit in edits] == ["added `refund` (+4 −0)", "removed `refund` (+0 −4)"]


async def test_text_that_a_checkout_replaced_was_edited_by_nobody(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=20.0)
    path = desk.open("shop/cart.py")
    path.write_text("CHECKED_OUT = 1\n")
    desk.type(path, "CHECKED_OUT = 1\n")
    await desk.pass_time(80_000)
    assert await desk.events("file_edit") == []


async def test_an_edit_whose_save_is_told_of_late_is_recorded_once(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=0.3)
    path = desk.open("shop/cart.py")
    edited = path.read_text() + REFUND
    desk.type(path, edited)
    path.write_text(edited)  # the editor saves, and is slow to say so
    await desk.pass_time(400)
    assert await desk.events("file_edit") == []
    desk.save(path, edited)
    (edit,) = await desk.events("file_edit")
    assert edit["summary"] == "added `refund` (+4 −0)"
    desk.save(path, edited)
    assert len(await desk.events("file_edit")) == 1


async def test_saving_again_what_a_checkout_brought_is_no_edit(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=20.0)
    path = desk.open("shop/cart.py")
    path.write_text("CHECKED_OUT = 1\n")
    desk.type(path, "CHECKED_OUT = 1\n")
    await desk.pass_time(40_000)
    desk.save(path, "CHECKED_OUT = 1\n")
    assert await desk.events("file_edit") == []


async def test_what_was_typed_is_recorded_when_the_user_leaves(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=20.0)
    path = desk.open("shop/cart.py")
    desk.type(path, path.read_text() + REFUND)
    desk.live.stop()
    assert len(await desk.events("file_edit")) == 1


async def test_typing_before_the_folder_opens_is_recorded_once_it_is_saved_there(
    sit_down: SitDown, tmp_path: Path
) -> None:
    desk = sit_down(edit_seconds=20.0)
    later = tmp_path / "later"
    later.mkdir()
    path = later / "refunds.py"
    path.write_text("FEE = 1\n")
    desk.root = later
    desk.open("refunds.py")
    desk.save(path, "FEE = 2\n")  # of no workspace yet
    desk.type(path, "FEE = 2\n" + REFUND)
    desk.live.attention.turn_away()
    desk.live.change_folders([later])
    assert await desk.events() == []
    desk.save(path, path.read_text() + REFUND)
    (edit,) = await desk.events("file_edit")
    assert edit["summary"] == "added `refund` (+4 −0)"
