"""Connections out of the machine.

Everything a user does, on an island: it works there, and the kernel saw nobody try to leave. See ``island``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ..cli.conftest import write_workspace
from ..mcp.session import COMMAND as MCP
from ..mcp.session import connect
from ..protocol.conftest import build_workspace
from ..protocol.wire import SERVER, Wire
from ..repositories import git
from .island import attempts, on_island

CLI = (sys.executable, "-m", "contextls.cli.main")
QUESTION = "how is kelvin converted?"
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("index",),
    ("assemble", QUESTION),
    ("pack", "--diffs", "--log", "2", "--max-tokens", "300"),
    ("ask", QUESTION),
    ("run", "--", "true"),
)
# The hook records in the background: the shell waits for it, so that what it does is counted.
HEARD = "for i in $(seq 60); do contextls events | grep -q /nowhere/at/all && break; sleep 0.5; done\nexit\n"
MORE_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("search", "deliver a letter"),
    ("entities",),
    ("graph", "Mailbox"),
    ("patterns",),
    ("task", "push", "convert temperatures"),
    ("pin", "app/mail.py"),
    ("activity",),
    ("compress", "app/mail.py", "--max-tokens", "20"),
    ("status",),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a remote, which nobody is to ask."""
    root = write_workspace(tmp_path_factory.mktemp("island") / "workspace")
    git(root, "init", "-q")
    git(root, "remote", "add", "origin", "https://example.org/weather.git")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Begin")
    return root


@pytest.mark.parametrize(
    "command",
    [*COMMANDS, *(pytest.param(command, marks=pytest.mark.long) for command in MORE_COMMANDS)],
    ids=lambda command: command[0],
)
def test_a_command_works_without_a_network_and_never_asks_for_one(
    place: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    counters = tmp_path / "counters"
    done = subprocess.run(
        on_island(counters, *CLI, *command),
        cwd=place,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert command[0] != "assemble" or "celsius_from_kelvin" in done.stdout
    assert attempts(counters) == {}


def test_a_shell_with_the_hook_records_and_stays_on_its_island(place: Path, tmp_path: Path) -> None:
    counters = tmp_path / "counters"
    here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = 'eval "$(contextls hook bash)"\nls /nowhere/at/all\n' + HEARD
    subprocess.run(
        on_island(counters, "bash", "--norc", "-i"),
        cwd=place, input=script, capture_output=True, text=True, timeout=120, env={**os.environ, "PATH": here}, check=False,
    )  # fmt: skip
    assert attempts(counters) == {}
    told = subprocess.run([*CLI, "events"], cwd=place, capture_output=True, text=True, check=True).stdout
    assert "ls /nowhere/at/all" in told


def test_a_session_of_the_server_works_without_a_network(start: Callable[..., Wire], tmp_path: Path) -> None:
    counters = tmp_path / "counters"
    wire = start(*on_island(counters, *SERVER))
    wire.initialize(build_workspace(tmp_path / "shop"))
    wire.ready()
    uri = wire.open("shop/cart.py")
    wire.change(uri, {"text": "def discount_for(total):\n    return 0\n"})
    assert "discount_for" in wire.assemble("how is the discount computed?")["content"]
    assert wire.request("context/search", {"query": "invoice"})["hits"]
    wire.request("context/recordEvent", {"type": "note", "content": {"text": "see https://example.org/"}})
    wire.request(
        "workspace/executeCommand", {"command": "contextls.reindex", "arguments": [{"rebuild": True}]}
    )
    wire.request(
        "workspace/executeCommand", {"command": "contextls.copyContext", "arguments": [{"query": "cart"}]}
    )
    wire.request("context/compress", {"text": "words " * 500, "maxTokens": 50})
    assert wire.end() == 0
    assert attempts(counters) == {}


@pytest.mark.parametrize(
    "attempt",
    [
        "socket.create_connection(('192.0.2.1', 443), 2)",
        "socket.create_connection(('127.0.0.1', 80), 2)",
        "socket.getaddrinfo('example.org', 443)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))",
    ],
)
def test_an_attempt_is_noticed(
    tmp_path: Path, record_property: Callable[[str, object], None], attempt: str
) -> None:
    """Or the tests above would prove nothing."""
    record_property("attacks", 0)
    counters = tmp_path / "counters"
    done = subprocess.run(
        on_island(counters, sys.executable, "-c", f"import socket; {attempt}"), capture_output=True
    )
    assert done.returncode == 1
    assert attempts(counters)


def test_a_session_of_an_agent_works_without_a_network(place: Path, tmp_path: Path) -> None:
    counters = tmp_path / "counters"
    with connect(command=on_island(counters, *MCP), cwd=place) as agent:
        assert "celsius_from_kelvin" in agent.call("assemble_context", query=QUESTION)["content"]
        agent.call("record_event", type="note", content={"text": "see https://example.org/"})
        agent.call("review_changes")
    assert attempts(counters) == {}
