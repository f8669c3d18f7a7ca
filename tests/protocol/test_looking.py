"""What clients look at: events page by page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .wire import Wire, WireError


def test_events_are_read_page_by_page(start: Callable[..., Wire], workspace: Path) -> None:
    wire = start()
    wire.initialize(workspace)
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
    assert wire.end() == 0


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
