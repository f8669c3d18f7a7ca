"""A server over HTTP ends in peace while clients listen to it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from .session import COMMAND

TOKEN = "a-token-of-the-tests-0123456789"  # noqa: S105 - of no account
LONG = 30.0
VERSION = "2025-06-18"
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
HELLO = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server on an empty folder, and its address."""
    token = tmp_path / "token"
    token.write_text(TOKEN, "utf-8")
    token.chmod(0o600)
    root = tmp_path / "root"
    root.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--root", str(root), "--http", str(port), "--token-file", str(token)]
    process = subprocess.Popen([*COMMAND, *options], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    door = next(line.split()[-1] for line in process.stderr if "listening on " in line)
    yield process, door
    process.kill()
    process.wait(LONG)
    process.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_a_signal_ends_the_stream_that_a_client_listens_to(
    server: tuple[subprocess.Popen[str], str], number: signal.Signals
) -> None:
    process, door = server
    with httpx2.Client(headers=HEADERS, timeout=LONG) as client:
        asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
        session = client.post(door, json=asked).headers["mcp-session-id"]
        client.headers |= {"mcp-session-id": session, "mcp-protocol-version": VERSION}
        client.post(door, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        with client.stream("GET", door) as listening:
            assert listening.status_code == 200
            process.send_signal(number)
            assert list(listening.iter_lines()) == []  # it ends as it should, and is not broken off
    assert process.stderr is not None
    said = process.stderr.read()
    assert process.wait(LONG) == 0
    assert said == ""
