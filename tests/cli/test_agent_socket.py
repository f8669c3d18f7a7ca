"""Hooks beside a running server: they hand it what the agent said, and load nothing themselves."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from contextls.agents.sockets import ask_running
from contextls.cli.agent_hook import read_arguments, respond
from contextls.cli.client import Client
from contextls.engine import Engine
from contextls.workspace.state_folders import state_folders

from .test_agent_hooks import context_in, given, inputs, run_hook, short

LIGHT = """
import sys
from contextls.cli.agent_hook import read_arguments, respond
arguments = read_arguments(sys.argv[1:])
print(respond(arguments, arguments.payload or sys.stdin.buffer.read()))
print([name for name in ("contextls.model", "contextls.settings", "contextls.text.gate", "typer") if name in sys.modules])
"""
UNSAVED = '"""Unsaved."""\n\n\ndef rankine_from_kelvin(kelvin: float) -> float:\n    return kelvin * 1.8\n'


@pytest.fixture(scope="module")
def root(shared_workspace: Path) -> Path:
    return shared_workspace


@pytest.fixture(scope="module")
def server(server: Client, root: Path) -> Client:
    """One whose editor shows a file that was never saved."""
    document = {
        "uri": (root / "app/rankine.py").as_uri(),
        "languageId": "python",
        "version": 1,
        "text": UNSAVED,
    }
    server.notify("textDocument/didOpen", {"textDocument": document})
    server.request("context/assemble", {"query": "rankine", "maxTokens": 500})
    return server


def _asked(header: dict[str, Any], said: bytes, root: Path) -> dict[str, Any] | None:
    return ask_running({**header, "root": str(root)}, said)


@pytest.mark.usefixtures("server")
def test_what_is_done_reaches_the_server_and_the_hook_loads_nothing(root: Path) -> None:
    event, payload = inputs("claude-code")["failed"]
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, "claude-code", event],
        input=given(payload, root),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().splitlines() == ["", "[]"]
    engine = Engine.open(root)
    found = [short(event) for event in engine.events()]
    engine.close()
    assert ("shell_exec", "pytest -q", 1) in found
    assert ("error", "app/temperature.py", 6) in found


@pytest.mark.usefixtures("server")
def test_a_shell_tells_it_as_well(root: Path) -> None:
    words = (
        f"shell --root={root} --cwd={root}/app --exit-code=3 --at-ms=1795000000000 --duration-ms=40".split()
    )
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, *words, "--command=echo 'a b' | wc"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().splitlines() == ["", "[]"]
    engine = Engine.open(root)
    (event,) = [event for event in engine.events() if event.content.get("durationMs") == 40]
    engine.close()
    assert event.timestamp == 1_795_000_000_000
    assert event.content["command"] == "echo 'a b' | wc"
    assert (event.content["exitCode"], event.content["cwd"]) == (3, f"{root}/app")


def test_a_command_is_told_once_where_the_server_dies_before_it_answers(server: Client, root: Path) -> None:
    listening = state_folders().sockets / str(server._process.pid)
    hidden = listening.rename(listening.with_name("hidden"))
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(listening))
        door.listen()
        relay = threading.Thread(target=_pass_on_and_hang_up, args=(door, hidden))
        relay.start()
        words = f"shell --root={root} --cwd={root} --exit-code=0 --command=told-once".split()
        subprocess.run([sys.executable, "-m", "contextls.cli.agent_hook", *words], check=True)
        relay.join()
    hidden.rename(listening)
    engine = Engine.open(root)
    found = [event for event in engine.events() if event.content.get("command") == "told-once"]
    engine.close()
    assert len(found) == 1


def _pass_on_and_hang_up(door: socket.socket, real: Path) -> None:
    """Hand one call to the server that listens at ``real``, and keep its answer back."""
    caller, _ = door.accept()
    with caller, socket.socket(socket.AF_UNIX) as server:
        server.connect(str(real))
        while block := caller.recv(65_536):
            server.sendall(block)
        server.shutdown(socket.SHUT_WR)
        while server.recv(65_536):
            pass


@pytest.mark.usefixtures("server")
def test_a_prompt_sees_what_the_editor_has_not_saved(root: Path) -> None:
    event, payload = inputs("claude-code")["prompt"]
    asked = given({**payload, "prompt": "how does rankine_from_kelvin work?"}, root)
    command = f"{sys.executable} -I -m contextls.cli.agent_hook claude-code {event}"
    done = run_hook(command, asked, root)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "kelvin * 1.8" in context_in(json.loads(done.stdout))


@pytest.mark.usefixtures("server")
def test_only_the_user_reaches_it() -> None:
    assert stat.S_IMODE(state_folders().sockets.stat().st_mode) == 0o700
    for listening in state_folders().sockets.iterdir():
        assert stat.S_IMODE(listening.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\n",
        b"{}",
        b"[]\n{}",
        b'{"agent": 7}\n{}',
        b'{"agent": "codex"}\n[',
        b"\xff\n\xff",
        b"x" * 1_000_000,
    ],
)
def test_nothing_that_is_sent_ends_the_server(server: Client, root: Path, message: bytes) -> None:
    assert ask_running({"agent": "codex", "root": "/nowhere"}, b"{}") is None  # what a killed one left goes
    for listening in state_folders().sockets.iterdir():
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(30)
            connection.connect(str(listening))
            connection.sendall(message)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(65_536)
    assert _asked({"agent": "codex"}, b"{}", root) == {"mine": True, "answer": ""}
    assert server.request("context/status", {})["root"] == str(root.resolve())


@pytest.mark.usefixtures("server")
def test_what_goes_wrong_there_fails_no_agent(root: Path) -> None:
    done = run_hook(f"{sys.executable} -I -m contextls.cli.agent_hook nobody --root={root}", b"{}", root)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"no agent is called 'nobody'" in done.stderr


@pytest.mark.usefixtures("server")
def test_another_workspace_is_left_to_the_hook_itself(workspace: Path) -> None:
    Engine.open(workspace).close()
    event, payload = inputs("claude-code")["passed"]
    assert respond(read_arguments(["claude-code", event]), given(payload, workspace)) == ""
    engine = Engine.open(workspace)
    assert [short(event) for event in engine.events()] == [("shell_exec", "pytest -q", 0)]
    engine.close()


def test_a_socket_that_nobody_listens_at_goes() -> None:
    state_folders().sockets.mkdir(parents=True, exist_ok=True)
    left = state_folders().sockets / str(4_194_303 + os.getpid())
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(left))
    assert ask_running({"agent": "codex", "root": "/nowhere"}, b"{}") is None
    assert not left.exists()
