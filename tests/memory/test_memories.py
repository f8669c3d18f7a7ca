"""All memories of a workspace answer alike: each has a name, a version, warnings, and can be wiped and closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import NewEvent, Target

from .workspaces import SHOP, age, opened, write

Act = Callable[[Engine], object]
ACTS: dict[str, Act] = {
    "events": lambda engine: engine.record(NewEvent("note", {"text": "look at the cart"})),
    "tasks": lambda engine: engine.tasks.push("ship the cart"),
    "feedback": lambda engine: engine.feedback("pattern-00000000a1", helpful=True),
    "conversations": lambda engine: engine.conversations.create("The cart"),
    "workingSet": lambda engine: engine.working_set.pin(Target("shop/cart.py")),
    "index": lambda engine: _change_file(engine),
}
# What is counted of the events changes with them.
DERIVED = {"events": {"patterns"}}


def _change_file(engine: Engine) -> None:
    (engine.root / "shop/cart.py").write_text("def empty_cart():\n    return []\n")
    engine.update_files(["shop/cart.py"])
    engine._memories.content.indexer.flush()  # what is stored late is a change of its own


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Engine]:
    root = write(tmp_path / "shop", SHOP)
    age(root)
    with opened(root) as engine:
        engine._memories.current()
        engine._memories.content.indexer.flush()
        yield engine


def changed(engine: Engine, act: Act) -> set[str]:
    before = dict(engine.versions())
    act(engine)
    return {name for name, version in engine.versions().items() if version != before[name]}


@pytest.mark.parametrize("name", ACTS)
def test_a_memory_changes_its_version_with_what_it_holds_and_no_other(shop: Engine, name: str) -> None:
    assert changed(shop, ACTS[name]) == {name} | DERIVED.get(name, set())
    assert changed(shop, lambda _: None) == set()


def test_what_was_wiped_is_gone_and_everything_else_stays(shop: Engine) -> None:
    for act in ACTS.values():
        act(shop)
    shop._memories.working_set.wipe()
    shop._memories.tasks.wipe()
    assert shop.working_set.view().files == ()
    assert shop.tasks.list() == ()
    assert len(shop.events(10)) == 1
    assert shop.search("empty cart").hits


def test_wiping_the_working_set_leaves_what_people_wrote_around_it(shop: Engine) -> None:
    shop.working_set.pin(Target("shop/cart.py"))
    file = Path(shop.working_set.view().location)
    file.write_text(
        "# ours\n" + file.read_text() + "  - shop/mail.py\nexclude: [web, shop/prices.py]\nowner: ann\n"
    )
    view = shop._memories.working_set.wipe()
    assert (view.files, view.excluded, view.warnings) == ((), (), ())
    assert "# ours" in file.read_text()
    assert "owner: ann" in file.read_text()


def test_the_status_tells_what_is_wrong_with_the_working_set(shop: Engine) -> None:
    shop.working_set.pin(Target("shop/cart.py"))
    assert shop.status().warnings == ()
    Path(shop.working_set.view().location).write_text("files: [shop/cart.py\n")
    (warning,) = shop.status().warnings
    assert "working-set.yml" in warning


def test_a_memory_that_cannot_be_read_hides_no_other(shop: Engine) -> None:
    names = set(shop.versions())
    file = shop._memories.feedback._path
    shop._memories.feedback.close()
    for each in file.parent.glob(f"{file.name}*"):
        each.unlink()
    file.mkdir()
    assert set(shop.versions()) == names - {"feedback"}
