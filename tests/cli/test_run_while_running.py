"""Failures in a command that ``contextls run`` runs are known while it goes on."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Outcome

from .conftest import write_workspace

SECONDS = 60.0
TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # noqa: S105 - of no account
# A server as developers run one: it prints an error, begins again when a file has changed, and ends when it is told to.
SERVER = f"""
import os, sys, time

def wait_for(name):
    while not os.path.exists(name):
        time.sleep(0.05)

print("serving", flush=True)
wait_for("ask")
print('''ERROR app: GET /letters failed
Traceback (most recent call last):
  File "app/mail.py", line 9, in deliver
    self.letters.append(letter)
AttributeError: 'Mailbox' object has no attribute 'letters' (as {TOKEN})
half a line''', end="", file=sys.stderr, flush=True)
wait_for("mend")
print(" * Detected change in '/app/mail.py', reloading\\nserving", flush=True)
wait_for("end")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_workspace(tmp_path / "workspace")
    (root / "server.py").write_text(SERVER, "utf-8")
    return root


@pytest.fixture
def server(root: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server that runs, and was asked for what breaks it."""
    command = [sys.executable, "-m", "contextls.cli.main", "run", "--", sys.executable, "server.py"]
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stdout.readline() == b"serving\n"
    (root / "ask").touch()
    with process:
        yield process
        process.terminate()


def wait_for_outcome(engine: Engine, outcome: Outcome | None) -> None:
    """Wait until the newest run has this outcome."""
    deadline = time.monotonic() + SECONDS
    while True:
        runs = [event for event in engine.events(20) if event.type == "shell_exec"]
        if runs and runs[0].outcome is outcome:
            return
        assert time.monotonic() < deadline, runs
        time.sleep(0.1)


def ask(engine: Engine, query: str) -> str:
    return engine.assemble(AssembleRequest(query, max_tokens=2000)).content


def test_an_error_of_a_server_is_known_until_the_server_begins_again(
    root: Path, server: subprocess.Popen[bytes]
) -> None:
    with Engine.open(root) as engine:
        engine.index()
        wait_for_outcome(engine, Outcome.FAILURE)
        assert server.poll() is None
        said = ask(engine, "why does the page crash?")
        assert "AttributeError: 'Mailbox' object has no attribute 'letters'" in said
        assert "at `app/mail.py:9`" in said
        assert "def deliver" in said
        assert TOKEN not in said
        assert "half a line" not in said

        (root / "mend").touch()
        wait_for_outcome(engine, Outcome.SUCCESS)
        assert server.poll() is None
        assert "No failure is open" in ask(engine, "why did the last run fail?")
        (root / "end").touch()
        assert server.wait(SECONDS) == 0
        assert "No failure is open" in ask(engine, "why did the last run fail?")


def test_an_error_of_a_server_that_was_stopped_with_it_stays_open(
    root: Path, server: subprocess.Popen[bytes]
) -> None:
    with Engine.open(root) as engine:
        engine.index()
        wait_for_outcome(engine, Outcome.FAILURE)
        server.terminate()
        assert server.wait(SECONDS) == 143
        said = ask(engine, "why did the last run fail?")
        assert "half a line" in said
        assert "at `app/mail.py:9`" in said
