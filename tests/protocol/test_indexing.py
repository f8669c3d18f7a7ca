"""Indexing in the background: seen, stopped, asked meanwhile; cancelled requests; settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..models.endpoints import Endpoint, embedding_at, wait_until_asked
from .wire import Json, Wire, WireError

Start = Callable[..., Wire]
COUNT = 900
PROGRESS = {"window": {"workDoneProgress": True}}


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A workspace that takes some seconds to index."""
    root = tmp_path / "large"
    for number in range(COUNT):
        path = root / f"package_{number % 30}" / f"module_{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "".join(
                f"def function_{number}_{each}(value):\n    return value + {each}\n\n\n" for each in range(12)
            )
        )
    return root


def kinds(wire: Wire) -> list[str]:
    return [each["value"]["kind"] for each in wire.calls("$/progress")]


def of_kind(kind: str) -> Callable[[dict[str, Any]], bool]:
    return lambda message: (
        message.get("method") == "$/progress" and message["params"]["value"]["kind"] == kind
    )


def test_progress_begins_reports_and_ends(start: Start, large: Path) -> None:
    wire = start()
    wire.initialize(large, capabilities=PROGRESS)
    wire.wait(of_kind("end"))
    seen = wire.calls("$/progress")
    assert len({each["token"] for each in seen}) == 1
    assert seen[0]["value"] == {
        "kind": "begin",
        "title": "Indexing large",
        "cancellable": True,
        "percentage": 0,
    }
    percentages = [
        each["value"]["percentage"] for each in seen if each["value"].get("percentage") is not None
    ]
    assert percentages == sorted(percentages)
    assert len(percentages) > 3
    assert seen[-1]["value"]["message"].startswith(f"{COUNT} files, ")
    assert kinds(wire).count("end") == 1
    assert wire.ready()["files"] == COUNT
    assert wire.end() == 0


def test_no_progress_for_clients_that_show_none(start: Start, workspace: Path) -> None:
    wire = start()
    wire.initialize(workspace)
    wire.ready()
    assert not wire.calls("$/progress")
    assert not wire.calls("window/workDoneProgress/create")


def test_a_client_that_refuses_progress_gets_its_index(start: Start, workspace: Path) -> None:
    def refuse(_params: Json) -> None:
        raise WireError({"code": -32603, "message": "no window is open"})

    wire = start()
    wire.answers["window/workDoneProgress/create"] = refuse
    wire.initialize(workspace, capabilities=PROGRESS)
    wire.ready()


def test_indexing_can_be_stopped_and_taken_up_again(start: Start, large: Path, endpoint: Endpoint) -> None:
    wire = start()
    endpoint.gate.clear()
    wire.initialize(large, capabilities=PROGRESS, options=embedding_at(endpoint))
    wait_until_asked(endpoint)
    (begin,) = wire.calls("$/progress")[:1]
    wire.notify("window/workDoneProgress/cancel", {"token": begin["token"]})
    wire.notify("window/workDoneProgress/cancel", {"token": "unknown"})
    assert wire.request("context/status")["state"] == "indexing"
    endpoint.gate.set()
    end = wire.wait(of_kind("end"))
    assert "stopped" in end["params"]["value"]["message"]
    status = wire.request("context/status")
    assert status["state"] in ("stale", "empty")
    assert status["files"] < COUNT
    assert wire.assemble("function_7_3")["report"]["indexComplete"] is False
    report = wire.request("workspace/executeCommand", {"command": "contextls.reindex"})
    assert report["files"] == COUNT
    assert wire.ready()["files"] == COUNT
    assert wire.assemble("function_7_3")["report"]["indexComplete"] is True
    assert wire.end() == 0


def test_questions_during_indexing_are_answered_with_what_is_there(start: Start, large: Path) -> None:
    wire = start()
    wire.initialize(large)
    uri = wire.open("package_0/module_0.py", "def walrus_counter():\n    return 'walrus'\n")
    slowest = 0.0
    while True:
        began = time.monotonic()
        context = wire.assemble("walrus counter", maxTokens=500)
        slowest = max(slowest, time.monotonic() - began)
        assert "walrus" in context["content"]
        if context["report"]["indexComplete"]:
            break
    assert slowest < 30
    wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert "function_33_4" in wire.assemble("function_33_4")["content"]


def test_shutdown_during_indexing_is_quick_and_loses_nothing_told(
    start: Start, large: Path, endpoint: Endpoint
) -> None:
    wire = start()
    endpoint.gate.clear()
    wire.initialize(large, options=embedding_at(endpoint))
    assert wire.request("context/recordEvent", {"type": "note", "content": {"text": "remember the walrus"}})[
        "id"
    ]
    wait_until_asked(endpoint)
    shutdown = wire.send("shutdown")
    with pytest.raises(WireError, match="shut"):
        wire.request("context/status")
    endpoint.gate.set()
    wire.answer(shutdown)
    wire.notify("exit")
    assert wire.process.wait(60) == 0
    again = start()
    again.initialize(large, options={**embedding_at(endpoint), "indexOnOpen": False})
    status = again.request("context/status")
    assert status["events"] == 1
    assert status["files"] < COUNT, "what was left to index was not waited for"


def test_requests_are_cancelled_before_the_engine_is_there(start: Start, workspace: Path) -> None:
    wire = start()
    wire.initialize(workspace)
    ids = [wire.send("context/assemble", {"query": f"question {number}"}) for number in range(5)]
    for msg_id in ids:
        wire.notify("$/cancelRequest", {"id": msg_id})
    wire.notify("$/cancelRequest", {"id": 10**6})
    for msg_id in ids:
        with pytest.raises(WireError) as caught:
            wire.answer(msg_id)
        assert caught.value.code == -32800
    assert wire.assemble("cart")["metadata"]["query"] == "cart"


def test_a_running_reindex_stops_with_its_request(start: Start, large: Path, endpoint: Endpoint) -> None:
    wire = start()
    endpoint.gate.clear()
    options = {**embedding_at(endpoint), "indexOnOpen": False}
    wire.initialize(large, options=options, capabilities=PROGRESS)
    msg_id = wire.send(
        "workspace/executeCommand", {"command": "contextls.reindex", "arguments": [{"rebuild": True}]}
    )
    wait_until_asked(endpoint)
    wire.notify("$/cancelRequest", {"id": msg_id})
    assert wire.request("context/status")["state"] == "indexing"
    endpoint.gate.set()
    with pytest.raises(WireError) as caught:
        wire.answer(msg_id)
    assert caught.value.code == -32800
    deadline = time.monotonic() + 60
    while wire.request("context/status")["state"] == "indexing":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert wire.request("context/status")["files"] < COUNT
