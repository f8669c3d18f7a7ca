"""From ``initialize`` to ``exit``, and every way in which a session can go wrong."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from contextls import __version__

from .wire import SERVER, Json, Wire, WireError, until

Start = Callable[..., Wire]


def test_initialize_says_who_we_are(start: Start) -> None:
    answer = start().initialize()
    assert answer["serverInfo"] == {"name": "contextls", "version": __version__}
    capabilities = answer["capabilities"]
    ours = capabilities["experimental"]["contextls"]
    assert ours["version"] == __version__
    assert {"context/assemble", "context/recordEvent", "context/didFocus"} <= set(ours["methods"])
    assert ours["notifications"] == ["context/didChangeMemory"]
    assert capabilities["textDocumentSync"]["openClose"] is True
    assert capabilities["textDocumentSync"]["change"] == 2
    assert capabilities["textDocumentSync"]["save"] == {"includeText": False}
    assert capabilities["workspace"]["workspaceFolders"] == {"supported": True, "changeNotifications": True}
    assert set(capabilities["executeCommandProvider"]["commands"]) == {
        "contextls.copyContext",
        "contextls.reindex",
        "contextls.showStatus",
    }


def test_initialize_is_answered_before_anything_heavy_is_loaded(start: Start, workspace: Path) -> None:
    wire = start(sys.executable, "-X", "importtime", "-m", "contextls.lsp")
    folders = [{"uri": workspace.as_uri(), "name": "shop"}]
    wire.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": folders})

    def loaded() -> set[str]:
        return set(re.findall(r"\| +(\S+)$", wire.log.decode(), re.MULTILINE))

    until(lambda: "pygls" in loaded(), 60)
    assert not loaded() & {"lancedb", "pyarrow", "numpy", "contextls.engine", "tree_sitter", "tiktoken"}


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-32", "utf-8"], "utf-32"),
        (["utf-16"], "utf-16"),
        (["utf-7"], "utf-16"),
        (None, "utf-16"),
    ],
)
def test_position_encoding_is_the_clients_first_choice(
    start: Start, offered: list[str] | None, chosen: str
) -> None:
    answer = start().initialize(capabilities={"general": {"positionEncodings": offered}} if offered else {})
    assert answer["capabilities"]["positionEncoding"] == chosen


def test_shutdown_then_exit_is_0(start: Start) -> None:
    wire = start()
    wire.initialize()
    assert wire.end() == 0


def test_shutdown_is_answered_while_the_client_owes_an_answer(start: Start, workspace: Path) -> None:
    wire, method = start(), "client/registerCapability"
    wire.unanswered.add(method)
    watched = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
    wire.initialize(workspace, capabilities={"workspace": watched})
    wire.wait(lambda message: message.get("method") == method)
    assert wire.end() == 0
    assert "Traceback" not in wire.whole_log()


def test_exit_without_shutdown_is_1(start: Start) -> None:
    wire = start()
    wire.initialize()
    wire.notify("exit")
    assert wire.process.wait(60) == 1


def test_exit_before_initialize_is_1(start: Start) -> None:
    wire = start()
    wire.notify("exit")
    assert wire.process.wait(60) == 1


def test_the_end_of_input_ends_the_server(start: Start, workspace: Path) -> None:
    wire = start()
    wire.initialize(workspace)
    wire.close_input()
    assert wire.process.wait(60) == 1


def test_shutdown_then_end_of_input_is_0(start: Start) -> None:
    wire = start()
    wire.initialize()
    wire.request("shutdown")
    wire.close_input()
    assert wire.process.wait(60) == 0


def test_sigterm_ends_the_server(start: Start, workspace: Path) -> None:
    wire = start()
    wire.initialize(workspace)
    wire.process.send_signal(signal.SIGTERM)
    assert wire.process.wait(60) == 1


@pytest.mark.parametrize("told", ["initialize", "initialized"])
def test_a_client_killed_without_a_word_takes_the_server_along(tmp_path: Path, told: str) -> None:
    """The input stays open in another process, so only the watched process id can tell."""
    reader, writer = os.pipe()
    script = textwrap.dedent(
        """
        import json, os, subprocess, sys, time
        server = subprocess.Popen([sys.executable, "-m", "contextls.lsp"], stdin=int(sys.argv[1]),
                                  stdout=open(sys.argv[2], "wb"))
        print(server.pid, os.getpid(), flush=True)
        time.sleep(600)
        """
    )
    output = tmp_path / "out"
    client = subprocess.Popen(
        [sys.executable, "-c", script, str(reader), str(output)],
        pass_fds=[reader],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert client.stdout is not None
    server_pid, client_pid = map(int, client.stdout.readline().split())
    server = psutil.Process(server_pid)
    body = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"processId":%d}}'
        % client_pid
    )
    done = b'{"jsonrpc":"2.0","method":"initialized","params":{}}'
    for each in (body, done)[: 1 if told == "initialize" else 2]:
        os.write(writer, b"Content-Length: %d\r\n\r\n" % len(each) + each)
    until(lambda: output.stat().st_size > 0, 60)
    assert server.is_running()
    client.kill()
    client.wait()
    until(lambda: not server.is_running() or server.status() == psutil.STATUS_ZOMBIE, 60)
    os.close(writer)
    os.close(reader)


def test_requests_before_initialize_are_refused(start: Start) -> None:
    wire = start()
    with pytest.raises(WireError) as caught:
        wire.request("context/status")
    assert caught.value.code == -32002
    assert wire.initialize()["serverInfo"]["name"] == "contextls"


def test_a_second_initialize_is_refused(start: Start) -> None:
    wire = start()
    wire.initialize()
    with pytest.raises(WireError) as caught:
        wire.initialize()
    assert caught.value.code == -32600


def test_requests_after_shutdown_are_refused(start: Start) -> None:
    wire = start()
    wire.initialize()
    wire.request("shutdown")
    with pytest.raises(WireError) as caught:
        wire.request("context/status")
    assert caught.value.code == -32600
    wire.notify("exit")
    assert wire.process.wait(60) == 0


def test_without_a_folder_the_server_lives_and_says_so(start: Start) -> None:
    wire = start()
    wire.initialize()
    for method in ("context/assemble", "context/search"):
        with pytest.raises(WireError, match="no workspace folder is open; open a folder") as caught:
            wire.request(method, {"query": "q"})
        assert caught.value.code == -32602
    with pytest.raises(WireError, match="no workspace folder is open"):
        wire.request("context/status")
    assert wire.end() == 0


def test_a_folder_that_does_not_exist_is_named(start: Start, tmp_path: Path) -> None:
    wire = start()
    wire.initialize(tmp_path / "nowhere")
    with pytest.raises(WireError, match="nowhere") as caught:
        wire.request("context/status")
    assert caught.value.code == -32602
    shown = wire.wait(lambda message: message.get("method") == "window/showMessage")
    assert shown["params"]["message"].count("nowhere") == 1
    assert wire.end() == 0


def test_a_failure_is_logged_and_told_without_a_traceback(start: Start, workspace: Path) -> None:
    code = (
        "from contextls.lsp import start\n"
        "from contextls.engine import Engine\n"
        "def broken(self, *given, **named): raise ZeroDivisionError('the secret detail')\n"
        "Engine.search = broken\n"
        "raise SystemExit(start.serve_stdio())\n"
    )
    wire = start(sys.executable, "-c", code)
    wire.initialize(workspace)
    with pytest.raises(WireError) as caught:
        wire.request("context/search", {"query": "q"})
    assert caught.value.code == -32603
    assert caught.value.message == "contextls failed unexpectedly (ZeroDivisionError); see the server's log"
    assert caught.value.data is None
    assert not wire.calls("window/showMessage")
    assert wire.request("context/status")["root"]
    assert wire.end() == 0
    said = wire.whole_log()
    assert "the secret detail" in said
    assert "Traceback" in said


def test_state_that_cannot_be_written_is_a_clear_message(
    start: Start, workspace: Path, tmp_path: Path
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file where the folder should be")
    wire = start(env={"CONTEXTLS_HOME": str(taken)})
    wire.initialize(workspace)
    wire.open("shop/cart.py")
    with pytest.raises(WireError, match=r"cannot create .*taken.*CONTEXTLS_HOME") as caught:
        wire.assemble("q")
    assert caught.value.code == -32803
    shown = wire.wait(lambda message: message.get("method") == "window/showMessage")
    assert "CONTEXTLS_HOME" in shown["params"]["message"]
    with pytest.raises(WireError, match="cannot create"):
        wire.request("context/recordEvent", {"type": "note", "content": {"text": "x"}})
    assert wire.end() == 0


def test_state_that_can_be_written_later_needs_no_restart(
    start: Start, workspace: Path, tmp_path: Path
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file where the folder should be")
    wire = start(env={"CONTEXTLS_HOME": str(taken)})
    wire.initialize(workspace)
    wire.wait(lambda message: message.get("method") == "window/showMessage")
    taken.unlink()
    wire.wait_for_log("watching")
    assert wire.ready()["files"] == 4
    assert "discount_for" in wire.assemble("how is the discount computed?")["content"]
    (workspace / "shop/parcel.py").write_text("def parcel_weight():\n    return 'weighed'\n")
    until(lambda: wire.request("context/status")["files"] == 5, 60)
    assert len(wire.calls("window/showMessage")) == 1
    assert wire.end() == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{not json", -32700),
        (b"\xff\xfe\xfd", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"5", -32600),
        (b'{"id": "five", "method": "context/status"}', -32600),
        (b'{"jsonrpc": "2.0", "id": "five", "method": 7}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "context/status"}', -32600),
        (b'{"jsonrpc": "2.0"}', -32600),
    ],
    ids=["syntax", "encoding", "depth", "array", "number", "version", "method", "id", "empty"],
)
def test_what_is_no_message_is_answered_with_an_error(server: Wire, body: bytes, code: int) -> None:
    before = len(server.received)
    server.raw(body)
    answer = server.wait(lambda message: "error" in message, after=before)
    assert answer["error"]["code"] == code
    assert "traceback" not in str(answer).lower()


def test_an_unknown_request_is_answered_with_an_error(server: Wire) -> None:
    server.notify("context/unheardOf", {"a": 1})
    server.notify("$/unheardOf")
    with pytest.raises(WireError) as caught:
        server.request("context/unheardOf", {"a": 1})
    assert caught.value.code == -32601


def test_bad_parameters_of_standard_methods(server: Wire) -> None:
    bad: tuple[Json, ...] = (None, {}, {"range": 5}, [])
    for params in bad:
        with pytest.raises(WireError) as caught:
            server.request("textDocument/codeAction", params)
        assert caught.value.code == -32602
        assert "textDocument/codeAction" in caught.value.message
    for method in ("textDocument/didOpen", "textDocument/didChange", "workspace/didChangeWatchedFiles"):
        server.notify(method, {"textDocument": 5})
        server.notify(method)
    with pytest.raises(WireError) as caught:
        server.request("workspace/executeCommand", {"command": "contextls.nothing"})
    assert caught.value.code == -32602
    assert "contextls.copyContext" in caught.value.message


def test_objects_within_parameters_may_look_like_messages(server: Wire) -> None:
    with pytest.raises(WireError, match="jsonrpc: expected one of the fields"):
        server.request("context/search", {"query": "q", "jsonrpc": "2.0", "method": "x"})


def test_prints_stay_off_the_protocol(start: Start) -> None:
    code = (
        "import os, sys\n"
        "from contextls.lsp import server, start\n"
        "original = server.ContextServer.initialize\n"
        "def noisy(self, params):\n"
        "    print('printed')\n"
        "    os.write(1, b'written\\n')\n"
        "    os.system('echo from a child')\n"
        "    assert os.read(0, 10) == b''\n"
        "    original(self, params)\n"
        "server.ContextServer.initialize = noisy\n"
        "raise SystemExit(start.serve_stdio())\n"
    )
    wire = start(sys.executable, "-c", code)
    assert wire.initialize()["serverInfo"]["name"] == "contextls"
    assert wire.end() == 0
    for noise in ("printed", "written", "from a child"):
        assert noise in wire.whole_log()


def test_tcp_serves_one_client_and_ends_with_it() -> None:
    process = subprocess.Popen([*SERVER, "--tcp", "0"], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        token = next(line for line in process.stderr if "token" in line).split()[-1]
        line = next(line for line in process.stderr if "listening on" in line)
        host, _, port = line.split()[-1].rpartition(":")
        with socket.create_connection((host, int(port)), 60) as first:
            params = {"capabilities": {}, "processId": None, "initializationOptions": {"token": token}}
            message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
            body = json.dumps(message).encode()
            first.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            assert b'"name": "contextls"' in _all_of(first)
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((host, int(port)), 2)
        assert process.wait(60) == 1
    finally:
        process.kill()
        process.wait()


def test_a_port_in_use_is_a_clear_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        run = subprocess.run(
            [*SERVER, "--tcp", str(port)], capture_output=True, text=True, timeout=30, check=False
        )
    assert run.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in run.stderr
    assert "Traceback" not in run.stderr


def _all_of(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data or len(data) < _expected(data):
        data += connection.recv(65536)
    return data


def _expected(data: bytes) -> int:
    head, _, _ = data.partition(b"\r\n\r\n")
    return len(head) + 4 + int(head.partition(b":")[2])


def test_a_crash_in_native_code_says_in_the_log_what_was_at_work(start: Start) -> None:
    wire = start()
    wire.initialize()
    wire.process.send_signal(signal.SIGSEGV)
    wire.process.wait(60)
    log = wire.whole_log()
    assert "Fatal Python error: Segmentation fault" in log
    assert re.search(r'File ".*contextls/lsp/\w+\.py", line \d+ in \w+', log)
