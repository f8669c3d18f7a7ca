"""How a server is reached and what it works on: roots, HTTP with a token, progress, cancellation, and its end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import mcp_types as types
import pytest
from mcp.client.streamable_http import streamable_http_client

from contextls.cli.main import run
from contextls.mcp.tools import TOOLS

from .session import COMMAND, HANDSHAKE, STATELESS, Json, Session, connect, join
from .test_budget import check, tokens

TOKEN = "a-token-of-the-tests-0123456789"  # noqa: S105 - of no account
LONG = 30.0
LIMIT = 700


def reach(door: str) -> Json:
    """The way of a client that knows the token."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return streamable_http_client(door, http_client=httpx2.AsyncClient(headers=headers, timeout=LONG))


def paths(session: Session, query: str, **arguments: Json) -> set[str]:
    return {hit["path"] for hit in session.call("search_code", query=query, **arguments)["hits"]}


@pytest.fixture(scope="module")
def two_folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("folders")
    for name in ("first", "second"):
        (folder / name).mkdir()
        (folder / name / f"{name}.py").write_text(f"def greet_{name}():\n    return 'hello'\n", "utf-8")
    return folder / "first", folder / "second"


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
@pytest.mark.parametrize("mode", [HANDSHAKE, STATELESS])
def test_the_roots_of_the_client_are_the_workspace(
    two_folders: tuple[Path, Path], tmp_path: Path, mode: str
) -> None:
    first, second = two_folders

    roots = list(two_folders)

    async def list_roots(_context: object) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=root.as_uri()) for root in roots])  # type: ignore[arg-type]

    with connect(cwd=tmp_path, mode=mode, list_roots_callback=list_roots) as session:
        assert paths(session, "greet") == {"first.py"}
        assert paths(session, "greet", root="second") == {"second.py"}
        assert paths(session, "greet", root=str(second)) == {"second.py"}
        assert paths(session, "greet", root=f"{second}{os.sep}") == {"second.py"}
        said = session.fail("search_code", query="greet", root="third")
        assert f"root: expected one of the open workspace folders ({first}, {second})" in said
        if mode == HANDSHAKE:  # later versions have no such notification
            roots.remove(first)
            session.run(session.client.send_roots_list_changed)
            deadline = time.monotonic() + LONG
            while paths(session, "greet") != {"second.py"}:
                assert time.monotonic() < deadline


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
@pytest.mark.parametrize("mode", [HANDSHAKE, STATELESS])
def test_a_root_that_is_no_folder_leaves_the_others(
    two_folders: tuple[Path, Path], tmp_path: Path, mode: str
) -> None:
    first, second = two_folders
    remote = types.Root.model_construct(uri="vscode-vfs://github/a/b", name="remote")
    log = tmp_path / "log"

    async def list_roots(_context: object) -> types.ListRootsResult:
        roots = [types.Root(uri=root.as_uri()) for root in (second, first)]  # type: ignore[arg-type]
        return types.ListRootsResult.model_construct(roots=[remote, *roots])

    with connect(cwd=first.parent, mode=mode, log=log, list_roots_callback=list_roots) as session:
        assert paths(session, "greet") == {"second.py"}
        assert paths(session, "greet", root="first") == {"first.py"}
        said = session.fail("search_code", query="greet", root="third")
        assert f"root: expected one of the open workspace folders ({second}, {first})" in said
    assert "a root of the client is no folder of this machine: vscode-vfs://github/a/b" in log.read_text()


def test_a_start_in_no_folder_says_what_to_do() -> None:
    with connect(cwd=Path("/")) as session:
        said = session.fail("search_code", query="greet")
        assert said == (
            "no workspace folder is open; start the server with --root DIR, or open a folder in the client"
        )


@pytest.fixture(scope="module")
def door(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that listens; its token is ``TOKEN``."""
    token = tmp_path_factory.mktemp("door") / "token"
    token.write_text(TOKEN, "utf-8")
    token.chmod(0o600)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [
        "--root",
        str(workspace),
        "--http",
        str(port),
        "--token-file",
        str(token),
        "--max-tokens",
        str(LIMIT),
    ]
    process = subprocess.Popen([*COMMAND, *options], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if "listening on " in line:
            yield line.split()[-1]
            break
    process.terminate()
    assert process.wait(LONG) == 0
    process.stderr.close()


@pytest.mark.parametrize("mode", [HANDSHAKE, STATELESS])
def test_clients_with_the_token_are_served_side_by_side(door: str, mode: str) -> None:
    with join(reach(door), mode=mode) as one, join(reach(door), mode=mode) as other:
        noted = one.call("record_event", type="note", content={"text": "seen by both"})
        events = other.call("recent_activity", types=["note"])["events"]
        assert noted["id"] in [each["id"] for each in events]
        assert {tool.name for tool in other.run(other.client.list_tools).tools} == TOOLS.keys()


def test_the_limit_of_the_server_holds_whatever_is_asked_for(door: str) -> None:
    with join(reach(door)) as session:
        arguments = {"query": "report prices", "maxTokens": 100_000}
        for tool in ("search_code", "assemble_context"):
            assert check(session.tool(tool, arguments), LIMIT)["nextCursor"]
        prompt = session.run(session.client.get_prompt, "explain", {"what": "report prices"})
        assert tokens(prompt.messages[0].content.text) <= LIMIT
        read = session.run(session.client.read_resource, "context://entity/shop%2Fcart.py")
        assert tokens(read.contents[0].text) <= LIMIT


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong-token-0123456789"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"}, 421),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "http://evil.example"}, 403),
    ],
)
def test_a_request_without_the_token_or_from_another_page_is_refused(
    door: str, headers: dict[str, str], status: int
) -> None:
    accepts = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert httpx2.post(door, json=body, headers={**accepts, **headers}).status_code == status


def test_a_body_that_is_no_message_is_answered_with_what_is_wrong(door: str) -> None:
    accepts = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    call = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
    asked: list[tuple[Json, Json, str]] = [
        ({**call, "params": [1]}, 7, "params: expected an object"),
        ({"id": 7, "method": "tools/list"}, 7, "jsonrpc: it is missing"),
        ({**call, "id": None}, None, "tools/list: id: expected a string or a whole number"),
        ([call], None, "a batch is not served; send each message by itself"),
        ({}, None, "not a JSON-RPC 2.0 message"),
        ({"jsonrpc": "2.0", "id": 7, "result": 5}, None, "not a JSON-RPC 2.0 message"),
        ("{bad", None, "not JSON that can be read: key must be a string at line 1 column 2"),
        ("", None, "not a JSON-RPC 2.0 message"),
    ]
    with httpx2.Client(headers={**accepts, "Authorization": f"Bearer {TOKEN}"}, timeout=LONG) as client:
        for message, message_id, said in asked:
            body = message if isinstance(message, str) else json.dumps(message)
            response = client.post(door, content=body)
            answer = response.json()
            assert (response.status_code, answer["id"], answer["error"]["message"]) == (400, message_id, said)
        elsewhere = client.post(door.removesuffix("/mcp"), json=call)
        assert (elsewhere.status_code, elsewhere.json()) == (404, {"error": "this server answers at /mcp"})


def test_a_body_with_half_a_character_or_a_mark_of_its_order_is_read(door: str) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    accepts = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    with httpx2.Client(headers={**accepts, "Authorization": f"Bearer {TOKEN}"}, timeout=LONG) as client:
        begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        answer = client.post(door, content="\ufeff" + json.dumps(begin))
        client.headers["Mcp-Session-Id"] = answer.headers["mcp-session-id"]
        cut_emoji = {"name": "search_code", "arguments": {"query": "price \ud83d"}}
        call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": cut_emoji}
        assert '"hits":[{' in client.post(door, content=json.dumps(call)).text


def test_a_client_cannot_open_other_folders_through_the_door(
    door: str, two_folders: tuple[Path, Path]
) -> None:
    async def list_roots(_context: object) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=two_folders[0].as_uri())])  # type: ignore[arg-type]

    with join(reach(door), list_roots_callback=list_roots) as session:
        assert "first.py" not in paths(session, "greet_first")
        assert "root: expected one of" in session.fail("search_code", query="x", root=str(two_folders[0]))


def test_who_waits_for_the_first_index_sees_how_far_it_is_and_may_give_up(tmp_path: Path) -> None:
    for number in range(400):
        (tmp_path / f"module_{number}.py").write_text(f"def function_{number}():\n    return 0\n", "utf-8")
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    with connect("--root", tmp_path) as session:
        given_up = session.start(session.client.call_tool, "search_code", {"query": "function_1"})
        session.run(session.client.list_tools)  # it has begun by then
        given_up.cancel()
        assert session.call("recent_activity")["tasks"] == []
        hits = session.tool("search_code", {"query": "function_399"}, progress_callback=note)
        assert hits.structured_content["hits"][0]["symbol"] == "function_399"
    assert seen
    assert all(message == f"indexing {tmp_path.name}" for _, _, message in seen)
    assert [done for done, _, _ in seen] == sorted({done for done, _, _ in seen})


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_what_is_no_message_harms_nobody_and_a_signal_ends_it(workspace: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--root", str(workspace)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    broken = [
        b"nonsense",
        b"{}",
        b"[]",
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":7}',
        b"\xff",
    ]
    process.stdin.write(b"\n".join([*broken, b'{"jsonrpc":"2.0","id":9,"method":"ping"}\n']))
    process.stdin.flush()
    assert any(b'"id":9' in line for line in process.stdout)
    process.send_signal(signal.SIGTERM)
    assert process.wait(LONG) == 0
    process.stdin.close()
    process.stdout.close()


def test_a_request_that_is_wrong_is_answered_with_the_field(workspace: Path) -> None:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    asked: list[tuple[str, Json, str]] = [
        ("tools/list", {}, "initialize comes first"),
        (
            "initialize",
            {},
            "capabilities: it is missing; clientInfo: it is missing; protocolVersion: it is missing",
        ),
        ("initialize", hello, ""),
        ("tools/call", {}, "name: it is missing"),
        (
            "tools/call",
            {"name": "search_code", "arguments": '{"query": "x"}'},
            "arguments: expected an object",
        ),
        ("prompts/get", {"name": 5}, "name: expected a valid string"),
        (
            "resources/subscribe",
            {"uri": "nowhere"},
            "uri: expected context://working-set, context://activity or",
        ),
    ]
    messages = [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params, _) in enumerate(asked)
    ]
    process = subprocess.Popen(
        [*COMMAND, "--root", str(workspace)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for message, (_, _, said) in zip(messages, asked, strict=True):
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert answer["id"] == message["id"]
        assert answer.get("error", {}).get("message", "").startswith(said)
        assert ("error" in answer) == bool(said)
    process.stdin.close()
    assert process.wait(LONG) == 0
    process.stdout.close()


def test_a_line_that_is_no_message_is_answered_with_what_is_wrong(workspace: Path) -> None:
    call = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
    no_id = "tools/list: id: expected a string or a whole number"
    wrong_ids: list[Json] = [None, 1.5, True, [7], {}]
    asked: list[tuple[Json, Json, int, str]] = [
        ({**call, "params": "x"}, 7, -32602, "params: expected an object"),
        ({**call, "id": "seven", "params": ["x"]}, "seven", -32602, "params: expected an object"),
        ({**call, "method": 5}, 7, -32600, "method: expected a valid string"),
        ({"jsonrpc": "2.0", "id": 7}, 7, -32600, "method: it is missing"),
        ({"id": 7, "method": "tools/list"}, 7, -32600, "jsonrpc: it is missing"),
        ({**call, "jsonrpc": "1.0"}, 7, -32600, "jsonrpc: expected '2.0'"),
        *(({**call, "id": wrong}, None, -32600, no_id) for wrong in wrong_ids),
        ({"jsonrpc": "2.0", "method": "tools/list"}, None, -32600, no_id),
        ([call, call], None, -32600, "a batch is not served; send each message by itself"),
        ({}, None, -32600, "not a JSON-RPC 2.0 message"),
        (5, None, -32600, "not a JSON-RPC 2.0 message"),
        ("{bad", None, -32700, "not JSON that can be read: key must be a string"),
        ("[" * 100_000, None, -32700, "not JSON that can be read: recursion limit exceeded"),
        ({**call, "id": 10**30, "method": "nowhere"}, 10**30, -32601, "Method not found"),
    ]
    unanswered: list[Json] = [
        "",
        {"jsonrpc": "2.0", "method": "notifications/nowhere", "params": 5},
        {"jsonrpc": "2.0", "id": 7, "result": 5},
    ]
    process = subprocess.Popen(
        [*COMMAND, "--root", str(workspace)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None

    to_server, from_server = process.stdin, process.stdout

    def ask(*messages: Json) -> Json:
        lines = [each if isinstance(each, str) else json.dumps(each) for each in messages]
        to_server.write("\n".join([*lines, ""]))
        to_server.flush()
        return json.loads(from_server.readline())

    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    assert ask({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})["result"]
    for message, message_id, code, said in asked:
        answer = ask(message)
        assert (answer["id"], answer["error"]["code"]) == (message_id, code), message
        assert answer["error"]["message"].startswith(said)
    assert ask(*unanswered, {"jsonrpc": "2.0", "id": 8, "method": "ping"})["id"] == 8
    assert ask("\ufeff" + json.dumps(call))["result"]["tools"]
    cut_emoji = {"name": "search_code", "arguments": {"query": "price \ud83d"}}
    hits = ask({**call, "method": "tools/call", "params": cut_emoji})["result"]["structuredContent"]["hits"]
    assert hits
    process.stdin.close()
    assert process.wait(LONG) == 0
    process.stdout.close()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--http", "0.0.0.0:8766"], "--http: expected an address of this machine alone"),
        (["--http", "nonsense"], "expected PORT or HOST:PORT"),
        (["--token-file", "x"], "it is for --http only"),
        (
            ["--root", "/no/such/folder"],
            "/no/such/folder: no such folder; give the path of an existing workspace",
        ),
        (["--root", ""], "--root': expected a path, got ''"),
        (["--max-tokens", "5"], "--max-tokens': expected 500 tokens or more, got '5'"),
    ],
)
def test_a_wrong_command_line_is_one_line(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mcp", *options]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert said in lines[0]
