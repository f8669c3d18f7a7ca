"""Folders that are no workspace by accident: nobody wants all that they have in an index, or in a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.workspace.ignore import IgnoreRules

from .conftest import Run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with a project and a letter in it."""
    folder = tmp_path / "home"
    (folder / "shop").mkdir(parents=True)
    (folder / "shop" / "cart.py").write_text("def total(cart):\n    return sum(cart)\n")
    (folder / "letter.md").write_text("Dear total,\n")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    return folder


@pytest.mark.parametrize("command", [("assemble", "total"), ("search", "total"), ("index",), ("pack",)])
def test_the_home_folder_and_what_is_around_it_are_refused(
    inline: Run, home: Path, command: tuple[str, ...]
) -> None:
    for folder in (home, home.parent, Path(home.anchor)):
        done = inline(*command, cwd=folder, check=2)
        assert "create a folder .context there" in done.stderr
        assert "Dear" not in done.stdout
    assert "your home folder" in inline(*command, cwd=home).stderr


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="only Linux has it")
@pytest.mark.parametrize("command", [("assemble", "limits"), ("search", "limits"), ("index",), ("pack",)])
@pytest.mark.parametrize("folder", ["/proc", "/proc/self/task", "/sys", "/sys/kernel"])
def test_what_the_system_shows_of_itself_is_refused(
    inline: Run, command: tuple[str, ...], folder: str
) -> None:
    done = inline(*command, cwd=Path(folder), check=2)
    assert "open the folder of a project" in done.stderr
    assert "Max open files" not in done.stdout


def test_what_the_system_shows_of_itself_stays_out_of_what_is_around_it() -> None:
    rules = IgnoreRules(Path("/"))
    assert rules.folder("proc") is rules.folder("sys") is None
    assert rules.reason("proc/1/environ") == "noise"


def test_a_project_at_home_is_one(inline: Run, home: Path) -> None:
    assert "def total" in inline("pack", cwd=home / "shop", check=0).stdout


@pytest.mark.parametrize("sign", [".git", ".context"])
def test_a_home_folder_that_is_meant_is_a_workspace(inline: Run, home: Path, sign: str) -> None:
    (home / sign).mkdir()
    assert "Dear total" in inline("pack", cwd=home, check=0).stdout
