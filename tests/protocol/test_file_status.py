"""``context/fileStatus`` on a real server: why a file is or is not in prompts, as an editor asks it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .wire import Json, Wire, WireError


def status(wire: Wire, uri: str, **more: Json) -> dict[str, Any]:
    answer: dict[str, Any] = wire.request("context/fileStatus", {"textDocument": {"uri": uri}, **more})
    return answer


def wait_for(wire: Wire, name: str, *states: str, seconds: float = 30) -> dict[str, Any]:
    deadline = time.monotonic() + seconds
    while True:
        told = status(wire, wire.uri(name))
        if told["state"] in states:
            return told
        assert time.monotonic() < deadline, told
        time.sleep(0.05)


def test_the_server_announces_it_and_tells_the_state_of_each_file(server: Wire) -> None:
    server.ready()
    indexed = status(server, server.uri("shop/cart.py"), rootUri=server.root.as_uri())
    assert set(indexed) == {"path", "state", "reason", "sentence", "chunks"}
    assert (indexed["state"], indexed["reason"]) == ("indexed", None)
    assert indexed["chunks"] > 0
    ignored = status(server, server.uri("private/notes.py"))
    assert (ignored["state"], ignored["reason"], ignored["chunks"]) == ("leftOut", "gitignore", 0)


def test_a_question_in_a_file_that_is_left_out_says_so(server: Wire) -> None:
    server.ready()

    def ask(name: str) -> Any:  # noqa: ANN401 - JSON
        asked = {"query": "what does this do?", "textDocument": {"uri": server.uri(name)}}
        return server.request("context/assemble", asked)["report"]["warnings"]

    sentence = status(server, server.uri("private/notes.py"))["sentence"]
    assert ask("private/notes.py") == [f"private/notes.py: {sentence[:1].lower()}{sentence[1:]}"]
    assert ask("shop/cart.py") == []


def test_the_line_that_is_offered_brings_the_file_in(wire: Wire) -> None:
    sentence = status(wire, wire.uri("private/notes.py"))["sentence"]
    line = sentence.split("`")[-2]
    (wire.root / ".contextlsignore").write_text(f"{line}\n")
    # The server's own look at the files may be quicker than the question.
    assert wait_for(wire, "private/notes.py", "waiting", "indexed")["reason"] is None
    wire.request("workspace/executeCommand", {"command": "contextls.reindex", "arguments": []})
    assert status(wire, wire.uri("private/notes.py"))["state"] == "indexed"
    assert "THE_IGNORED_WORD" in wire.assemble("THE_IGNORED_WORD")["content"]


def test_excluding_and_including_is_told_at_once(wire: Wire) -> None:
    for method, state in (("exclude", "excluded"), ("include", "indexed")):
        wire.request(f"context/workingSet/{method}", {"path": "shop/cart.py"})
        assert status(wire, wire.uri("shop/cart.py"))["state"] == state


def test_unsaved_text_of_a_new_document_counts_until_it_is_closed(wire: Wire) -> None:
    uri = wire.open("shop/new.py", "def fresh() -> int:\n    return 1\n")
    assert status(wire, uri)["state"] == "indexed"
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert status(wire, uri)["reason"] == "missing"


def test_an_answer_during_indexing_is_about_what_is_there(
    workspace: Path, start: Callable[..., Wire]
) -> None:
    wire = start()
    wire.initialize(workspace, options={"indexOnOpen": False})
    told = status(wire, wire.uri("shop/cart.py"))
    assert (told["state"], told["chunks"]) == ("waiting", 0)


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({}, "textDocument"),
        ({"textDocument": {}}, "textDocument.uri"),
        ({"textDocument": {"uri": 5}}, "textDocument.uri"),
        ({"textDocument": {"uri": "untitled:Untitled-1"}}, "textDocument.uri"),
        ({"textDocument": {"uri": "file:///elsewhere/a.py"}}, "textDocument.uri"),
        ({"textDocument": {"uri": "ROOT"}}, "textDocument.uri"),
        ({"textDocument": {"uri": "ROOT/shop"}}, "textDocument.uri"),
        ({"textDocument": {"uri": "ROOT/README.md"}, "rootUri": "file:///elsewhere"}, "rootUri"),
        ({"textDocument": {"uri": "ROOT/README.md"}, "path": "README.md"}, "path"),
    ],
)
def test_a_document_that_cannot_be_meant_is_refused_by_field(server: Wire, params: Json, field: str) -> None:
    document = params.get("textDocument", {})
    if str(document.get("uri")).startswith("ROOT"):
        uri = document["uri"].replace("ROOT", server.root.as_uri())
        params = {**params, "textDocument": {"uri": uri}}
    with pytest.raises(WireError) as caught:
        server.request("context/fileStatus", params, seconds=10)
    assert caught.value.code == -32602
    assert caught.value.data["field"] == field


def test_a_link_into_another_folder_is_told_as_a_link(wire: Wire, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("SECRET = 1\n")
    (wire.root / "link.py").symlink_to(tmp_path / "outside.py")
    told = status(wire, wire.uri("link.py"))
    assert (told["path"], told["state"], told["reason"]) == ("link.py", "leftOut", "symlink")


def test_unsaved_text_that_is_too_long_is_said_to_be_left_out(
    workspace: Path, start: Callable[..., Wire]
) -> None:
    wire = start()
    wire.initialize(workspace, options={"maxFileBytes": 2_000})
    wire.ready()
    before = wire.assemble("what does the cart do?")["report"]["warnings"]
    saved = (workspace / "shop/cart.py").read_text()
    uri = wire.open("shop/cart.py", saved + "# typed\n" * 1_000)
    said = "shop/cart.py: its unsaved text is longer than the setting `maxFileBytes` allows; what is on disk counts"
    assert wire.assemble("what does the cart do?")["report"]["warnings"] == [*before, said]
    told = status(wire, uri)
    assert told["state"] == "indexed"
    assert "as it is on disk, as its unsaved text is longer" in told["sentence"]
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert wire.assemble("what does the cart do?")["report"]["warnings"] == before
    assert "unsaved" not in status(wire, uri)["sentence"]
