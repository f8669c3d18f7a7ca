"""Ids and answers as no client should send them; each was found by a session of fuzzed messages."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from contextls.lsp.decoding import MAX_VALUES
from contextls.requests.uris import to_path

from .wire import Json, Wire, WireError


@pytest.mark.parametrize(
    "method", ["textDocument/didOpen", "initialized", "notebookDocument/didClose", "$/setTrace"]
)
def test_a_notification_with_an_id_is_answered(server: Wire, method: str) -> None:
    with pytest.raises(WireError, match="is a notification; send it without an id") as caught:
        server.request(method, {}, seconds=20)
    assert caught.value.code == -32600


@pytest.mark.parametrize(
    "given", [{"result": {"hits": "forged"}}, {"error": {"code": 1, "message": "forged"}}, {"x": 1}]
)
def test_an_answer_never_stands_in_for_a_request_of_the_client(server: Wire, given: Json) -> None:
    asked = server.send("context/search", {"query": "cart"})
    server.message({"jsonrpc": "2.0", "id": asked, **given})
    assert isinstance(server.answer(asked)["hits"], list)
    assert sum(each.get("id") == asked and "method" not in each for each in server.received) == 1


def test_an_id_that_is_used_twice_is_answered_twice(server: Wire) -> None:
    for method in ("context/search", "workspace/applyEdit", "textDocument/codeAction", "context/search"):
        document = {"textDocument": {"uri": "file:///none.py"}, "context": {"diagnostics": []}}
        span = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}}
        params = {"query": "cart"} if method == "context/search" else {**document, **span, "edit": {}}
        server.message({"jsonrpc": "2.0", "id": "twice", "method": method, "params": params})

    def answers() -> list[Json]:
        return [each for each in server.received if each.get("id") == "twice"]

    until = time.monotonic() + 60
    while len(answers()) < 4 and time.monotonic() < until:
        time.sleep(0.01)
    assert [each["error"]["code"] for each in answers() if "error" in each] == [-32601]
    assert [len(each["result"]) for each in answers() if each.get("result") == []] == [0]
    assert len(answers()) == 4


@pytest.mark.parametrize("msg_id", [None, 1.5, [], {}, ["x"], "never asked", 10**30])
def test_an_answer_to_nothing_is_left_alone(server: Wire, msg_id: Json) -> None:
    server.message({"jsonrpc": "2.0", "id": msg_id, "result": None})
    server.message({"jsonrpc": "2.0", "id": msg_id, "error": 5})
    assert server.request("context/status")["root"]
    assert "Traceback" not in server.log.decode()


@pytest.mark.parametrize("token", [[], {}, [[1]], 1.5, True])
def test_a_token_that_can_be_no_token_is_left_alone(server: Wire, token: Json) -> None:
    server.notify("window/workDoneProgress/cancel", {"token": token})
    server.notify("$/cancelRequest", {"id": token})
    assert server.request("context/status")["root"]
    assert "Traceback" not in server.log.decode()


def test_notebooks_are_not_kept(server: Wire) -> None:
    change = {"notebookDocument": {"uri": "file:///none.ipynb", "version": 2}, "change": {}}
    server.notify("notebookDocument/didChange", change)
    assert server.request("context/status")["root"]
    assert "Traceback" not in server.log.decode()


def test_a_folder_that_no_disk_can_name_is_left_out(start: Callable[..., Wire], workspace: Path) -> None:
    assert to_path("file:///\ud800") is None
    assert to_path("file:///%ff") == Path("/\udcff")
    wire = start()
    folders = [{"uri": uri, "name": "x"} for uri in ("file:///\ud800", workspace.as_uri())]
    wire.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": folders})
    wire.notify("initialized", {})
    assert wire.ready()["root"] == str(workspace)


def test_a_folder_that_cannot_be_opened_is_no_traceback_for_requests_that_were_cancelled(
    start: Callable[..., Wire], tmp_path: Path
) -> None:
    wire = start()
    wire.initialize(tmp_path / "not there")
    for _ in range(20):
        asked = wire.send("context/search", {"query": "cart"})
        wire.notify("$/cancelRequest", {"id": asked})
    with pytest.raises(WireError, match="no such folder"):
        wire.request("context/search", {"query": "cart"})
    assert wire.end() == 0
    assert "Traceback" not in wire.whole_log()


@pytest.mark.parametrize("name", ["\0", "main\0", "a\nb", "nowhere"])
def test_changes_since_what_git_cannot_have_are_refused(server: Wire, name: str) -> None:
    with pytest.raises(WireError, match="changes: expected staged, unstaged, all, or a branch") as caught:
        server.assemble("x", changes=name)
    assert caught.value.code == -32602


def test_a_message_of_too_many_values_is_told_the_limit(server: Wire) -> None:
    before = len(server.received)
    server.message({"jsonrpc": "2.0", "id": 1, "method": "context/search", "params": [1] * (MAX_VALUES + 1)})
    refused = server.wait(lambda each: "error" in each, after=before)
    assert refused["error"]["code"] == -32700
    assert refused["error"]["message"] == f"a message of more than {MAX_VALUES:,} values is not read"


def test_what_is_wrong_with_a_request_is_named_as_the_client_sent_it(server: Wire) -> None:
    with pytest.raises(WireError) as caught:
        server.request(
            "textDocument/codeAction", {"textDocument": {"uri": 5}, "context": {"diagnostics": [{}]}}
        )
    assert caught.value.code == -32602
    for said in ("params.range: it is missing", "params.context.diagnostics[0].message: it is missing"):
        assert said in str(caught.value)
    with pytest.raises(WireError, match=r"params\.textDocument: it is missing"):
        server.request("textDocument/codeAction", {})
