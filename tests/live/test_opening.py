"""A workspace that cannot be opened is tried again, and is like any other once it can."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from contextls.errors import StoreError
from contextls.settings import Settings

from ..repositories import git
from .conftest import SitDown, Workplace
from .desk import Desk
from .faces import QuietFace


class HearingFace(QuietFace):
    """Keeps what it is warned of."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, message: str) -> None:
        self.warnings.append(message)


async def wait_until_indexed(desk: Desk) -> None:
    """Wait for the runs of indexing that nothing but time or settings began."""
    await desk.workspace.engine()
    await asyncio.sleep(0)
    async with asyncio.timeout(60):
        while desk.workspace.runs:
            await asyncio.sleep(0.02)


async def wait_until_open(desk: Desk) -> None:
    """Turn the clock until a try to open succeeds: the writing thread may fail later than it was asked to."""
    for _ in range(10):
        await desk.pass_time(2_000)
        if desk.workspace.engine_if_open is not None:
            return
    raise AssertionError("the workspace stays closed")


@pytest.fixture
def blocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file where the folder of all state should be."""
    path = tmp_path / "taken"
    path.write_text("a file where the folder should be")
    monkeypatch.setenv("CONTEXTLS_HOME", str(path))
    return path


async def test_a_question_opens_what_could_not_be_opened_before(sit_down: SitDown, blocked: Path) -> None:
    desk = sit_down()
    with pytest.raises(StoreError, match="cannot create"):
        await desk.ask("how is the discount computed?")
    blocked.unlink()
    with pytest.raises(StoreError, match="cannot create"):
        await desk.ask("how is the discount computed?")
    await desk.clock.advance(2_000)
    assert "discount_for" in await desk.ask("how is the discount computed?")


async def test_a_folder_that_opens_late_is_indexed_and_told_of_once(sit_down: SitDown, blocked: Path) -> None:
    face = HearingFace()
    desk = sit_down(face, index_on_open=True)
    for _ in range(3):
        await desk.pass_time(2_000)
    assert desk.workspace.engine_if_open is None
    assert not desk.workspace.runs
    blocked.unlink()
    await wait_until_open(desk)
    await wait_until_indexed(desk)
    assert await desk.workspace.is_built()
    (warning,) = face.warnings
    assert "cannot create" in warning


async def test_a_home_folder_is_told_of_once_and_opened_where_it_is_meant(
    sit_down: SitDown, workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(workplace()))
    monkeypatch.setenv("USERPROFILE", str(workplace()))
    face = HearingFace()
    desk = sit_down(face, index_on_open=True)
    for _ in range(3):
        await desk.pass_time(2_000)
    (warning,) = face.warnings
    assert "your home folder is no workspace" in warning
    (workplace() / ".context").mkdir()
    await wait_until_open(desk)
    await wait_until_indexed(desk)
    assert await desk.workspace.is_built()


async def test_a_folder_that_settings_open_again_late_is_indexed(
    sit_down: SitDown, contextls_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    desk = sit_down(index_on_open=True)
    await desk.index()
    taken = tmp_path / "taken"
    taken.write_text("a file where the folder should be")
    monkeypatch.setenv("CONTEXTLS_HOME", str(taken))
    desk.live.adopt(Settings(watch=False, workers=1, ignore=("*.md",)))
    await desk.pass_time(4_000)
    assert desk.workspace.failed_to_open
    monkeypatch.setenv("CONTEXTLS_HOME", str(contextls_home))
    await wait_until_open(desk)
    await wait_until_indexed(desk)
    status = await desk.workspace.look(lambda engine: engine.status())
    assert status.files == 3


async def test_git_is_followed_in_a_folder_that_opens_late(
    sit_down: SitDown, workplace: Workplace, blocked: Path, caplog: pytest.LogCaptureFixture
) -> None:
    root = workplace()
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Open the shop")
    desk = sit_down(watch=True)
    for _ in range(5):
        await desk.pass_time(2_000)
    # Git is asked at most once: not at all where opening had failed before the first look.
    assert len([each for each in caplog.messages if each.startswith("following git: cannot create")]) <= 1
    blocked.unlink()
    await wait_until_open(desk)
    await desk.pass_time(2_000)
    (root / "shop/sale.py").write_text("SALE = True\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Sell")
    await desk.pass_time(2_000)
    (event,) = await desk.events("git_commit")
    assert event["subject"] == "Sell"
