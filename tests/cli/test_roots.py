"""The workspace is named alike wherever one is: as the last argument, or by ``--root``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
import typer.main

from contextls.cli.app import build_app

from ..repositories import git
from .conftest import Run

# Of these another argument may be left out, or be many: --root alone says what is meant.
ONLY_AS_OPTION = {
    *("run", "pack", "scope set", "task pop", "task block", "working-set undo"),
    *("mcp", "hook"),
}


def commands(
    group: Any,  # noqa: ANN401 - a private type
    before: str = "",
) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def test_every_command_with_a_workspace_takes_it_in_both_ways() -> None:
    one_way = set()
    for name, command in commands(typer.main.get_command(build_app())):
        ways = {each.param_type_name for each in command.params if each.name.startswith("root")}
        if len(ways) == 1:
            one_way.add(name)
    assert one_way == ONLY_AS_OPTION


@pytest.mark.parametrize(
    "typed",
    [
        ("chat", "list"),
        ("task", "show"),
        ("scope", "show"),
        ("status",),
        ("entities", "Mailbox"),
        ("search", "Mailbox"),
        ("pin", "README.md"),
    ],
    ids=" ".join,
)
def test_a_workspace_as_argument_or_as_option_gives_the_same_output(
    inline: Run, workspace: Path, typed: tuple[str, ...]
) -> None:
    inline("index", workspace, check=0)
    as_argument = inline(*typed, workspace, check=0)
    assert inline(*typed, "--root", workspace, check=0).stdout == as_argument.stdout


def test_the_workspace_is_named_once(inline: Run, workspace: Path) -> None:
    done = inline("status", workspace, "--root", workspace)
    assert done.returncode == 2
    assert "ROOT/--root: name the workspace once" in done.stderr


def test_the_folder_before_the_question_is_told(inline: Run, workspace: Path) -> None:
    for command in ("assemble", "search"):
        said = inline(command, workspace, "where is the total computed?", check=2).stderr
        assert "total computed?: no such folder; give the path of an existing workspace, after QUERY" in said


def test_many_questions_are_asked_of_the_workspace_that_is_named(
    inline: Run, workspace: Path, tmp_path: Path
) -> None:
    asked = tmp_path / "asked.jsonl"
    asked.write_text('{"query": "letters"}\n')
    assert "app/mail.py" in inline("search", "--batch", asked, "--root", workspace, check=0).stdout


@pytest.mark.parametrize(
    "typed",
    [("status", ""), ("clear", "", "--events", "--yes"), ("task", "show", "--root", ""), ("tokens", "")],
)
def test_an_empty_name_is_not_taken_for_the_current_folder(
    inline: Run, workspace: Path, typed: tuple[str, ...]
) -> None:
    done = inline(*typed, cwd=workspace)
    assert done.returncode == 2
    assert "expected a path, got ''" in done.stderr


def test_a_folder_inside_a_known_workspace_is_a_part_of_it(
    contextls: Run, inline: Run, workspace: Path
) -> None:
    inline("index", workspace)
    here = workspace / "app"
    ran = contextls("run", "--", "true", cwd=here)
    assert f"in {workspace}, the known workspace around this folder" in ran.stderr
    assert "true" in inline("events", workspace).stdout
    assert "web/router.ts" in inline("search", "matchRoute", cwd=here).stdout
    inline("pin", "mail.py", cwd=here)
    assert "app/mail.py" in inline("pins", workspace).stdout


def test_a_folder_that_is_named_is_a_workspace_of_its_own(
    contextls: Run, inline: Run, workspace: Path
) -> None:
    inline("index", workspace)
    here = workspace / "app"
    assert "router" not in inline("search", "matchRoute", ".", cwd=here, check=1).stdout
    assert "around" not in contextls("run", "--", "true", cwd=here).stderr


@pytest.mark.parametrize(
    "look", [("status",), ("events",), ("activity",), ("patterns",), ("clear", "--index", "--yes")]
)
def test_who_only_looks_at_a_folder_makes_it_no_workspace(
    inline: Run, workspace: Path, look: tuple[str, ...]
) -> None:
    inline("index", workspace, check=0)
    inline(*look, "--root", workspace / "app")
    done = inline("assemble", "celsius", cwd=workspace / "app", check=0)
    assert f"in {workspace}, the known workspace around this folder" in done.stderr


def test_nothing_around_a_folder_is_deleted(contextls: Run, inline: Run, workspace: Path) -> None:
    contextls("run", "--root", workspace, "--", "true")
    inline("clear", "--yes", cwd=workspace / "app")
    assert "true" in inline("events", workspace).stdout


def test_a_repository_inside_a_known_workspace_is_no_part_of_it(
    contextls: Run, inline: Run, workspace: Path
) -> None:
    inline("index", workspace)
    here = workspace / "app"
    git(here, "init", "-q")
    assert "around" not in contextls("run", "--", "true", cwd=here).stderr
    assert "no events" in inline("events", workspace).stderr


@pytest.fixture
def deleted(tmp_path: Path) -> Iterator[Path]:
    """The current folder, which is gone."""
    folder = tmp_path / "deleted"
    folder.mkdir()
    with chdir(folder):
        folder.rmdir()
        yield folder


@pytest.mark.parametrize("words", [("status",), ("search", "mail"), ("pack",), ("ask", "mail")], ids=" ".join)
def test_a_current_folder_that_was_deleted_is_told(deleted: Path, words: tuple[str, ...]) -> None:
    assert not deleted.exists()
    done = subprocess.run(
        [sys.executable, "-m", "contextls.cli.main", *words], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert done.stderr == "contextls: the current folder was deleted; go to one that exists\n"


def test_a_command_that_deletes_its_folder_ends_as_it_ends(contextls: Run, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    done = contextls("run", "--", "sh", "-c", "rmdir ../here; exit 3", cwd=tmp_path / "here", check=3)
    assert done.stderr == "contextls: not recorded: the current folder was deleted\n"


def test_a_command_runs_in_a_deleted_folder_as_it_would_without(
    deleted: Path, shared_workspace: Path
) -> None:
    assert not deleted.exists()
    command = ("run", "--root", shared_workspace, "--", "sh", "-c", "echo ran; exit 5")
    done = subprocess.run(
        [sys.executable, "-m", "contextls.cli.main", *map(str, command)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (5, "ran\n")
