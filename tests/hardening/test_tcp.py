"""Strangers at the port of ``serve --tcp``."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import socket
import ssl
import stat
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from contextls.access import AccessToken

from ..protocol.wire import SERVER, Json

SECONDS = 30.0
STARTED = 8


class Served:
    """One server process that listens on a port of its own."""

    def __init__(self, *options: str | Path) -> None:
        command = [*SERVER, "--tcp", "0", *map(str, options)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.said: list[str] = []
        self.address = ("", 0)
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.search(r"listening on (127\.0\.0\.1):(\d+)$", line):
                self.address = (found[1], int(found[2]))
                break

    @property
    def token(self) -> str:
        (line,) = [line for line in self.said if "token" in line]
        return line.split()[-1]

    def connect(self) -> socket.socket:
        return socket.create_connection(self.address, SECONDS)

    def answer(self, data: bytes) -> bytes:
        """All that comes back for ``data`` until the server closes the connection."""
        with self.connect() as connection:
            connection.sendall(data)
            return _until_closed(connection)

    def end(self) -> str:
        """What it said since it listens; it is ended."""
        self.process.kill()
        _, said = self.process.communicate(timeout=SECONDS)
        return said


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    server = Served()
    yield server
    server.end()


@pytest.fixture(autouse=True)
def lives(request: pytest.FixtureRequest) -> Iterator[None]:
    """After each attack on it the shared server still lives."""
    yield
    if "served" in request.fixturenames:
        assert request.getfixturevalue("served").process.poll() is None


def framed(message: Json) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def initialize(options: Json = None) -> bytes:
    params = {"processId": None, "capabilities": {}, "initializationOptions": options}
    return framed({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})


def _until_closed(connection: socket.socket) -> bytes:
    connection.settimeout(SECONDS)
    data = b""
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(65536):
            data += piece
    return data


HTTP = {
    "GET": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "POST from a foreign page": b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 300\r\n\r\n" + initialize(),
    "POST that begins with a header": b"content-type: x\r\nHost: 127.0.0.1\r\n\r\n" + initialize(),
    "garbage": bytes(range(256)) * 40,
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 500,
    "a length of 10^12": b"Content-Length: 1000000000000\r\n\r\n{",
    "a negative length": b"Content-Length: -5\r\n\r\n{}{}{}",
    "an endless header": b"Content-Length: 5\r\n" + b"content-x: y\r\n" * 1000,
    "no JSON": b"Content-Length: 9\r\n\r\n{{{{{{{{{",
    "nested JSON": b"Content-Length: 200000\r\n\r\n" + b"[" * 200_000,
    "another method": framed({"jsonrpc": "2.0", "id": 1, "method": "context/status", "params": {}}),
    "a list": framed([]),
    "a notification": framed({"jsonrpc": "2.0", "method": "exit"}),
}


@pytest.mark.parametrize("data", HTTP.values(), ids=HTTP.keys())
def test_what_does_not_begin_a_session_is_closed_without_an_answer(served: Served, data: bytes) -> None:
    assert served.answer(data) == b""


@pytest.mark.parametrize(
    "options",
    [
        None,
        {},
        [],
        "token",
        {"token": None},
        {"token": ""},
        {"token": 1},
        {"token": "guess"},
        {"token": "é\ud800"},
        {"contextls": {"token": "guess"}},
        {"contextls": "guess"},
    ],
    ids=lambda value: ascii(value),
)
def test_without_the_token_nobody_is_served(served: Served, options: Json) -> None:
    answer = served.answer(initialize(options) + framed({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"Content-Length:")
    refusal = json.loads(body)
    assert (refusal["id"], refusal["error"]["code"]) == (1, -32001)
    assert "initializationOptions.token" in refusal["error"]["message"]
    assert "result" not in refusal


def test_a_tls_handshake_fails_at_once(served: Served) -> None:
    context = ssl.create_default_context()
    with served.connect() as connection, pytest.raises((ssl.SSLError, OSError)):
        context.wrap_socket(connection, server_hostname="localhost")


def test_silent_connections_shut_nobody_out(served: Served) -> None:
    with contextlib.ExitStack() as held:
        for _ in range(40):
            held.enter_context(served.connect())
        begun = time.monotonic()
        assert b"not authenticated" in served.answer(initialize({"token": "guess"}))
        assert time.monotonic() - begun < SECONDS


def test_guesses_are_answered_ever_later() -> None:
    server = Served()
    try:
        times = []
        for _ in range(4):
            begun = time.monotonic()
            server.answer(initialize({"token": "guess"}))
            times.append(time.monotonic() - begun)
        assert times[3] >= 1.0
    finally:
        server.end()


def test_after_all_of_this_the_client_with_the_token_is_served() -> None:
    server = Served()
    try:
        for data in (HTTP["GET"], HTTP["garbage"], initialize({"token": "guess"})):
            server.answer(data)
        with server.connect() as connection:
            connection.sendall(initialize({"token": server.token, "maxTokens": 900}))
            connection.settimeout(SECONDS)
            assert b'"serverInfo"' in connection.recv(65536)
            with pytest.raises(OSError, match="refused"):
                server.connect()
            connection.sendall(framed({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}))
            assert b'"id": 2' in connection.recv(65536)
            connection.sendall(framed({"jsonrpc": "2.0", "method": "exit"}))
            assert server.process.wait(SECONDS) == 0
        token = server.token
    finally:
        said = server.end()
    assert token not in said
    assert "guess" not in said


def test_the_token_may_lie_in_a_file_that_nobody_else_reads(tmp_path: Path) -> None:
    file = tmp_path / "token"
    server = Served("--token-file", file)
    try:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        token = file.read_text().strip()
        assert len(token) >= 40
        assert token not in "".join(server.said)
        with server.connect() as connection:
            connection.sendall(initialize({"contextls": {"token": token}}))
            connection.settimeout(SECONDS)
            assert b'"serverInfo"' in connection.recv(65536)
    finally:
        assert token not in server.end()
    again = Served("--token-file", file)
    try:
        assert file.read_text().strip() == token
    finally:
        again.end()


def test_all_that_start_at_once_with_a_new_file_get_the_same_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = threading.Barrier(STARTED, timeout=SECONDS)
    make = secrets.token_urlsafe

    def make_at_once(size: int) -> str:
        at_once.wait()  # until none has put one there, and all have one to put
        return make(size)

    monkeypatch.setattr(secrets, "token_urlsafe", make_at_once)
    file = tmp_path / "token"
    with ThreadPoolExecutor(STARTED) as starting:
        tokens = list(starting.map(AccessToken.from_file, [file] * STARTED))
    assert {token.reveal() for token in tokens} == {file.read_text("ascii").strip()}
    assert list(tmp_path.iterdir()) == [file]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def _refused(*options: str | Path) -> str:
    done = subprocess.run(
        [*SERVER, "--tcp", "0", *map(str, options)],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("made", ["readable by others", "short", "a link", "a folder", "a pipe", "huge"])
def test_a_token_file_that_is_not_private_is_refused(tmp_path: Path, made: str) -> None:
    file = tmp_path / "token"
    if made == "a folder":
        file.mkdir()
    elif made == "a pipe":
        os.mkfifo(file, 0o600)
    elif made == "a link":
        (tmp_path / "real").write_text("x" * 40)
        (tmp_path / "real").chmod(0o600)
        file.symlink_to(tmp_path / "real")
    else:
        file.write_text({"short": "abc", "huge": "x" * 1_000_000}.get(made, "x" * 40))
        file.chmod(0o644 if made == "readable by others" else 0o600)
    assert "--token-file" in _refused("--token-file", file)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])  # noqa: S104 - refused
def test_other_machines_are_let_in_only_where_that_is_said(host: str) -> None:
    said = _refused("--host", host)
    assert "--allow-remote" in said
    assert "encrypted" in said


def test_what_letting_them_in_means_is_said_in_words() -> None:
    command = [*SERVER, "--tcp", "0", "--host", "0.0.0.0", "--allow-remote"]  # noqa: S104 - for a moment, with a token
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = [next(process.stderr) for _ in range(3)]
        process.kill()
    assert any("other machines can connect" in line and "encrypted" in line for line in said)
    assert any("token" in line for line in said)
