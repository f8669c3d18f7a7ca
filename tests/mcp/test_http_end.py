"""A server over HTTP ends in peace while clients listen to it, and while its threads are at work."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from ..memory.workspaces import write
from ..models.endpoints import serving, wait_until_asked
from .session import COMMAND

TOKEN = "a-token-of-the-tests-0123456789"  # noqa: S105 - of no account
LONG = 30.0
VERSION = "2025-06-18"
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
HELLO = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@contextmanager
def serve(tmp_path: Path, files: Mapping[str, str]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server on a folder with these files, and its address."""
    token = tmp_path / "token"
    token.write_text(TOKEN, "utf-8")
    token.chmod(0o600)
    root = tmp_path / "root"
    root.mkdir()
    write(root, files)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--root", str(root), "--http", str(port), "--token-file", str(token)]
    process = subprocess.Popen([*COMMAND, *options], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    door = next(line.split()[-1] for line in process.stderr if "listening on " in line)
    try:
        yield process, door
    finally:
        process.kill()
        process.wait(LONG)
        process.stderr.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server on an empty folder, and its address."""
    with serve(tmp_path, {}) as started:
        yield started


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


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_a_signal_ends_it_although_a_thread_waits_for_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("CONTEXTLS_HOME", str(home))
    with serving() as endpoint:
        endpoint.gate.clear()  # no vector comes, and indexing waits for minutes
        settings = f'embedder = "openai"\nembedderEndpoint = "{endpoint.url}"\nembedderModel = "words"\n'
        write(home, {"settings.toml": settings})
        with serve(tmp_path, {"cart.py": "def total(cart):\n    return sum(cart)\n"}) as (process, _):
            wait_until_asked(endpoint)
            process.terminate()
            assert process.wait(LONG) == 0
        endpoint.gate.set()
