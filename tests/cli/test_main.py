"""What all commands have in common: help, exit statuses, one clear line when something is wrong."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Run

COMMANDS = ["serve", "index", "search", "assemble", "events", "record", "status", "clear"]
LEAVES = [
    ["serve"],
    ["index"],
    ["search"],
    ["assemble"],
    ["events"],
    ["record", "shell_exec"],
    ["record", "file_read"],
    ["record", "file_write"],
    ["record", "error"],
    ["status"],
    ["clear"],
]
ON_A_ROOT = [
    ["index"],
    ["search", "mail"],
    ["search", "mail", "--no-index"],
    ["assemble", "mail"],
    ["events"],
    ["status"],
    ["clear", "--index", "--yes"],
]


def test_help_lists_every_command(contextls: Run) -> None:
    done = contextls("--help", check=0)
    listed = [line.split()[0] for line in done.stdout.partition("Commands:")[2].splitlines() if line.strip()]
    assert set(COMMANDS) <= set(listed)
    assert "ask" not in listed
    assert done.stderr == ""


@pytest.mark.parametrize("command", LEAVES, ids=" ".join)
def test_help_shows_examples_and_exit_statuses(inline: Run, command: list[str]) -> None:
    text = inline(*command, "--help", check=0).stdout
    assert "Examples:\n    contextls " + " ".join(command) in text
    assert "Exit status: 0 done; 1 nothing found" in text


def test_help_costs_little_more_than_the_library_that_prints_it() -> None:
    def cpu_seconds(*arguments: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # Both are measured side by side: what a second of a processor is worth depends on what else runs.
    pairs = (
        (cpu_seconds("-m", "contextls.cli.main", "--help"), cpu_seconds("-c", "import typer"))
        for _ in range(9)
    )
    assert any(help_page < 4 * library for help_page, library in pairs)


def test_version(inline: Run) -> None:
    from contextls import __version__

    assert inline("--version", check=0).stdout == f"contextls {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["serch"], "serch"),
        (["search"], "QUERY"),
        (["search", "mail", "--limit", "0"], "--limit"),
        (["search", "mail", "--limit", "many"], "--limit"),
        (["search", "mail", "--colour"], "--colour"),
        (["assemble"], "QUERY"),
        (["assemble", "mail", "--line", "3"], "--line"),
        (["record", "shell_exec", "--exit-code", "0"], "--command"),
        (["record", "shell_exec", "--command", "make"], "--exit-code"),
        (["record", "error", "--message", "x", "--line", "3"], "--line"),
        (["record", "party"], "party"),
        (["clear"], "--index"),
        (["serve", "--tcp", "70000"], "70000"),
        (["serve", "--tcp", "1234", "--stdio"], "--tcp"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_one_line_and_status_2(inline: Run, arguments: list[str], named: str) -> None:
    done = inline(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert named in done.stderr


@pytest.mark.parametrize("command", ON_A_ROOT, ids=" ".join)
def test_a_root_that_does_not_exist_is_status_2(inline: Run, tmp_path: Path, command: list[str]) -> None:
    missing = tmp_path / "missing"
    at = 2 if command[0] in ("search", "assemble") else 1
    done = inline(*command[:at], missing, *command[at:])
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert str(missing) in done.stderr


def test_a_root_that_is_a_file_is_status_2(inline: Run, workspace: Path) -> None:
    done = inline("status", workspace / "README.md")
    assert done.returncode == 2
    assert "README.md" in done.stderr


def test_state_that_cannot_be_written_is_status_3(contextls: Run, workspace: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "a-file"
    blocked.write_text("in the way")
    done = contextls("index", workspace, env={"CONTEXTLS_HOME": str(blocked)})
    assert done.returncode == 3
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert str(blocked) in done.stderr


def test_output_that_is_not_read_to_the_end_is_no_error(shared_workspace: Path) -> None:
    command = [sys.executable, "-m", "contextls.cli.main", "search", "mail", str(shared_workspace), "--json"]
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as nobody_reads:
        done = subprocess.run(command, stdout=nobody_reads, stderr=subprocess.PIPE, text=True, timeout=120)
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr
    assert done.returncode == 0
