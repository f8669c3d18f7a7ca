"""Entities, relations and patterns on a small real workspace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.entities import mentioned
from contextls.memory.patterns import mine
from contextls.memory.relations import RelationGraph
from contextls.memory.snapshot import Snapshot
from contextls.model import Event, Outcome

from .workspaces import SHOP, opened, write

MINUTE = 60_000


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    more = {
        "shop/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
        "admin/report.py": "import shop.cart\nfrom shop.prices import discounted\n\nTOTAL = shop.cart.Cart().total()\n",
        "other/cart.py": "class Cart:\n    pass\n",
    }
    with opened(write(tmp_path_factory.mktemp("shop"), {**SHOP, **more})) as engine:
        yield engine


@pytest.fixture
def snapshot(engine: Engine) -> Snapshot:
    engine.status()
    return engine.content.memory.snapshot


def names(words: list[str], snapshot: Snapshot) -> list[str]:
    return [entity.id for entity in mentioned(words, snapshot)]


def test_symbols_and_files_are_recognised_by_what_people_write(snapshot: Snapshot) -> None:
    assert names(["discounted"], snapshot) == ["shop/prices.py#discounted"]
    assert names(["Cart.total"], snapshot) == ["shop/cart.py#Cart.total"]
    assert names(["cart::total"], snapshot) == ["shop/cart.py#Cart.total"]
    assert names(["prices.py"], snapshot) == ["shop/prices.py"]
    assert names(["./shop/cart.py"], snapshot) == ["shop/cart.py"]
    assert set(names(["cart.py"], snapshot)) == {"shop/cart.py", "other/cart.py"}
    assert set(names(["Cart"], snapshot)) == {"shop/cart.py#Cart", "other/cart.py#Cart"}
    assert names(["a", "is", "nothing_like_it", "../../etc/passwd", ""], snapshot) == []


def test_what_many_files_use_is_salient(snapshot: Snapshot) -> None:
    by_id = {entity.id: entity for entity in mentioned(["discounted", "send_receipt"], snapshot)}
    assert by_id["shop/prices.py#discounted"].salience > by_id["shop/mail.py#send_receipt"].salience
    assert by_id["shop/prices.py#discounted"].signature.startswith("def discounted(price")
    assert by_id["shop/prices.py#discounted"].doc == "The price after the seasonal discount."
    assert all(0 <= entity.salience <= 1 for entity in by_id.values())


def test_an_edit_moves_entities_and_uses(tmp_path: Path) -> None:
    with opened(write(tmp_path, SHOP)) as engine:
        before = engine.content.memory.snapshot.symbols.uses("discounted")
        write(tmp_path, {"shop/cart.py": "\n\n\ndef basket():\n    return 1\n"})
        engine.update_files(["shop/cart.py"])
        after = engine.content.memory.snapshot
        assert after.symbols.uses("discounted") == before - 1
        assert after.symbols.named("Cart") == ()
        (located,) = after.symbols.named("BASKET")
        assert (located.path, located.definition.start_line) == ("shop/cart.py", 4)


def test_imports_resolve_both_ways(snapshot: Snapshot) -> None:
    graph = RelationGraph(snapshot)
    assert graph.imports("shop/cart.py") == ("shop/prices.py",)
    assert graph.importers("shop/prices.py") == ("admin/report.py", "shop/cart.py")
    assert graph.imports("README.md") == graph.imports("no/such.py") == ()


def test_a_walk_goes_as_far_as_asked_and_weakens(snapshot: Snapshot) -> None:
    graph = RelationGraph(snapshot)
    assert graph.walk(["shop/prices.py"], 0) == []
    near = graph.walk(["shop/prices.py"], 1)
    assert {(edge.source, edge.type) for edge in near} == {
        ("admin/report.py", "imports"),
        ("shop/cart.py", "imports"),
    }
    far = graph.walk(["shop/prices.py"], 2)
    assert far[: len(near)] == near
    assert ("shop/test_cart.py", "shop/cart.py") in {(edge.source, edge.target) for edge in far}
    assert len({edge.id for edge in far}) == len(far)
    assert max(edge.weight for edge in far[len(near) :]) < min(edge.weight for edge in near)


def test_references_are_files_that_can_see_the_symbol(snapshot: Snapshot) -> None:
    edges = RelationGraph(snapshot).walk(["shop/cart.py#Cart"], 1)
    users = {edge.source for edge in edges if edge.type == "references"}
    assert users == {"shop/test_cart.py", "admin/report.py"}


def happened(
    *steps: tuple[str, str] | tuple[str, str, bool], gap: int = MINUTE, session: str = "s"
) -> list[Event]:
    events = []
    for number, (kind, subject, *passed) in enumerate(steps, 1):
        shell = kind == "shell_exec"
        content = {"command": subject, "exitCode": int(not passed[0])} if shell else {"path": subject}
        outcome = (Outcome.SUCCESS if passed[0] else Outcome.FAILURE) if shell else None
        events.append(Event(f"event-{number}", kind, session, number * gap, content, outcome))
    return events


def test_files_written_together_twice_are_a_habit() -> None:
    write_both = (("file_write", "a.py"), ("file_write", "test_a.py"))
    events = happened(*write_both)
    assert mine(events) == []
    later = [
        Event(f"event-{9 + n}", "file_write", "s", 10**9 + n, {"path": path}, None)
        for n, (_, path) in enumerate(write_both)
    ]
    found = {pattern.description: pattern for pattern in mine([*events, *later])}
    assert set(found) == {
        "When `a.py` changes, `test_a.py` changes too",
        "When `test_a.py` changes, `a.py` changes too",
    }
    assert {(pattern.applications, pattern.successes) for pattern in found.values()} == {(2, 2)}
    assert mine([*later, *events]) == mine([*events, *later])


def test_what_made_a_command_pass_is_a_habit() -> None:
    events = happened(
        ("shell_exec", "pytest", False),
        ("file_write", "a.py"),
        ("shell_exec", "pytest", True),
        ("shell_exec", "pytest", True),
        ("shell_exec", "pytest", False),
        ("file_write", "b.py"),
        ("shell_exec", "make", True),
        ("shell_exec", "pytest", True),
    )
    fixed = {pattern.files: pattern for pattern in mine(events) if pattern.id.startswith("fixed")}
    assert set(fixed) == {("a.py",), ("b.py",)}
    assert {(pattern.successes, pattern.applications) for pattern in fixed.values()} == {(1, 2)}


def test_sessions_do_not_mix_and_confidence_asks_for_evidence() -> None:
    mixed = [
        *happened(("shell_exec", "pytest", False), session="one"),
        *happened(("file_write", "a.py"), ("shell_exec", "pytest", True), session="two"),
    ]
    assert mine(mixed) == []
    often = mine(happened(*[("file_write", "a.py"), ("file_write", "b.py")] * 40, gap=20 * MINUTE))
    assert often == [], "twenty minutes apart is not together"
