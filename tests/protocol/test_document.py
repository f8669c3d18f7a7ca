"""docs/protocol.md against the real server: every example is sent, every answer has the fields that are printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contextls.lsp.features import COMMANDS, REQUESTS

from .conftest import build_workspace
from .wire import Json, Wire, WireError

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"
NOTIFICATIONS = ("workspace/didChangeConfiguration",)
# What the server sends of its own accord, and the capability that asks for it.
FROM_SERVER = ("context/didChangeMemory",)
CAPABILITIES = {"experimental": {"contextls": {"didChangeMemory": True}}}
HOME = "/home/me/shop"
# Stands in the examples for the id of the context that was assembled last.
CONTEXT_ID = "context-5f0c2a9be1d34c77"


def examples() -> list[tuple[dict[str, Any], dict[str, Any] | None]]:
    """Each call with the answer printed below it, if any."""
    found: list[tuple[dict[str, Any], dict[str, Any] | None]] = []
    for block in re.findall(
        r"^```json\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    ):
        value = json.loads(block)
        if "method" in value and "params" in value:
            found.append((value, None))
        else:
            call, answer = found.pop()
            assert answer is None, f"two answers to {call}"
            found.append((call, value))
    return found


EXAMPLES = examples()


class Reading:
    """The examples sent to one server, each once and in the order of the document: they build on one another."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._problems: list[BaseException | None] = []

    def check(self, number: int) -> None:
        """Read on up to this example; raises what is wrong with it."""
        while len(self._problems) <= number:
            try:
                check_example(self._wire, *EXAMPLES[len(self._problems)])
            except (Exception, pytest.fail.Exception) as problem:
                self._problems.append(problem)
            else:
                self._problems.append(None)
        if (found := self._problems[number]) is not None:
            raise found


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    wire = Wire()
    root = build_workspace(tmp_path_factory.mktemp("home") / "shop")
    (root / ".context").mkdir()  # or the working set would make it in the middle
    wire.initialize(root, capabilities=CAPABILITIES)
    wire.ready()
    wire.open("shop/cart.py")
    yield Reading(wire)
    assert wire.end() == 0
    wire.kill()


def localized(value: Json, root: Path) -> Json:
    return json.loads(json.dumps(value).replace(HOME, str(root)))


def compare(printed: Json, real: Json, at: str = "answer") -> None:
    """The same fields of the same types; of lists, the first items."""
    if isinstance(printed, (int, float)) and not isinstance(printed, bool):
        assert isinstance(real, (int, float)), at
        assert not isinstance(real, bool), at
        return
    assert type(printed) is type(real), at
    if isinstance(printed, dict):
        assert set(printed) == set(real), at
        for name, value in printed.items():
            compare(value, real[name], f"{at}.{name}")
    elif isinstance(printed, list) and printed:
        assert real, f"{at} is empty"
        compare(printed[0], real[0], f"{at}[0]")


def check_example(wire: Wire, call: dict[str, Any], printed: dict[str, Any] | None) -> None:
    """Send an example and compare the answer."""
    params = localized(call["params"], wire.root)
    if params.get("contextId") == CONTEXT_ID:
        params["contextId"] = wire.request("context/assemble", {"query": "how is the discount computed?"})[
            "id"
        ]
    if call["method"] in FROM_SERVER:
        compare(params, wire.wait(lambda each: each.get("method") == call["method"])["params"])
        return
    if call["method"] in NOTIFICATIONS:
        wire.notify(call["method"], params)
        assert wire.ready()["files"] == 4
        assert not any("expected" in shown["message"] for shown in wire.calls("window/showMessage"))
        return
    expected = localized(printed, wire.root)
    if printed is not None and "code" in printed:
        with pytest.raises(WireError) as caught:
            wire.request(call["method"], params)
        error = caught.value
        assert expected == {"code": error.code, "message": error.message, "data": error.data}
        return
    answer = wire.request(call["method"], params)
    if printed is not None:
        compare(expected, answer)


@pytest.mark.parametrize("number", range(len(EXAMPLES)), ids=[call["method"] for call, _ in EXAMPLES])
def test_each_example_of_the_protocol_gets_the_answer_beside_it(reading: Reading, number: int) -> None:
    reading.check(number)


def test_every_method_and_command_has_an_example() -> None:
    sent = {call["method"] for call, _ in EXAMPLES}
    sent |= {call["params"].get("command") for call, _ in EXAMPLES}
    assert set(REQUESTS) | set(COMMANDS) <= sent
