"""What an editor shows wins over the disk where it is unsaved, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..repositories import git
from .conftest import SitDown, Workplace
from .desk import Desk

OLD = "def walrus_price():\n    return 'tusk'\n"
NEW = "def walrus_price():\n    return 'whisker'\n"
TYPED = "def walrus_price():\n    return 'flipper'\n"
QUESTION = "what is the walrus price?"


@pytest.fixture
def two_branches(workplace: Workplace) -> Path:
    """A repository with the old text on the branch that is checked out, and the new one on ``next``."""
    root = workplace()
    git(root, "init", "-q", "-b", "main")
    for branch, text in (("main", OLD), ("next", NEW)):
        git(root, "checkout", "-q", "-B", branch)
        (root / "walrus.py").write_text(text)
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", f"Price walruses on {branch}")
    git(root, "checkout", "-q", "main")
    return root


async def _check_out(desk: Desk, branch: str) -> None:
    """Check out a branch behind the back of the editor, and let the server hear of the file."""
    await desk.settle()
    git(desk.root, "checkout", "-q", branch)
    desk.live.changes.touch([desk.root / "walrus.py"])
    await desk.settle()


@pytest.mark.usefixtures("two_branches")
async def test_a_checkout_under_a_buffer_that_nobody_changed_counts(sit_down: SitDown) -> None:
    desk = sit_down()
    desk.open("walrus.py")
    await desk.index()
    assert "tusk" in await desk.ask(QUESTION)
    await _check_out(desk, "next")
    prompt = await desk.ask(QUESTION)
    assert "whisker" in prompt
    assert "tusk" not in prompt
    assert "whisker" not in await desk.ask("what did I change?")
    assert not desk.workspace.overlays.differ_from_disk()


@pytest.mark.usefixtures("two_branches")
async def test_a_checkout_between_opening_and_the_first_question_counts(sit_down: SitDown) -> None:
    desk = sit_down()
    desk.open("walrus.py")
    await _check_out(desk, "next")
    assert "whisker" in await desk.ask(QUESTION)


@pytest.mark.usefixtures("two_branches")
async def test_a_checkout_after_a_save_counts(sit_down: SitDown) -> None:
    desk = sit_down()
    path = desk.open("walrus.py", TYPED)
    assert "flipper" in await desk.ask(QUESTION)
    desk.save(path, OLD)
    await _check_out(desk, "next")
    desk.live.change_folders([desk.root / "shop"])  # each open file is shared out again
    prompt = await desk.ask(QUESTION)
    assert "whisker" in prompt
    assert "tusk" not in prompt


@pytest.mark.usefixtures("two_branches")
@pytest.mark.parametrize("opened_unsaved", [True, False], ids=["opened unsaved", "typed"])
async def test_what_is_unsaved_outlives_a_checkout(sit_down: SitDown, opened_unsaved: bool) -> None:
    desk = sit_down()
    path = desk.open("walrus.py", TYPED if opened_unsaved else None)
    if not opened_unsaved:
        desk.type(path, TYPED)
    await _check_out(desk, "next")
    assert "flipper" in await desk.ask(QUESTION)
    await _check_out(desk, "main")
    assert "flipper" in await desk.ask(QUESTION)
    desk.close(path)
    prompt = await desk.ask(QUESTION)
    assert "flipper" not in prompt
    assert "tusk" in prompt


LATIN = "def walrus_price():\n    return 'défense'\n"


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"], ids=["shown with U+FFFD", "shown as it is"])
async def test_a_latin_1_file_as_editors_show_it_is_not_unsaved(
    sit_down: SitDown, workplace: Workplace, encoding: str
) -> None:
    root = workplace()
    (root / "walrus.py").write_text(LATIN, "latin-1")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Price walruses")
    desk = sit_down()
    desk.open("walrus.py", LATIN.encode("latin-1").decode(encoding, "replace"))
    await desk.index()
    prompt = await desk.ask(QUESTION)
    assert "défense" in prompt
    assert "\ufffd" not in prompt
    assert "no uncommitted change" in await desk.ask("what did I change?")
    assert not desk.workspace.overlays.differ_from_disk()
    desk.type(root / "walrus.py", "def walrus_price():\n    return 'd\ufffdfense 2'\n")
    assert "fense 2" in await desk.ask(QUESTION)
