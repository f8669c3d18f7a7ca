"""The working set over the wire: one for everyone, strict about its fields, followed on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ..test_protocol_schema import SCHEMA, faults
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


@pytest.mark.parametrize("strategy", ["start", "middle", "end", "never"])
@pytest.mark.parametrize("cut", [{}, {"maxLines": 40}])
def test_an_answer_with_a_pin_that_does_not_fit_is_as_the_schema_says(
    wire: Wire, strategy: str, cut: dict[str, int]
) -> None:
    lines = "".join(f"def step_{number}():\n    return {number}\n\n\n" for number in range(200))
    (wire.root / "shop/steps.py").write_text(lines)
    wire.request("context/workingSet/pin", {"path": "shop/steps.py", "truncateStrategy": strategy, **cut})
    answer = wire.assemble(QUERY, maxTokens=1000)
    assert faults(SCHEMA["methods"]["context/assemble"]["result"], answer) == []
    told = [one["compression"] for one in answer["components"] if one["source"] == "shop/steps.py"]
    assert told == ([] if strategy == "never" else [strategy])


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


def update(action: str, path: str, **fields: object) -> Json:
    return {"updates": [{"action": action, "path": path, "why": "it is the heart of it", **fields}]}


def test_what_a_model_adds_stands_behind_what_a_person_pinned_and_is_undone(wire: Wire) -> None:
    wire.request("context/workingSet/pin", {"path": "README.md", "priority": 0.1})
    file = wire.root / ".context" / "working-set.yml"
    before = file.read_bytes()
    answer = wire.request(
        "context/workingSet/update", update("add_to_working_set", "shop/cart.py", priority=1)
    )
    assert (answer["applied"], answer["refused"]) == (True, [])
    assert [(each["path"], each["by"]) for each in answer["workingSet"]["files"]] == [
        ("README.md", "person"),
        ("shop/cart.py", "model"),
    ]
    context = wire.assemble(QUERY)
    assert parts(context) == ["README.md", "shop/cart.py"]
    why = {each["source"]: each["why"] for each in context["components"]}
    assert why["shop/cart.py"] == "a model added it: it is the heart of it"
    listed = wire.request("context/workingSet/list")["updates"]
    assert [(each["id"], each["by"], each["steps"][0]["target"]) for each in listed] == [
        (answer["id"], "model", "shop/cart.py")
    ]
    undone = wire.request("context/workingSet/undo")
    assert (undone["id"], undone["kept"], undone["workingSet"]["updates"]) == (answer["id"], [], [])
    assert file.read_bytes() == before
    assert wire.request("context/workingSet/undo", {"id": "update-9"})["id"] is None
    told = [each["text"] for each in wire.request("context/events", {"limit": 2})["events"]]
    assert told[0] == "Undone in the working set: shop/cart.py"
    assert "shop/cart.py added to the working set, priority 1 — it is the heart of it" in told[1]


def test_an_update_of_what_is_a_persons_is_refused_and_recorded(wire: Wire) -> None:
    wire.request("context/workingSet/pin", {"path": "README.md"})
    wire.request("context/workingSet/exclude", {"path": "shop/cart.py"})
    for asked in (
        update("remove_from_working_set", "README.md"),
        update("adjust_priority", "README.md", priority=0),
        update("add_to_working_set", "shop/cart.py"),
        update("add_to_working_set", "private/notes.py"),
        update("add_to_working_set", "shop/invoice.py", role="system"),
    ):
        answer = wire.request("context/workingSet/update", asked)
        assert (answer["applied"], answer["id"], len(answer["refused"])) == (False, None, 1)
    view = wire.request("context/workingSet/list")
    assert pinned(view) == [("README.md", None, 0.8)]
    events = wire.request("context/events", {"limit": 20, "filters": {"eventTypes": ["working_set"]}})[
        "events"
    ]
    assert {each["outcome"] for each in events} == {"failure"}
    assert not any("private" in each["text"] for each in events)


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({}, "updates"),
        ({"updates": []}, "updates"),
        ({"updates": [{"action": "add_to_working_set", "path": "README.md"}]}, "updates[0].why"),
        (update("add_to_working_set", "README.md", why=" "), "updates[0].why"),
        (update("pin", "README.md"), "updates[0].action"),
        (update("add_to_working_set", "../outside.py"), "updates[0].path"),
        (update("add_to_working_set", "README.md", priority=2), "updates[0].priority"),
        (update("adjust_priority", "README.md"), "updates[0].priority"),
        (update("remove_from_working_set", "README.md", priority=1), "updates[0].priority"),
        (update("adjust_priority", "README.md", priority=1, role="user"), "updates[0].role"),
        (update("add_to_working_set", "README.md", role="boss"), "updates[0].role"),
    ],
)
def test_a_wrong_update_is_named(server: Wire, params: Json, field: str) -> None:
    with pytest.raises(WireError) as caught:
        server.request("context/workingSet/update", params)
    assert (caught.value.code, caught.value.data["field"]) == (-32602, field)


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
