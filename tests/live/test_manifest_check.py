"""A working set is checked while it is written, when its files come and go, and once the index can tell."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.live import manifest_check
from contextls.live.manifest_check import CHANGED_MS, TYPED_MS
from contextls.model import CheckedManifest

from .conftest import SitDown
from .desk import Desk
from .faces import QuietFace

NAME = ".context/working-set.yml"


class Margin(QuietFace):
    """Writes down what is wrong, newest last."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def show_manifest_faults(self, root: Path, files: Sequence[CheckedManifest]) -> None:
        assert root.is_dir()
        self.seen.append([f"{fault.line}: {fault.message}" for file in files for fault in file.faults])


def put(desk: Desk, text: str) -> Path:
    file = desk.root / NAME
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


async def checked(desk: Desk, ms: int) -> None:
    """Let time pass and a check that begins in it end."""
    await desk.pass_time(ms)
    await desk.live.manifest_check.check(desk.workspace)


async def test_typing_is_followed_at_a_pause_and_what_is_mended_is_told_once(sit_down: SitDown) -> None:
    margin = Margin()
    desk = sit_down(margin)
    await desk.index()
    desk.live.manifest_check.start()
    path = desk.root / NAME
    put(desk, "files: []\n")
    desk.open(NAME)
    for text in ("files: [gone.p", "files: [gone.py", "files: [gone.py]\n"):
        desk.type(path, text)
        await desk.pass_time(TYPED_MS - 1)
        assert margin.seen == [], "nobody wants to read of a line that is half typed"
    await checked(desk, 1)
    assert margin.seen[-1] == ["1: gone.py: no such file"]
    desk.type(path, "files: [shop/cart.py]\n")
    await checked(desk, TYPED_MS)
    assert margin.seen[-1] == []
    told = len(margin.seen)
    desk.type(path, "files: [shop/cart.py] # fine\n")
    await checked(desk, TYPED_MS)
    assert len(margin.seen) == told


async def test_of_two_checks_that_overlap_that_of_the_newer_text_counts(
    sit_down: SitDown, monkeypatch: pytest.MonkeyPatch
) -> None:
    margin, newer_ended, whole = Margin(), threading.Event(), manifest_check._check

    def check(texts: Mapping[Path, str], engine: Engine) -> tuple[CheckedManifest, ...]:
        if "files: [gone.py]\n" in texts.values():
            newer_ended.wait(20)
        return whole(texts, engine)

    monkeypatch.setattr(manifest_check, "_check", check)
    desk = sit_down(margin)
    await desk.index()
    put(desk, "files: []\n")
    desk.open(NAME)
    desk.type(desk.root / NAME, "files: [gone.py]\n")
    older = asyncio.create_task(desk.live.manifest_check.check(desk.workspace))
    await asyncio.sleep(0)
    desk.type(desk.root / NAME, "files: [shop/cart.py]\n")
    await desk.live.manifest_check.check(desk.workspace)
    newer_ended.set()
    await older
    assert [faults for faults in margin.seen if faults] == []


async def test_a_file_that_comes_mends_the_entry_that_missed_it(sit_down: SitDown) -> None:
    margin = Margin()
    desk = sit_down(margin)
    await desk.index()
    put(desk, "files: [new.py]\n")
    desk.live.manifest_check.start()
    await checked(desk, CHANGED_MS)
    assert margin.seen[-1] == ["1: new.py: no such file"]
    (desk.root / "new.py").write_text("x = 1\n")
    desk.live.changes.touch([desk.root / "new.py"])
    await checked(desk, CHANGED_MS)
    assert margin.seen[-1] == []


async def test_nothing_is_said_of_symbols_and_patterns_before_the_index_can_tell(sit_down: SitDown) -> None:
    margin = Margin()
    desk = sit_down(margin)
    put(desk, "files: ['nowhere/*.py', 'shop/cart.py#gone', gone.py]\nexclude: ['shop/cart.py#lost']\n")
    desk.live.manifest_check.start()
    await checked(desk, CHANGED_MS)
    assert margin.seen[-1] == ["1: gone.py: no such file"]
    await desk.index()
    await checked(desk, CHANGED_MS)
    assert margin.seen[-1] == [
        "1: nowhere/*.py: matches no indexed file",
        "1: shop/cart.py#gone: no such symbol",
        "1: gone.py: no such file",
        "2: shop/cart.py#lost: no such symbol, so nothing is excluded by it",
    ]


async def test_a_folder_that_closes_takes_its_faults_along(sit_down: SitDown) -> None:
    margin = Margin()
    desk = sit_down(margin)
    put(desk, "files: [gone.py]\n")
    desk.live.manifest_check.start()
    await checked(desk, CHANGED_MS)
    desk.live.change_folders((), [desk.root])
    assert margin.seen[-1] == []


async def test_nothing_is_kept_of_a_closed_folder_whose_index_ends_late(sit_down: SitDown) -> None:
    desk = sit_down()
    desk.live.manifest_check.start()
    workspace = desk.workspace
    desk.live.change_folders((), [desk.root])
    pending = desk.clock.pending
    desk.live.manifest_check.follow(workspace)
    assert desk.clock.pending == pending
