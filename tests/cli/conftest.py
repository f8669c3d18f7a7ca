"""A small workspace and a way to run the command as a user does."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from contextls.agents.sockets import ask_running
from contextls.cli.client import Client, start_client
from contextls.cli.main import run

from ..memory.workspaces import write

Run = Callable[..., subprocess.CompletedProcess[str]]
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")  # as every command prints it

FILES = {
    "app/temperature.py": (
        '"""Temperatures."""\n\n\ndef celsius_from_kelvin(kelvin: float) -> float:\n'
        '    """Convert a temperature from kelvin to celsius."""\n    return kelvin - 273.15\n'
    ),
    "app/mail.py": (
        '"""Mail."""\n\n\nclass Mailbox:\n    """Keeps letters."""\n\n'
        "    def deliver(self, letter: str) -> None:\n"
        '        """Put a letter into the box."""\n        self.letters.append(letter)\n'
    ),
    "web/router.ts": (
        "/** Finds the handler of a path. */\nexport function matchRoute(path: string): Handler {\n"
        "  return routes.get(path) ?? notFound;\n}\n"
    ),
    "README.md": "# Sample\n\nA weather service that also delivers mail.\n",
    ".gitignore": "secret/\n",
    "secret/plan.md": "Do not read this.\n",
}


def write_workspace(root: Path) -> Path:
    return write(root, FILES)


def record_run(run: Run, root: Path, command: str, exit_code: int, *options: str) -> None:
    """Record that a command was run in the workspace at ``root``."""
    said = ("--root", root, "--command", command, "--exit-code", str(exit_code), *options)
    run("record", "shell_exec", *said, check=0)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder of its own, not a git checkout, nothing indexed yet."""
    return write_workspace(tmp_path / "workspace")


@pytest.fixture(scope="module")
def shared_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One workspace for the tests of a module that only read it."""
    return write_workspace(tmp_path_factory.mktemp("shared") / "workspace")


@pytest.fixture(scope="module")
def server(shared_workspace: Path) -> Iterator[Client]:
    """A server that has ``shared_workspace`` open and indexed, and answers commands and hooks."""
    with start_client([sys.executable, "-m", "contextls.cli.main", "serve"]) as client:
        folder = {"uri": shared_workspace.as_uri(), "name": shared_workspace.name}
        client.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": [folder]})
        client.notify("initialized", {})
        asked = {"agent": "codex", "root": str(shared_workspace)}
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (
            client.request("context/status", {})["state"] == "ready" and ask_running(asked, b"{}")
        ):
            time.sleep(0.1)
        yield client


@pytest.fixture(scope="session")
def inline(contextls_home: Path) -> Run:
    """Run the command within this process: the same code, without the cost of starting Python and LanceDB."""

    def run_here(
        *arguments: str | Path, cwd: Path | None = None, check: int | None = None
    ) -> subprocess.CompletedProcess[str]:
        out, err = io.StringIO(), io.StringIO()
        words = [str(argument) for argument in arguments]
        with chdir(cwd or contextls_home), redirect_stdout(out), redirect_stderr(err):
            status = run(words)
        if check is not None:
            assert status == check, err.getvalue()
        return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())

    return run_here


@pytest.fixture(scope="session")
def contextls(contextls_home: Path) -> Run:
    """Run the command in a process of its own, with pipes for all three streams."""

    def run_process(
        *arguments: str | Path,
        cwd: Path | None = None,
        stdin: str = "",
        env: Mapping[str, str] | None = None,
        check: int | None = None,
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "contextls.cli.main", *map(str, arguments)],
            cwd=cwd or contextls_home,
            input=stdin,
            env={**os.environ, **(env or {})},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
        if check is not None:
            assert done.returncode == check, done.stderr
        return done

    return run_process
