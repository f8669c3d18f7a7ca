"""What clients look at and throw away: events page by page, the index and the events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ..models.endpoints import Endpoint, embedding_at, wait_until_asked
from .wire import Wire, WireError


def test_events_are_read_page_by_page(wire: Wire) -> None:
    for number in range(7):
        wire.request("context/recordEvent", {"type": "note", "content": {"text": f"note {number}"}})
    told: list[str] = []
    before = None
    while page := wire.request("context/events", {"limit": 3, "before": before})["events"]:
        told.extend(event["text"] for event in page)
        before = page[-1]["id"]
    assert told == [f"Note: note {number}" for number in reversed(range(7))]
    session = page_of(wire, sessionId="nobody's")
    assert session == []
    since = wire.request("context/events", {})["events"][0]["timestamp"] + 1
    assert page_of(wire, filters={"since": since}) == []
    assert page_of(wire, filters={"eventTypes": ["error"]}) == []


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 10_001}, "limit"),
        ({"before": "yesterday"}, "before"),
        ({"filters": {"entityTypes": ["file"]}}, "filters.entityTypes"),
        ({"sessionId": 5}, "sessionId"),
    ],
)
def test_a_wrong_field_is_named(server: Wire, params: dict[str, object], field: str) -> None:
    with pytest.raises(WireError) as caught:
        server.request("context/events", params)
    assert caught.value.code == -32602
    assert caught.value.data["field"] == field


def page_of(wire: Wire, **params: object) -> list[dict[str, object]]:
    events: list[dict[str, object]] = wire.request("context/events", params)["events"]
    return events


def test_clearing_events_deletes_every_one_and_keeps_the_index(wire: Wire) -> None:
    files = wire.ready()["files"]
    for number in range(5):
        wire.notify("context/recordEvent", {"type": "note", "content": {"text": f"secret plan {number}"}})
    cleared = wire.request("context/clear", {"index": False, "events": True})
    assert cleared == {"index": False, "events": 5, "conversations": 0}
    assert page_of(wire) == []
    status = wire.request("context/status")
    assert (status["events"], status["files"], status["state"]) == (0, files, "ready")
    assert "secret plan" not in wire.assemble("what is the secret plan?", taskLine=False)["content"]


def test_clearing_the_index_builds_it_again(wire: Wire) -> None:
    files = wire.ready()["files"]
    begun = len(wire.calls("window/workDoneProgress/create"))
    wire.request("context/recordEvent", {"type": "note", "content": {"text": "kept"}})
    assert wire.request("context/clear") == {"index": True, "events": 0, "conversations": 0}
    wire.wait(lambda _each: len(wire.calls("window/workDoneProgress/create")) > begun)
    assert wire.ready()["files"] == files
    assert "discount_for" in wire.assemble("how is the discount computed?")["content"]
    assert [event["text"] for event in page_of(wire)] == ["Note: kept"]


def test_the_index_stays_empty_where_indexing_is_left_to_the_user(
    start: Callable[..., Wire], workspace: Path
) -> None:
    wire = start()
    wire.initialize(workspace, options={"indexOnOpen": False})
    wire.request("workspace/executeCommand", {"command": "contextls.reindex"})
    assert wire.request("context/clear", {})["index"] is True
    status = wire.request("context/status")
    assert (status["state"], status["files"], status["chunks"]) == ("empty", 0, 0)
    assert wire.end() == 0


def test_clearing_stops_indexing_that_is_under_way(
    start: Callable[..., Wire], workspace: Path, endpoint: Endpoint
) -> None:
    for number in range(300):
        (workspace / f"part_{number}.py").write_text(f"def part_{number}(value):\n    return value\n")
    wire = start()
    wire.initialize(workspace, options={"workers": 1, **embedding_at(endpoint)})
    assert wire.ready()["files"] == 304
    endpoint.gate.clear()
    endpoint.received.clear()
    reindexing = wire.send(
        "workspace/executeCommand", {"command": "contextls.reindex", "arguments": [{"rebuild": True}]}
    )
    wait_until_asked(endpoint)
    clearing = wire.send("context/clear", {})
    assert wire.request("context/status")["state"] == "indexing"
    endpoint.gate.set()
    assert wire.answer(clearing) == {"index": True, "events": 0, "conversations": 0}
    with pytest.raises(WireError) as stopped:
        wire.answer(reindexing)
    assert stopped.value.code == -32800
    assert wire.ready()["files"] == 304
    hits = wire.request("context/search", {"query": "part_299"})["hits"]
    assert hits[0]["path"] == "part_299.py"
    assert wire.end() == 0


@pytest.mark.parametrize(
    ("params", "field"),
    [({"index": False}, "index"), ({"events": "yes"}, "events"), ({"tasks": True}, "tasks")],
)
def test_nothing_is_deleted_for_wrong_parameters(server: Wire, params: dict[str, object], field: str) -> None:
    before = server.ready()["files"]
    with pytest.raises(WireError) as caught:
        server.request("context/clear", params)
    assert caught.value.data["field"] == field
    assert server.request("context/status")["files"] == before
