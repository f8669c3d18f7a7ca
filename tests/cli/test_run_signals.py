"""``contextls run`` that is asked to end asks the command, and remembers how that ended; it ends with the command."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from .conftest import Run
from .terminals import BEGIN, HEED_SIGNALS, recorded

RUN = [sys.executable, "-m", "contextls.cli.main", "run"]
TIDY = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: (os.write(1, b"tidied up\\n"), sys.exit(7)))
print("under way", flush=True)
time.sleep(60)
"""
LEAVES_ONE_BEHIND = "sleep 300 & echo under way; wait"
PRINTS_FOR_EVER = "echo under way; (echo y; : > {told}; exec yes) & until [ -e {told} ]; do sleep 0.05; done"
STARTS_A_SERVER = "(read _ < {go}; echo served; echo {two} >&2; echo alive > {told}) & echo under way"


def start(root: Path, command: Sequence[str]) -> subprocess.Popen[str]:
    """A run that printed its first line already."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", HEED_SIGNALS, *RUN, "--root", str(root), "--", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "under way\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_command_is_asked_to_end_and_its_end_is_recorded(workspace: Path, number: int) -> None:
    script = TIDY.replace("SIGTERM", signal.Signals(number).name)
    process = start(workspace, [sys.executable, "-c", script])
    process.send_signal(number)
    printed, _ = process.communicate(timeout=30)
    assert (process.returncode, printed) == (7, "tidied up\n")
    (content,) = recorded(workspace, 1)
    assert (content["exitCode"], content["stdout"]) == (7, "under way\ntidied up\n")


def test_what_the_command_left_running_is_not_waited_for(workspace: Path) -> None:
    process = start(workspace, ["sh", "-c", LEAVES_ONE_BEHIND])
    process.terminate()
    assert process.wait(30) == 128 + signal.SIGTERM
    (content,) = recorded(workspace, 1)
    assert content["exitCode"] == 128 + signal.SIGTERM
    os.killpg(process.pid, signal.SIGKILL)


def test_what_runs_on_is_not_waited_for_and_goes_on_printing(workspace: Path, tmp_path: Path) -> None:
    go, told = tmp_path / "go", tmp_path / "told"
    os.mkfifo(go)
    process = start(workspace, ["sh", "-c", STARTS_A_SERVER.format(go=go, told=told, two="to both")])
    assert process.wait(30) == 0
    (content,) = recorded(workspace, 1)
    assert (content["stdout"], content["stderr"]) == ("under way\n", "")
    go.write_text("\n")
    # Our pipes end with what runs on, as they would without us.
    assert process.communicate(timeout=30) == ("served\n", "to both\n")
    assert told.read_text() == "alive\n"


def test_what_prints_for_ever_is_not_waited_for(workspace: Path, tmp_path: Path) -> None:
    process = start(workspace, ["sh", "-c", PRINTS_FOR_EVER.format(told=tmp_path / "told")])
    assert process.stdout is not None
    while process.poll() is None:
        process.stdout.read(1_000)
    assert process.returncode == 0
    (content,) = recorded(workspace, 1)
    assert content["stdout"].startswith("under way\ny\n")
    os.killpg(process.pid, signal.SIGKILL)


def test_a_terminal_that_is_closed_ends_the_command_and_that_is_recorded(workspace: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", BEGIN, *RUN, "--", sys.executable, "-c", TIDY],
        cwd=workspace,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    while b"under way" not in shown:
        shown += os.read(ours, 1_000)
    os.close(ours)
    assert process.wait(30) == 128 + signal.SIGHUP
    (content,) = recorded(workspace, 1)
    assert content["exitCode"] == 128 + signal.SIGHUP


def test_a_reader_that_goes_away_ends_the_command_as_without_us(workspace: Path) -> None:
    process = start(workspace, ["sh", "-c", "echo under way; exec yes"])
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(30) == 128 + signal.SIGPIPE
    (content,) = recorded(workspace, 1)
    assert content["stdout"].startswith("under way\ny\n")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["no-such-program", "-x"], "no-such-program: command not found"),
        (
            ["echo hi && ls"],
            "echo hi && ls: command not found; for a line of the shell: contextls run -- sh -c 'echo hi && ls'",
        ),
    ],
)
def test_a_command_that_is_not_there_is_told(
    inline: Run, workspace: Path, command: list[str], told: str
) -> None:
    done = inline("run", "--root", workspace, "--", *command, check=127)
    assert done.stderr == f"contextls: {told}\n"
