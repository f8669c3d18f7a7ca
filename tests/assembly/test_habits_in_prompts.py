"""Habits are told to whom changes, runs or mends something, and to nobody else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Section

from ..memory.patterns.steps import MINUTE, START, Step, happened
from ..memory.workspaces import SHOP, opened, write

ROUND: tuple[Step | int, ...] = (
    ("edit", "shop/prices.py"),
    ("edit", "shop/cart.py"),
    ("run", "pytest -q", False),
    ("error", "KeyError: 'tide' in the prices", "pytest -q"),
    ("edit", "shop/prices.py"),
    ("run", "pytest -q", True),
    ("run", "ruff format .", True),
    20,
)
BROKEN: tuple[Step, ...] = (
    ("run", "pytest -q", False),
    ("error", "KeyError: 'moon' in the prices", "pytest -q"),
)
REPAIR = "After the error `KeyError: … in the prices`, a change to `shop/prices.py` made `pytest -q` pass"
RUN = "run `pytest -q`"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Three rounds of work that end well, and a fourth that fails."""
    with opened(write(tmp_path_factory.mktemp("shop"), SHOP)) as engine:
        for event in happened(*ROUND * 3, *BROKEN):
            engine.record(event)
        yield engine


def told(shop: Engine, query: str) -> str:
    context = shop.assemble(AssembleRequest(query), now=START + 300 * MINUTE)
    return "\n".join(each.content for each in context.components if each.type is Section.PATTERN)


@pytest.mark.parametrize(
    "query",
    [
        "where is the discounted price computed?",
        "how does the cart sum up its prices?",
        "is the discount of a price a percentage?",
        "customers see an error page when the cart is empty, where is that decided?",
        "discounted",
    ],
)
def test_who_wants_to_understand_is_told_of_no_habit(shop: Engine, query: str) -> None:
    assert told(shop, query) == ""


def test_who_changes_something_is_told_what_is_run_after_once(shop: Engine) -> None:
    assert told(shop, "add a discount for staff to the price").count(RUN) == 1


@pytest.mark.parametrize(
    "query",
    ["what do I run after a change of the cart?", "what comes next?", "which command checks prices.py?"],
)
def test_who_asks_what_to_run_is_told(shop: Engine, query: str) -> None:
    assert "pytest -q" in told(shop, query)


@pytest.mark.parametrize("query", ["fix the failing test", "why did the last run fail?"])
def test_who_mends_what_failed_last_is_told_what_helped_before(shop: Engine, query: str) -> None:
    assert REPAIR in told(shop, query)


@pytest.mark.parametrize(
    "query", ["where do we raise KeyError: 'sun' in the prices?", "fix the KeyError of the prices"]
)
def test_who_names_an_error_is_told_what_helped_before(shop: Engine, query: str) -> None:
    assert REPAIR in told(shop, query)


def test_another_failure_is_not_mended_by_what_helped_with_the_last(shop: Engine) -> None:
    assert REPAIR not in told(shop, "fix the rounding of a discounted price")
