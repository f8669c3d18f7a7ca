"""Several folders in one server, folders that come and go, settings, and the server's own watcher."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import visit
from .wire import Json, Wire, WireError, until

Start = Callable[..., Wire]
WARNING = 2


@pytest.fixture
def zoo(tmp_path: Path) -> Path:
    root = tmp_path / "zoo"
    root.mkdir()
    (root / "animals.py").write_text("def feed_penguin(fish):\n    return fish\n")
    return root


def test_several_folders_answer_together_where_the_question_or_a_setting_says_so(
    start: Start, workspace: Path, zoo: Path
) -> None:
    wire = start()
    wire.initialize(workspace, zoo)
    wire.ready(workspace)
    wire.ready(zoo)
    query = "how is a penguin fed, and how is the discount computed?"
    both = wire.assemble(query, roots="all")
    assert f"`{zoo.name}/animals.py:1-2` `feed_penguin`" in both["content"]
    assert f"`{workspace.name}/shop/cart.py:" in both["content"]
    assert {each["path"].split("/")[0] for each in both["components"] if each["path"]} == {
        zoo.name,
        workspace.name,
    }
    assert wire.assemble(query, roots=[zoo.as_uri(), workspace.as_uri()])["content"] == both["content"]
    assert "discount_for" not in wire.assemble(query, roots=[zoo.as_uri()])["content"]
    alone = wire.assemble(query)
    assert "feed_penguin" not in alone["content"]
    said = (
        f"only {workspace.name} was asked, of 2 open folders; "
        "`rootUri` names another, `roots` or the setting `allFolders` asks all"
    )
    assert said in alone["report"]["warnings"]
    assert said not in wire.assemble(query, rootUri=workspace.as_uri())["report"]["warnings"]
    cart = {"textDocument": {"uri": (workspace / "shop/cart.py").as_uri()}}
    assert said not in wire.assemble(query, **cart)["report"]["warnings"]
    wire.notify("workspace/didChangeConfiguration", {"settings": {"contextls": {"allFolders": True}}})
    assert wire.assemble(query)["content"] == both["content"]
    assert "feed_penguin" not in wire.assemble(query, rootUri=workspace.as_uri())["content"]
    refused: tuple[dict[str, Any], ...] = (
        {"roots": "some"},
        {"roots": 5},
        {"roots": []},
        {"roots": ["file:///nowhere"]},
        {"roots": "all", "rootUri": zoo.as_uri()},
        {"roots": "all", "shape": "messages"},
    )
    for wrong in refused:
        with pytest.raises(WireError):
            wire.assemble(query, **wrong)
    here = {"textDocument": {"uri": (zoo / "animals.py").as_uri()}, "position": {"line": 1, "character": 0}}
    assert wire.assemble("what does this do?", roots="all", **here)["content"].count("feed_penguin") > 0


def test_each_question_goes_to_its_workspace(start: Start, workspace: Path, zoo: Path) -> None:
    wire = start()
    wire.initialize(workspace, zoo)
    wire.ready(workspace)
    wire.ready(zoo)
    in_zoo = {"textDocument": {"uri": (zoo / "animals.py").as_uri()}}
    assert "feed_penguin" in wire.assemble("penguin discount", **in_zoo)["content"]
    assert "discount_for" not in wire.assemble("penguin discount", **in_zoo)["content"]
    assert "discount_for" in wire.assemble("penguin discount", rootUri=workspace.as_uri())["content"]
    assert "discount_for" in wire.assemble("penguin discount")["content"]

    wire.notify(
        "textDocument/didOpen",
        {
            "textDocument": {
                **in_zoo["textDocument"],
                "languageId": "python",
                "version": 1,
                "text": "# penguin\n",
            }
        },
    )
    assert "discount_for" not in wire.assemble("penguin discount")["content"]

    with pytest.raises(WireError) as caught:
        wire.assemble("q", rootUri=workspace.as_uri(), **in_zoo)
    assert caught.value.data["field"] == "textDocument.uri"

    wire.move_folders(removed=(zoo,))
    with pytest.raises(WireError) as caught:
        wire.assemble("q", **in_zoo)
    assert caught.value.data["field"] == "textDocument.uri"
    assert workspace.as_uri() in caught.value.message
    assert "discount_for" in wire.assemble("penguin discount")["content"]
    assert wire.end() == 0


def test_folders_come_and_go(open_session: Wire, workspace: Path, zoo: Path) -> None:
    wire = open_session
    wire.move_folders(added=(zoo, zoo))
    wire.ready(zoo)
    assert "feed_penguin" in wire.assemble("penguin")["content"]
    wire.move_folders(added=(workspace,), removed=(zoo,))
    wire.ready(workspace)
    assert "feed_penguin" not in wire.assemble("penguin")["content"]
    wire.move_folders(added=(zoo,), removed=(workspace,))
    assert wire.ready(zoo)["files"] == 1
    wire.move_folders(removed=(zoo,))
    with pytest.raises(WireError, match="no workspace folder is open"):
        wire.assemble("penguin")


def test_the_closest_folder_owns_an_open_document(wire: Wire, workspace: Path) -> None:
    inner = workspace / "shop"
    wire.open("shop/cart.py", "def walrus_price():\n    return 'walrus'\n")
    assert "walrus_price" in wire.assemble("walrus price", rootUri=workspace.as_uri())["content"]
    wire.move_folders(added=(inner,))
    wire.ready(inner)
    assert "walrus_price" in wire.assemble("walrus price", rootUri=inner.as_uri())["content"]
    assert "walrus_price" not in wire.assemble("walrus price", rootUri=workspace.as_uri())["content"]
    wire.move_folders(removed=(inner,))
    assert "walrus_price" in wire.assemble("walrus price")["content"]


def test_a_file_that_was_open_before_its_folder_is_remembered_from_then_on(
    start: Start, workspace: Path
) -> None:
    wire = start()
    wire.initialize(options={"readSeconds": 0.1, "editSeconds": 60, "watch": False})
    path = workspace / "shop/cart.py"
    text = path.read_text()
    uri = path.as_uri()
    item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    with pytest.raises(WireError, match="no workspace folder is open"):
        wire.assemble("discount")
    time.sleep(0.2)  # longer than it takes to read a file of a workspace

    def kinds() -> list[str]:
        return [each["type"] for each in wire.request("context/events")["events"]]

    wire.move_folders(added=(workspace,))
    wire.ready()
    until(lambda: kinds() == ["file_read"])
    wire.change(uri, {"text": text + "\n\ndef refund():\n    pass\n"})
    path.write_text(text + "\n\ndef refund():\n    pass\n")
    wire.save(uri)
    until(lambda: len(kinds()) == 3)
    assert kinds() == ["file_write", "file_edit", "file_read"]
    _, edit, _ = wire.request("context/events")["events"]
    assert edit["content"]["summary"] == "added `refund` (+4 −0)"
    assert wire.end() == 0


def test_a_workspace_behind_a_link(open_session: Wire, workspace: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(workspace)
    wire = open_session
    with visit(wire, link):
        wire.open("shop/cart.py", "def walrus_price():\n    return 'walrus'\n")
        assert "walrus_price" in wire.assemble("walrus price")["content"]
        target = (workspace / "shop/invoice.py").resolve().as_uri()
        assert wire.assemble("invoice", textDocument={"uri": target})["content"]


def test_documents_without_a_file_disturb_nothing(wire: Wire) -> None:
    item = {"uri": "untitled:Untitled-1", "languageId": "python", "version": 1, "text": "walrus = 1\n"}
    wire.notify("textDocument/didOpen", {"textDocument": item})
    whole = {"textDocument": {"uri": item["uri"], "version": 2}, "contentChanges": [{"text": "walrus = 2\n"}]}
    wire.notify("textDocument/didChange", whole)
    place = {"textDocument": {"uri": item["uri"]}, "position": {"line": 0, "character": 1}}
    assert "discount_for" in wire.assemble("discount", **place)["content"]
    wire.notify("textDocument/didSave", {"textDocument": {"uri": item["uri"]}})
    wire.notify("textDocument/didClose", {"textDocument": {"uri": item["uri"]}})


@pytest.mark.parametrize("shape", ["markdown", "tagged", "messages"])
@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "vscode-notebook-cell:/shop/a.ipynb#W0", "not a uri"])
def test_a_document_that_is_no_file_is_told_of(wire: Wire, shape: str, uri: str) -> None:
    def warnings(**fields: Json) -> list[str]:
        answer = wire.assemble("explain this function", shape=shape, model="gpt-4o", **fields)
        told: list[str] = answer["report"]["warnings"]
        return told

    span = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}
    (told,) = set(warnings(textDocument={"uri": uri}, range=span)) - set(warnings())
    assert (
        told == f"{uri} is no file: nothing of it can be shown; send what matters of it as additionalContext"
    )
    (copied,) = wire.request(
        "workspace/executeCommand",
        {"command": "contextls.copyContext", "arguments": [{"query": "explain this function", "uri": uri}]},
    )["report"]["warnings"]
    assert copied == told


def test_a_folder_as_document_is_told_of_by_its_path(wire: Wire) -> None:
    place = {"textDocument": {"uri": f"{wire.root.as_uri()}/shop/"}, "position": {"line": 0, "character": 0}}
    (told,) = wire.assemble("explain this function", **place)["report"]["warnings"]
    assert told == "shop: a folder; only a file can be the one in front of the user"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_edits_behind_astral_characters(start: Start, workspace: Path, encoding: str) -> None:
    wire = start()
    wire.initialize(workspace, capabilities={"general": {"positionEncodings": [encoding]}})
    uri = wire.open("shop/sign.py", 'SIGN = "😋 bäckerei 𝒳" + WORD\n')
    before = 'SIGN = "😋 bäckerei 𝒳" + '
    little = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    units = len(before.encode(little)) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    span = {"start": {"line": 0, "character": units}, "end": {"line": 0, "character": units + 4}}
    wire.change(uri, {"range": span, "text": "bakery_sign_word"})
    assert before + "bakery_sign_word\n" in wire.assemble("bakery sign word")["content"]


def settings(wire: Wire, section: object) -> None:
    wire.notify("workspace/didChangeConfiguration", {"settings": {"contextls": section}})


def warnings(wire: Wire) -> list[str]:
    return [each["message"] for each in wire.calls("window/showMessage") if each["type"] == WARNING]


def test_settings_from_the_start_and_later(start: Start, workspace: Path) -> None:
    wire = start()
    wire.initialize(workspace, options={"contextls": {"maxTokens": 60, "watch": False}})
    wire.ready()
    assert wire.assemble("how is the discount computed?")["tokenCount"] <= 60
    wire.open("shop/cart.py", "def walrus_price():\n    return 'walrus'\n")

    settings(wire, {"maxTokens": 500, "ignore": ["invoice.py"], "tokenizer": "cl100k_base"})
    until(lambda: wire.request("context/status")["tokenizer"] == "cl100k_base")
    wire.ready()
    context = wire.assemble("invoice total discount walrus price")
    assert 60 < context["tokenCount"] <= 500
    assert "invoice_total" not in context["content"]
    assert "walrus_price" in context["content"]
    assert not warnings(wire)


def test_the_question_at_the_top_is_a_live_setting(wire: Wire) -> None:
    query = "how is the discount computed?"
    shown = len(wire.calls("window/workDoneProgress/create"))
    tops = []
    for given in (True, False):
        settings(wire, {"taskLine": given})
        answers = [wire.assemble(query), *(wire.assemble(query, taskLine=each) for each in (True, False))]
        tops.append([one["content"].partition("\n")[0] for one in answers])
    section = "## Relevant Content"
    assert tops == [[query, query, section], [section, query, section]]
    assert len(wire.calls("window/workDoneProgress/create")) == shown


def test_a_pause_of_memory_takes_effect_between_two_events_and_indexes_nothing(wire: Wire) -> None:
    shown = len(wire.calls("window/workDoneProgress/create"))
    note = {"type": "note", "content": {"text": "a thought"}}
    answers = [wire.request("context/recordEvent", note)]
    for paused in (True, False):
        settings(wire, {"memoryPaused": paused})
        answers.append(wire.request("context/recordEvent", note))
    assert [bool(answer["id"]) for answer in answers] == [True, False, True]
    assert answers[1]["reason"] == "switched off"
    assert wire.request("context/status")["state"] == "ready"
    assert len(wire.calls("window/workDoneProgress/create")) == shown


def test_bad_settings_are_named_and_the_good_ones_count(start: Start, workspace: Path) -> None:
    wire = start()
    wire.initialize(
        workspace, options={"maxTokens": "many", "tokenzier": "x", "ignore": ["README.md"], "trace": {}}
    )
    until(lambda: len(warnings(wire)) == 2)
    assert "contextls.maxTokens: expected a whole number, got 'many'; 4000 is used" in warnings(wire)
    assert "contextls.tokenzier: expected the name of a setting (did you mean tokenizer?)" in warnings(wire)
    assert wire.ready()["files"] == 3
    settings(wire, 5)
    until(lambda: len(warnings(wire)) == 3)
    settings(wire, {"workers": -1})
    until(lambda: any("contextls.workers" in message for message in warnings(wire)))
    assert wire.assemble("discount")["content"]


def test_a_faulty_pause_of_memory_pauses_it(wire: Wire) -> None:
    note = {"type": "note", "content": {"text": "a thought"}}
    for given, told in (
        ({"memoryPaused": "yes"}, "contextls.memoryPaused: expected true or false, got 'yes'; true is used"),
        ({"record": "test_*"}, "contextls.record: expected a list of strings, got 'test_*'; [] is used"),
    ):
        settings(wire, given)
        assert wire.request("context/recordEvent", note)["reason"] == "switched off"
        assert told in warnings(wire)
    settings(wire, {})
    assert wire.request("context/recordEvent", note)["id"]


def test_permissions_that_cannot_be_read_are_told_at_once_and_show_nothing(
    start: Start, workspace: Path
) -> None:
    wire = start()
    wire.initialize(workspace, options={"identityPermissions": ["guest=code", "guest=cod"]})
    until(lambda: len(warnings(wire)) > 0)
    (told,) = warnings(wire)
    assert told.startswith("contextls.identityPermissions: expected entries such as reviewer=code:src/**")
    assert told.endswith("got 'guest=cod'; questions are refused until it is put right")
    wire.ready()
    given = {"query": "discount", "identity": "guest"}
    with pytest.raises(WireError, match="one of the kinds"):
        wire.request("context/assemble", given)


def test_a_budget_that_holds_nothing_is_told_once_and_the_one_before_counts(
    start: Start, workspace: Path
) -> None:
    wire = start()
    wire.initialize(workspace)
    wire.ready()
    for given in ({"maxTokens": 5}, {"maxTokens": 5, "workers": 0}, {"maxTokens": 5, "watch": True}):
        settings(wire, given)
    assert wire.assemble("how is the discount computed?")["tokenCount"] > 100
    assert warnings(wire) == ["contextls.maxTokens: expected 32 to 2,000,000, got 5; 4000 is used"]


def test_settings_are_asked_for_when_only_a_change_is_told(start: Start, workspace: Path) -> None:
    wire = start()
    wire.answers["workspace/configuration"] = lambda _params: [{"tokenizer": "cl100k_base"}]
    wire.initialize(workspace, capabilities={"workspace": {"configuration": True}})
    wire.notify("workspace/didChangeConfiguration", {"settings": None})
    until(lambda: wire.request("context/status")["tokenizer"] == "cl100k_base")
    assert wire.calls("workspace/configuration") == [{"items": [{"section": "contextls"}]}]


def test_without_a_watching_client_the_server_watches(start: Start, workspace: Path) -> None:
    wire = start()
    wire.initialize(workspace)
    wire.ready()
    wire.wait_for_log("watching")
    (workspace / "shop/parcel.py").write_text("def parcel_weight():\n    return 'weighed'\n")
    until(lambda: "weighed" in wire.assemble("parcel weight")["content"])
    assert "Wrote: `shop/parcel.py`" in wire.assemble("parcel weight")["content"]
    (workspace / "shop/parcel.py").unlink()
    until(lambda: "weighed" not in wire.assemble("parcel weight")["content"])
    before = wire.request("context/status")["events"]
    (workspace / "private/more.py").write_text("x = 1\n")
    (workspace / "shop/last.py").write_text("LAST = 1\n")
    until(lambda: wire.request("context/status")["events"] == before + 1)
    assert wire.end() == 0


@pytest.mark.skipif(sys.platform == "darwin", reason="its disks keep no other names")
def test_files_whose_names_are_not_utf8_keep_nothing_else_from_being_watched(
    start: Start, workspace: Path
) -> None:
    wire = start()
    wire.initialize(workspace)
    wire.ready()
    wire.wait_for_log("watching")
    # What comes with it and behind it.
    Path(os.fsdecode(os.fsencode(workspace) + b"/caf\xe9")).mkdir()
    (workspace / "shop/parcel.py").write_text("def parcel_weight():\n    return 'weighed'\n")
    until(lambda: "weighed" in wire.assemble("parcel weight")["content"])
    (workspace / "shop/parcel.py").unlink()
    until(lambda: "weighed" not in wire.assemble("parcel weight")["content"])
    assert not wire.calls("window/showMessage")
    assert wire.end() == 0


def test_nobody_watches_when_told_so(start: Start, workspace: Path) -> None:
    capabilities: dict[str, Any] = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    wire = start()
    wire.initialize(workspace, capabilities=capabilities, options={"watch": False})
    wire.ready()
    assert not wire.calls("client/registerCapability")
    settings(wire, {"watch": True})
    wire.wait(lambda message: message.get("method") == "client/registerCapability")
    settings(wire, {"watch": False})
    wire.wait(lambda message: message.get("method") == "client/unregisterCapability")
    assert wire.end() == 0
