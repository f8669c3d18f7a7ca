"""The shell integrations, in real interactive shells: they tell what ran, and are never in the way."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import shutil
import subprocess
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import contextls
from contextls.engine import Engine

from .conftest import Run

SHELLS = [shell for shell in ("bash", "zsh", "fish") if shutil.which(shell)]
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
PROMPT = {
    "bash": "PS1='READY> '",
    "zsh": "PS1='READY> '",
    "fish": "function fish_prompt; echo -n 'READY> '; end",
}


class Terminal:
    """An interactive shell in a terminal of its own."""

    def __init__(self, shell: str, cwd: Path, env: dict[str, str]) -> None:
        self._own, theirs = pty.openpty()
        self._process = subprocess.Popen(
            START[shell],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env={**os.environ, "TERM": "dumb", "HISTFILE": os.devnull, **env},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # fish wants a terminal of its own
        )
        os.close(theirs)
        self.type(PROMPT[shell] + "; echo be''gin", "begin")

    def type(self, line: str, awaited: str) -> str:
        """Type a line and read until ``awaited`` is printed and the prompt is back; what was printed."""
        os.write(self._own, line.encode() + b"\n")
        read = b""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if select.select([self._own], [], [], 0.1)[0]:
                read += os.read(self._own, 65_536)
            _, found, rest = read.rpartition(awaited.encode()) if awaited else (b"", b"yes", read)
            if found and b"READY> " in rest:
                return read.decode(errors="replace")
        raise AssertionError(f"never printed {awaited!r} and a prompt: {read!r}")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._own)


def recorded(workspace: Path, count: int) -> list[dict[str, Any]]:
    """The commands recorded in a workspace, oldest first, once there are so many; a little later at that."""
    engine = Engine.open(workspace)
    try:
        deadline = time.monotonic() + 60
        while len(found := engine.events(100)) < count and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1.0)
        found = engine.events(100)
    finally:
        engine.close()
    return [dict(event.content) for event in sorted(found, key=lambda event: event.timestamp)]


@pytest.fixture
def terminal(request: pytest.FixtureRequest, contextls: Run, tmp_path: Path) -> Callable[..., Terminal]:
    def start(shell: str, cwd: Path, setup: str = "", **env: str) -> Terminal:
        script = tmp_path / f"hook.{shell}"
        script.write_text(contextls("hook", shell, check=0).stdout)
        terminal = Terminal(shell, cwd, env)
        request.addfinalizer(terminal.close)
        if setup:
            terminal.type(f"{setup}; echo set''up", "setup")
        terminal.type(f" source '{script}'; echo ho''oked", "hooked")
        return terminal

    return start


def test_there_is_a_bash_to_test_with() -> None:
    assert "bash" in SHELLS


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_are_recorded_with_their_ending(
    shell: str, terminal: Callable[..., Terminal], workspace: Path
) -> None:
    Engine.open(workspace).close()
    at = terminal(shell, workspace, setup="HISTCONTROL=ignoreboth" if shell == "bash" else "")
    at.type("sh -c 'sleep 0.2; echo do''ne; exit 3'", "done")
    at.type("sh -c 'sleep 0.2; echo do''ne; exit 3'", "done")
    at.type("  echo my secr''et", "my secret")
    at.type("", "")
    at.type("cd app; echo ag''ain", "again")
    # fish tells no time of its own: commands within one second may be stored in either order.
    first, second, third = sorted(recorded(workspace, 3), key=lambda told: -int(told["exitCode"]))
    assert first["command"] == second["command"] == "sh -c 'sleep 0.2; echo do''ne; exit 3'"
    assert (first["exitCode"], first["cwd"]) == (3, str(workspace))
    assert 150 <= first["durationMs"] < 20_000
    assert (third["command"], third["exitCode"]) == ("cd app; echo ag''ain", 0)
    assert "secret" not in json.dumps([first, second, third])


@pytest.mark.parametrize("shell", SHELLS)
def test_elsewhere_nothing_is_recorded_and_no_workspace_begun(
    shell: str, terminal: Callable[..., Terminal], tmp_path: Path, contextls_home: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    before = set((contextls_home / "state").glob("*"))
    terminal(shell, elsewhere).type("echo no''body", "nobody")
    time.sleep(1.5)
    assert set((contextls_home / "state").glob("elsewhere-*")) <= before


@pytest.mark.parametrize("shell", SHELLS)
def test_an_editor_that_records_its_terminals_itself_is_left_to_it(
    shell: str, terminal: Callable[..., Terminal], workspace: Path
) -> None:
    Engine.open(workspace).close()
    mark = "set --global VSCODE_SHELL_INTEGRATION 1" if shell == "fish" else "VSCODE_SHELL_INTEGRATION=1"
    inside = terminal(shell, workspace, setup=mark, CONTEXTLS_EDITOR="vscode")
    inside.type("echo recorded by the edi''tor", "recorded by the editor")
    # A multiplexer hides what runs in it from the editor.
    nested = terminal(shell, workspace, CONTEXTLS_EDITOR="vscode")
    nested.type("echo recorded by the ho''ok", "recorded by the hook")
    (event,) = recorded(workspace, 1)
    assert event["command"] == "echo recorded by the ho''ok"


def test_the_shells_own_habits_stay(terminal: Callable[..., Terminal], workspace: Path) -> None:
    Engine.open(workspace).close()
    setup = "PROMPT_COMMAND='LAST=$?'; trap 'COUNT=$((COUNT+1))' DEBUG; set -u; PS0='<'"
    at = terminal("bash", workspace, setup=setup)
    assert "<status 7 " in at.type("(exit 7)", "") + at.type('echo "status $LAST "$((COUNT > 3))', "1")
    (told, _) = recorded(workspace, 2)
    assert (told["command"], told["exitCode"]) == ("(exit 7)", 7)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_prompt_waits_less_than_ten_milliseconds(
    shell: str, terminal: Callable[..., Terminal], workspace: Path
) -> None:
    """The recorder is replaced by one that does nothing: what is measured is what the prompt itself waits for."""
    Engine.open(workspace).close()
    at = terminal(shell, workspace)
    loop = {
        "bash": "for i in {1..50}; do __contextls_began=1; __contextls_number=0; __contextls_precmd; done",
        "zsh": "for i in {1..50}; do __contextls_preexec ls; __contextls_precmd; done",
        "fish": "for i in (seq 50); __contextls_preexec ls; __contextls_postexec ls; end",
    }[shell]
    known = Path(os.environ["CONTEXTLS_HOME"]) / "state" / "workspaces"
    script = known.parent.parent / f"quiet.{shell}"
    text = (Path(contextls.__file__).parent / f"cli/hooks/hook.{shell}").read_text()
    script.write_text(
        text.replace("@KNOWN@", str(known)).replace("@COMMAND@", "command true").replace("hooked", "hooked2")
    )
    at.type("functions -e __contextls_postexec" if shell == "fish" else ":", "")
    at.type(f" source '{script}'; echo re''placed", "replaced")
    seconds = []
    for turn in range(20):  # a busy machine may spoil most of them
        began = time.monotonic()
        at.type(f" {loop}; echo fi''nished {turn}", f"finished {turn}")
        seconds.append((time.monotonic() - began) / 50)
        if seconds[-1] < 0.010:
            break
    assert min(seconds) < 0.010 * 3
