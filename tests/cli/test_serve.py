from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from contextls.cli.client import ServerError, start_client
from contextls.cli.commands.serve import address_in

from .conftest import Run
from .terminals import Terminal


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("8765", ("127.0.0.1", 8765)),
        (":1", ("127.0.0.1", 1)),
        ("localhost:65535", ("localhost", 65535)),
        ("[::1]:80", ("::1", 80)),
    ],
)
def test_a_port_or_an_address_with_one_is_read(text: str, address: tuple[str, int]) -> None:
    assert address_in(text) == address


@pytest.mark.parametrize("text", ["", "port", "0", "65536", "1.5", "host:", "-1", "٣"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        address_in(text)


@pytest.mark.parametrize("options", [[], ["--stdio"]], ids=["default", "--stdio"])
def test_serve_speaks_lsp_over_stdio(options: list[str]) -> None:
    with start_client([sys.executable, "-m", "contextls.cli.main", "serve", *options]) as client:
        answer = client.request("initialize", {"processId": None, "capabilities": {}, "rootUri": None})
        assert answer["serverInfo"]["name"] == "contextls"
        client.notify("initialized", {})


def test_serve_listens_on_a_port(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token = tmp_path / "token"
    command = [
        sys.executable,
        "-m",
        "contextls.cli.main",
        "serve",
        "--tcp",
        str(port),
        "--token-file",
        str(token),
    ]
    process = subprocess.Popen(command)
    try:
        with _connected(port) as connection:
            options = {"token": token.read_text().strip()}
            params = {"processId": None, "capabilities": {}, "initializationOptions": options}
            message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
            body = json.dumps(message).encode()
            connection.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            assert b'"contextls"' in connection.recv(65536)
    finally:
        process.terminate()
        process.wait(60)


@pytest.mark.parametrize(("command", "client"), [("serve", "an editor"), ("mcp", "an agent")])
def test_a_person_at_a_terminal_is_told_what_the_server_waits_for(
    tmp_path: Path, command: str, client: str
) -> None:
    terminal = Terminal("bash", tmp_path, {})
    shown = terminal.send(f"{sys.executable} -m contextls.cli.main {command}\n", "Ctrl-C ends it")
    assert f"contextls: waiting for {client}, which speaks" in shown
    terminal.send("\x03", "READY> ")
    terminal.close()


def test_a_port_that_is_taken_is_one_line(contextls: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = contextls("serve", "--tcp", str(taken.getsockname()[1]))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "in use" in done.stderr


def test_ask_prints_the_prompt_of_a_real_server(contextls: Run, workspace: Path) -> None:
    done = contextls("ask", "how is kelvin converted?", workspace, "--budget", "900", check=0)
    assert "celsius_from_kelvin" in done.stdout
    assert len(done.stderr.splitlines()) == 1
    assert "of 900 tokens" in done.stderr
    assert "0 chunks" not in done.stderr


def test_ask_passes_on_what_the_server_objects_to(contextls: Run, workspace: Path, tmp_path: Path) -> None:
    done = contextls("ask", "how?", workspace, "--budget", "1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "maxTokens" in done.stderr
    missing = contextls("ask", "how?", tmp_path / "missing")
    assert (missing.returncode, missing.stdout) == (2, "")


def test_a_server_that_ends_is_reported_with_its_last_words() -> None:
    code = "import sys; sys.stdin.readline(); print('one', file=sys.stderr); sys.exit('out of coffee')"
    with (
        pytest.raises(ServerError, match="status 1: out of coffee"),
        start_client([sys.executable, "-c", code]) as client,
    ):
        client.request("initialize", {})


def _connected(port: int) -> socket.socket:
    deadline = time.monotonic() + 60
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=30)
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
