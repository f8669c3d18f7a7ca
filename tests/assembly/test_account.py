"""The assembly report: every part of a prompt is accounted for, in every shape."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from contextls.assembly.answer.account import account_for
from contextls.engine import Engine
from contextls.model import (
    AssembledTurn,
    AssembleRequest,
    Context,
    IncludedPart,
    Layer,
    LayerItem,
    LayerUse,
    NewEvent,
    Shape,
    TurnOptions,
    TurnRequest,
)

from ..memory.workspaces import SHOP, opened, write

FILES = {
    **SHOP,
    "shop/totals.py": "def total_price_of_cart(cart, items):\n"
    + "".join(f"    price = cart.price(items[{number}])  # the total so far\n" for number in range(60)),
}
QUERY = "how is the total price of a cart computed?"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("account") / "shop", FILES)) as engine:
        yield engine


def ask(engine: Engine, shape: Shape, max_tokens: int = 200) -> Context:
    request = AssembleRequest(QUERY, max_tokens)
    if shape in (Shape.MARKDOWN, Shape.TAGGED):
        return engine.assemble(request, shape=shape)
    return engine.assemble_turn(TurnRequest(request, TurnOptions(shape=shape, max_tokens=1_000)))


@pytest.mark.parametrize("shape", Shape)
def test_every_shape_accounts_for_its_budget_and_all_of_its_parts(shop: Engine, shape: Shape) -> None:
    context = ask(shop, shape)
    account = context.report.assembly
    assert account is not None
    turn = context if isinstance(context, AssembledTurn) else None
    most, used = (
        (turn.token_budget.available, turn.token_budget.used.total) if turn else (200, context.token_count)
    )
    assert (account.budget.max, account.budget.used, account.budget.remaining) == (most, used, most - used)
    inside = {part.path: part for part in account.included}
    assert {component.source for component in context.components} <= set(inside)
    for component in context.components:
        assert inside[component.source].tokens == component.tokens
        assert inside[component.source].truncated == (component.compression is not None)
    outside = {part.path: part.reason for part in account.excluded}
    assert {omission.source for omission in context.report.omitted} <= set(outside)
    assert "over budget" in outside.values()
    assert set(context.report.warnings) <= set(account.warnings)


def test_what_was_cut_says_what_it_had(shop: Engine) -> None:
    parts = ask(shop, Shape.MARKDOWN, 200).report.assembly
    assert parts is not None
    cut = [part for part in parts.included if part.truncated]
    assert cut
    assert all(part.original_tokens and part.original_tokens > part.tokens for part in cut)


def test_an_update_has_an_account_of_its_own(shop: Engine) -> None:
    before = ask(shop, Shape.TAGGED, 600)
    after = shop.update(before.id, NewEvent("note", {"text": "the total is wrong"}), 500)
    assert after.report.assembly is not None
    assert after.report.assembly.budget.max == 500
    assert after.report.assembly.budget.used == after.token_count


def test_warnings_say_how_much_found_no_room_and_how_much_was_cut_to_less_than_half() -> None:
    items = (
        LayerItem("a.py:1-9", 40, "truncated", 100, "semantic: head"),
        LayerItem("b.py:1-9", 60, "truncated", 100, "semantic: skeleton"),
        LayerItem("c.py:1-9", 0, "excluded", 70, "semantic: budget"),
        LayerItem("d.py:1-9", 0, "excluded", 70, "semantic: limit"),
        LayerItem("e.py:1-9", 0, "excluded", 70, "semantic: unlikely"),
        LayerItem("AGENTS.md", 0, "excluded", None, "the folder is not trusted"),
    )
    account = account_for(100, 100, [LayerUse(Layer.MEMORY, 100, items)], ["something else"])
    assert account.warnings == (
        "something else",
        "2 parts were left out for want of room",
        "1 part was cut to less than half",
    )
    assert account.included[0] == IncludedPart("a.py:1-9", 40, truncated=True, original_tokens=100)
    assert [part.reason for part in account.excluded] == [
        "over budget",
        "over a limit",
        "not likely to be of use",
        "the folder is not trusted",
    ]


def test_a_later_warning_stands_in_both_accounts(shop: Engine) -> None:
    report = ask(shop, Shape.MARKDOWN).report.with_warnings(["later", "later"])
    assert report.assembly is not None
    assert (report.warnings.count("later"), report.assembly.warnings.count("later")) == (1, 1)
    bare = replace(report, assembly=None).with_warnings(["again"])
    assert bare.warnings[-1] == "again"
