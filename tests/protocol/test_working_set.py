"""The working set over the wire: one for everyone, strict about its fields, followed on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .wire import Json, Wire, WireError

QUERY = "how is the discount computed?"


def pinned(view: Json) -> list[tuple[str, str | None, float]]:
    return [(each["path"], each["symbol"], each["priority"]) for each in view["files"]]


def parts(context: Json, kind: str = "working_set") -> list[str]:
    return [each["source"] for each in context["components"] if each["type"] == kind]


def test_a_pin_changes_the_next_prompt_and_an_exclusion_empties_it(wire: Wire) -> None:
    assert parts(wire.assemble(QUERY)) == []
    uri = wire.open("shop/cart.py")
    view = wire.request("context/workingSet/pin", {"uri": uri, "position": {"line": 12, "character": 4}})
    assert pinned(view) == [("shop/cart.py", "discount_for", 0.8)]
    view = wire.request("context/workingSet/pin", {"path": "README.md", "priority": 0.95, "maxLines": 2})
    assert pinned(view) == [("README.md", None, 0.95), ("shop/cart.py", "discount_for", 0.8)]
    context = wire.assemble(QUERY)
    assert parts(context) == ["README.md", "shop/cart.py#discount_for"]
    assert context["content"].count("total * 0.05") == 1
    assert parts(wire.assemble(QUERY, order=["shop/cart.py#discount_for"])) == [
        "shop/cart.py#discount_for",
        "README.md",
    ]
    view = wire.request("context/workingSet/exclude", {"uri": uri})
    assert view["excluded"] == [
        {
            "path": "shop/cart.py",
            "symbol": None,
            "folder": False,
            "target": "shop/cart.py",
            "includedFrom": None,
        }
    ]
    assert [each["problem"] for each in view["files"]] == [None, "excluded"]
    context = wire.assemble(QUERY)
    assert "0.05" not in context["content"]
    assert not any("cart.py" in each["source"] for each in context["components"])
    view = wire.request("context/workingSet/include", {"path": "shop/cart.py"})
    assert view["excluded"] == []
    view = wire.request("context/workingSet/unpin", {"path": "shop/cart.py#discount_for"})
    assert pinned(view) == [("README.md", None, 0.95)]
    assert wire.request("context/workingSet/list") == view


def test_unsaved_text_is_what_is_pinned(wire: Wire) -> None:
    uri = wire.open("README.md", "# Shop\n\nUNSAVED words.\n", "markdown")
    wire.request("context/workingSet/pin", {"uri": uri})
    assert "UNSAVED words" in wire.assemble(QUERY)["content"]


def test_a_change_by_hand_is_told_and_counts_at_the_next_question(wire: Wire, workspace: Path) -> None:
    file = workspace / ".context" / "working-set.yml"
    file.parent.mkdir()
    seen = len(wire.received)
    file.write_text("# mine\nfiles:\n  - path: shop/invoice.py # ours\n")
    assert parts(wire.assemble(QUERY)) == ["shop/invoice.py"]

    wire.wait(
        lambda message: (
            message.get("method") == "context/didChangeMemory"
            and "workingSet" in message["params"]["changed"]
        ),
        after=seen,
    )
    wire.request("context/workingSet/pin", {"path": "README.md"})
    assert file.read_text() == "# mine\nfiles:\n  - path: shop/invoice.py # ours\n  - path: README.md\n"
    file.write_text("files: {\n")
    warnings = wire.request("context/workingSet/list")["warnings"]
    assert "line 2" in warnings[0]
    with pytest.raises(WireError, match="line 2") as caught:
        wire.request("context/workingSet/pin", {"path": "shop/cart.py"})
    assert caught.value.code == -32803
    assert parts(wire.assemble(QUERY)) == ["README.md", "shop/invoice.py"]


def test_two_servers_share_one_working_set(wire: Wire, start: Callable[..., Wire], workspace: Path) -> None:
    other = start()
    other.initialize(workspace)
    other.ready()
    view = wire.request("context/workingSet/pin", {"path": "shop"})
    assert view["files"][0]["folder"] is True
    assert other.request("context/workingSet/list") == view
    assert parts(other.assemble(QUERY)) == ["shop/cart.py", "shop/invoice.py"]


@pytest.mark.parametrize("method", ["pin", "unpin", "exclude", "include"])
@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({}, "path"),
        ({"path": "a.py", "uri": "file:///a.py"}, "path"),
        ({"path": 5}, "path"),
        ({"path": " "}, "path"),
        ({"path": "../outside.py"}, "path"),
        ({"uri": "https://example.org/a.py"}, "uri"),
        ({"uri": "file:///somewhere/else.py"}, "uri"),
        ({"path": "shop/cart.py", "symbol": "x", "position": {"line": 1, "character": 0}}, "position"),
        ({"path": "shop/cart.py", "position": {"line": 1}}, "position.character"),
        ({"path": "README.md", "position": {"line": 90, "character": 0}}, "position"),
        ({"path": "shop/cart.py#Cart", "symbol": "Cart"}, "symbol"),
        ({"path": "README.md", "rootUri": "file:///nowhere"}, "rootUri"),
        ({"path": "README.md", "why": "because"}, "why"),
    ],
)
def test_a_wrong_field_is_named(server: Wire, method: str, params: Json, field: str) -> None:
    with pytest.raises(WireError) as caught:
        server.request(f"context/workingSet/{method}", params)
    assert caught.value.code == -32602
    assert caught.value.data["field"] == field


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"priority": 1.5}, "priority"),
        ({"priority": "high"}, "priority"),
        ({"priority": True}, "priority"),
        ({"role": "boss"}, "role"),
        ({"truncateStrategy": "top"}, "truncateStrategy"),
        ({"maxLines": 0}, "maxLines"),
        ({"symbol": "nobody"}, "symbol"),
        ({"path": "private/notes.py"}, "path"),
        ({"path": "gone.py"}, "path"),
    ],
)
def test_a_wrong_pin_is_refused_and_nothing_is_written(server: Wire, fields: Json, field: str) -> None:
    with pytest.raises(WireError) as caught:
        server.request("context/workingSet/pin", {"path": "shop/cart.py", **fields})
    assert caught.value.data["field"] == field
    assert not (server.root / ".context").exists()


@pytest.mark.parametrize("order", ["a.py", [1], ["x"] * 1_001])
def test_a_wrong_order_is_named(server: Wire, order: Json) -> None:
    with pytest.raises(WireError) as caught:
        server.assemble(QUERY, order=order)
    assert caught.value.data["field"].startswith("order")
