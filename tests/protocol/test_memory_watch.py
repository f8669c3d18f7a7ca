"""What clients that ask for it hear of changes to the memories, whoever made them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import NewEvent

from .wire import Wire

METHOD = "context/didChangeMemory"
ASKED = {"experimental": {"contextls": {"didChangeMemory": True}}}
ALL = {"index", "events", "tasks", "workingSet", "patterns", "scope"}
Start = Callable[..., Wire]


def told(wire: Wire, since: int = 0) -> list[str]:
    return [name for each in wire.calls(METHOD)[since:] for name in each["changed"]]


def heard(wire: Wire, name: str, since: int) -> None:
    """Wait until a change of this memory was told after the first ``since`` notifications."""
    deadline = time.monotonic() + 60
    while name not in told(wire, since):
        assert time.monotonic() < deadline, (name, wire.calls(METHOD))
        time.sleep(0.02)


def quiet(wire: Wire) -> int:
    """Wait until nothing was told for a while; how many notifications there have been."""
    count, still_since = -1, time.monotonic()
    deadline = time.monotonic() + 60
    while time.monotonic() - still_since < 1.3:
        assert time.monotonic() < deadline, wire.calls(METHOD)
        if (now := len(wire.calls(METHOD))) != count:
            count, still_since = now, time.monotonic()
        time.sleep(0.05)
    return count


@pytest.fixture
def told_of(start: Start, workspace: Path) -> Wire:
    """A server that has settled, for a client that wants to be told."""
    wire = start()
    wire.initialize(workspace, capabilities=ASKED, options={"watch": False})
    wire.ready()
    heard(wire, "index", 0)
    return wire


def test_all_memories_are_named_once_a_folder_is_open(told_of: Wire) -> None:
    first = told_of.calls(METHOD)[0]
    assert first["rootUri"] == told_of.root.as_uri()
    assert set(first["changed"]) >= ALL


def test_a_scope_that_another_process_saves_is_told(told_of: Wire) -> None:
    since = quiet(told_of)
    engine = Engine.open(told_of.root)
    engine.scope.save(["shop"])
    engine.close()
    heard(told_of, "scope", since)
    assert told_of.request("context/status")["scope"] == ["shop"]


def test_a_client_that_did_not_ask_hears_nothing(start: Start, workspace: Path) -> None:
    wire = start()
    wire.initialize(workspace)
    wire.ready()
    wire.request("context/recordEvent", {"type": "note", "content": {"text": "look"}})
    time.sleep(1.5)
    assert wire.calls(METHOD) == []
    assert wire.end() == 0


def test_nothing_is_told_after_shutdown(told_of: Wire) -> None:
    wire = told_of
    quiet(wire)
    wire.request("shutdown")
    before = len(wire.calls(METHOD))
    engine = Engine.open(wire.root)
    engine.record(NewEvent("note", {"text": "too late"}))
    engine.close()
    time.sleep(1.5)
    assert len(wire.calls(METHOD)) == before
    wire.notify("exit")
    assert wire.process.wait(60) == 0
