"""Messages that come together: each takes effect in its order."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from .conftest import build_workspace, visit
from .wire import Json, Wire


@pytest.fixture(scope="module")
def wire(open_session: Wire, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    with visit(open_session, build_workspace(tmp_path_factory.mktemp("turns"))):
        yield open_session


def send_together(wire: Wire, messages: list[Json]) -> None:
    bodies = [json.dumps({"jsonrpc": "2.0", **each}).encode() for each in messages]
    wire.put(b"".join(b"Content-Length: %d\r\n\r\n" % len(each) + each for each in bodies))


def test_requests_take_effect_in_their_order(wire: Wire) -> None:
    push = [
        {"id": f"push {n}", "method": "context/task/push", "params": {"goal": f"goal {n}"}} for n in range(30)
    ]
    send_together(wire, push)
    for each in push:
        wire.answer(each["id"])
    tasks = wire.request("context/task/path")["tasks"]
    assert [task["goal"] for task in tasks] == [f"goal {n}" for n in range(30)]


def test_a_request_is_cancelled_by_what_stands_right_behind_it(wire: Wire) -> None:
    send_together(
        wire,
        [
            {"id": "late", "method": "context/assemble", "params": {"query": "anything"}},
            {"method": "$/cancelRequest", "params": {"id": "late"}},
        ],
    )
    answer = wire.wait(lambda each: each.get("id") == "late" and "method" not in each)
    assert answer.get("error", {}).get("code", -32800) == -32800
