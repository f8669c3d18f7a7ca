"""A live workspace needs no protocol: a path and a text are enough to open one and work in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from contextls.live.indexing import index
from contextls.live.listener import IndexingDisplay
from contextls.live.live_workspaces import LiveWorkspaces
from contextls.model import AssembleRequest, ClearReport, IndexProgress, IndexReport, NewEvent
from contextls.settings import Settings

from .clock import TurnedClock
from .conftest import SitDown, Workplace
from .faces import QuietFace


async def test_type_ask_save_and_be_remembered(workplace: Workplace) -> None:
    root = workplace()
    live = LiveWorkspaces(Settings(watch=False, workers=1), clock=TurnedClock())
    live.change_folders([root])
    live.start()
    path = root / "shop/cart.py"
    workspace = live.workspaces.containing(path)
    assert workspace is not None
    before = path.read_text()
    live.open_files.open_file(path, before)
    live.open_files.change_text(path, before + "\n\ndef loyalty_bonus(years):\n    return years * 3\n")
    question = AssembleRequest("how large is the loyalty bonus?")
    unsaved = await workspace.ask(lambda engine: engine.assemble(question))
    assert "return years * 3" in unsaved.content
    assert "loyalty_bonus" not in path.read_text()

    path.write_text(before + "\n\ndef loyalty_bonus(years):\n    return years * 4\n")
    live.open_files.change_text(path, path.read_text())
    live.open_files.save_file(path)
    live.stop()
    await live.close(60)
    assert live.executors.stop(60)

    again = LiveWorkspaces(Settings(watch=False, index_on_open=False, workers=1))
    again.change_folders([root])
    workspace = again.workspaces.containing(path)
    assert workspace is not None
    saved = await workspace.ask(lambda engine: engine.assemble(question))
    assert "return years * 4" in saved.content
    kinds = [event.type for event in await workspace.look(lambda engine: engine.events())]
    assert kinds == ["file_write", "file_edit", "file_read"]
    await again.close(60)
    assert again.executors.stop(60)


class Gauge(QuietFace):
    """Writes down how indexing went."""

    def __init__(self) -> None:
        self.said: list[str] = []

    async def show_indexing(self, root: Path, cancel: object) -> IndexingDisplay:  # noqa: ARG002
        self.said.append(f"begin {root.name}")
        return self

    def report(self, progress: IndexProgress) -> None:
        self.said.append(progress.phase)

    def finish(self, report: IndexReport) -> None:
        self.said.append(f"{report.files} files")

    def stop(self) -> None:
        self.said.append("stopped")

    def fail(self) -> None:
        self.said.append("failed")


async def test_indexing_is_shown_from_begin_to_end(sit_down: SitDown) -> None:
    gauge = Gauge()
    desk = sit_down(gauge)
    report = await index(gauge, desk.workspace)
    assert gauge.said[0] == "begin shop project"
    assert {"scan", "index"} <= set(gauge.said)
    assert gauge.said[-1] == f"{report.files} files" == "4 files"


async def test_two_faces_share_a_live_workspace(sit_down: SitDown) -> None:
    first, second = Gauge(), Gauge()
    desk = sit_down(first)
    desk.live.listeners.add(second)
    desk.live.start()  # the second face does not know that the workspace is open
    await index(desk.live.listeners, desk.workspace)
    assert first.said == second.said
    assert first.said.count("begin shop project") == 1


async def test_a_face_that_fails_keeps_nothing_from_the_others(sit_down: SitDown) -> None:
    class Broken(Gauge):
        def report(self, progress: IndexProgress) -> None:
            raise RuntimeError(progress.phase)

        def warn(self, message: str) -> None:
            raise RuntimeError(message)

    heard: list[str] = []

    class Hearing(Gauge):
        def warn(self, message: str) -> None:
            heard.append(message)

    hearing = Hearing()
    desk = sit_down(Broken())
    desk.live.listeners.add(hearing)
    await index(desk.live.listeners, desk.workspace)
    assert hearing.said[-1] == "4 files"
    desk.live.listeners.warn("the disk is full")
    assert heard == ["the disk is full"]


async def test_unsaved_texts_move_to_the_closest_folder(sit_down: SitDown) -> None:
    desk = sit_down()
    path = desk.open("shop/cart.py", "def walrus_price():\n    return 'walrus'\n")
    assert "walrus_price" in await desk.ask("walrus price")
    inner = desk.root / "shop"
    desk.live.change_folders([inner])
    assert "walrus_price" not in await desk.ask("walrus price")
    closest = desk.live.workspaces.containing(path)
    assert closest is not None
    assert closest.root == inner
    desk.live.change_folders([], [inner])
    assert "walrus_price" in await desk.ask("walrus price")


async def test_settings_that_need_another_engine_take_unsaved_texts_along(sit_down: SitDown) -> None:
    desk = sit_down()
    desk.open("shop/cart.py", "def walrus_price():\n    return 'walrus'\n")
    assert "walrus_price" in await desk.ask("walrus price")
    before = await desk.workspace.engine()
    desk.live.adopt(Settings(watch=False, index_on_open=False, workers=1, ignore=("*.md",)))
    assert "walrus_price" in await desk.ask("walrus price")
    assert await desk.workspace.engine() is not before


async def test_an_engine_that_settings_replace_and_that_does_not_close_is_told_of(
    sit_down: SitDown, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    desk = sit_down()
    before = await desk.workspace.engine()
    close = before.close

    def close_on_a_full_disk() -> None:
        close()
        raise OSError("no space left on device")

    monkeypatch.setattr(before, "close", close_on_a_full_disk)
    desk.live.adopt(Settings(watch=False, index_on_open=False, workers=1, ignore=("*.md",)))
    assert "discount_for" in await desk.ask("how is the discount computed?")
    assert "a workspace did not close cleanly" in caplog.messages


async def test_clearing_takes_along_what_waits_and_builds_the_index_again(sit_down: SitDown) -> None:
    desk = sit_down(index_on_open=True)
    await desk.index()
    desk.write(lambda engine: engine.record(NewEvent("note", {"text": "behind the writes"})))
    report = await desk.live.clear(desk.workspace, index=True, events=True)
    assert report == ClearReport(index=True, events=1)
    assert await desk.events() == []
    await desk.index()  # behind the run that the clearing began
    assert "shop/cart.py" in await desk.ask("how is the total of a cart computed?")


def test_no_protocol_is_loaded() -> None:
    code = "import sys, contextls.live.live_workspaces; print({'pygls', 'lsprotocol', 'typer'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
