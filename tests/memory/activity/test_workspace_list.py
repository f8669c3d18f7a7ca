"""The list of known workspaces: in the order in which they were opened, whoever opens them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.activity import workspace_list
from contextls.workspace.state_folders import state_folders

from ..workspaces import python

Folder = Callable[[str], Path]
REMEMBER = """
import sys
from pathlib import Path
from contextls.memory.activity import workspace_list
workspace_list.MAX_WAIT = 60.0
print("ready", flush=True)
sys.stdin.readline()
for folder in sys.argv[1:]:
    workspace_list.remember(Path(folder))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Make a folder; the list of known ones is empty at first."""
    monkeypatch.setenv("CONTEXTLS_HOME", str(tmp_path / "home"))

    def make(name: str) -> Path:
        (tmp_path / name).mkdir(exist_ok=True)
        return tmp_path / name

    return make


def open_once(root: Path) -> None:
    Engine.open(root).close()


def known() -> list[str]:
    """The names of the known workspaces."""
    return [Path(line).name for line in state_folders().known_workspaces.read_text("utf-8").splitlines()]


def test_the_workspace_that_was_opened_last_stands_at_the_end(folder: Folder) -> None:
    for name in ("shop", "blog", "shop", "shop", "game", "blog"):
        open_once(folder(name))
    assert known() == ["shop", "game", "blog"]


def test_the_one_used_daily_stays_and_the_one_not_opened_for_longest_goes(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_list, "MAX_KNOWN", 3)
    for day in range(5):
        open_once(folder("daily"))
        open_once(folder(f"of day {day}"))
    assert known() == ["of day 3", "daily", "of day 4"]


def test_a_folder_that_is_gone_leaves_the_list(folder: Folder) -> None:
    open_once(folder("gone"))
    folder("gone").rmdir()
    open_once(folder("shop"))
    assert known() == ["shop"]


def test_of_many_that_are_opened_at_once_none_is_lost(folder: Folder) -> None:
    open_once(folder("first"))
    shares = [[folder(f"{process}-{number}") for number in range(25)] for process in range(4)]
    processes = [python(REMEMBER, *share) for share in shares]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, said = process.communicate(timeout=120)
        assert (process.returncode, said) == (0, "")
    assert sorted(known()) == sorted(["first", *(each.name for share in shares for each in share)])
