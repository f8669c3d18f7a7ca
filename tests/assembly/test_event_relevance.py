"""What happened enters a prompt when the question means it, or when it touches what the question names or finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Boosts, Filters, NewEvent, Section

from ..memory.workspaces import SHOP, opened, write

NOW = 1_800_000_000_000
MINUTE = 60_000
DAY = 24 * 60 * MINUTE


def edit(path: str, symbol: str) -> dict[str, Any]:
    return {
        "path": path,
        "summary": f"edited `{symbol}` (+1 −1)",
        "symbols": [symbol],
        "added": 1,
        "removed": 1,
    }


HAPPENED = (
    (90, "file_edit", edit("shop/prices.py", "discounted")),
    (80, "file_edit", edit("shop/cart.py", "Cart.total")),
    (75, "file_edit", edit("shop/mail.py", "send_receipt")),
    (70, "file_read", {"path": "shop/prices.py"}),
    (60, "note", {"text": "Receipts are mailed at night."}),
    *((50, "shell_exec", {"command": "true", "exitCode": 0}) for _ in range(63)),
    (40, "shell_exec", {"command": "make release", "exitCode": 0}),
    (35, "shell_exec", {"command": "make audit", "exitCode": 2}),
    (35, "error", {"message": "the ledger is off", "path": "README.md", "line": 1, "command": "make audit"}),
    (30, "shell_exec", {"command": "gti status", "exitCode": 127}),
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("shop"), SHOP)) as engine:
        for minutes, kind, content in HAPPENED:
            engine.record(NewEvent(kind, content, timestamp=NOW - minutes * MINUTE))
        yield engine


def told(shop: Engine, query: str, now: int = NOW, **fields: Any) -> str:  # noqa: ANN401
    context = shop.assemble(AssembleRequest(query, **fields), now=now)
    return "\n".join(each.content for each in context.components if each.type is Section.RECENT)


def test_a_question_about_code_is_told_of_nothing_else(shop: Engine) -> None:
    assert told(shop, "how is a path normalised before it is routed?") == ""


def test_what_touches_what_was_found_enters(shop: Engine) -> None:
    found = told(shop, "how is the seasonal discount of a price computed?")
    assert "edited `discounted`" in found
    assert "edited `Cart.total`" in found, "which calls it"
    assert "send_receipt" not in found
    assert "Read: " not in found
    assert told(shop, "how is the seasonal discount of a price computed?", now=NOW + 2 * DAY) == ""


def test_what_the_question_names_enters_however_long_ago_it_was(shop: Engine) -> None:
    for query in ("is `Cart.total` right?", "what is in shop/cart.py?"):
        assert "Edited: `shop/cart.py`" in told(shop, query, now=NOW + 2 * DAY)
    for query in ("what does `make release` do?", "why does make release take so long?"):
        assert "make release" in told(shop, query)


def test_who_names_a_command_that_failed_is_told_its_errors(shop: Engine) -> None:
    assert "the ledger is off" in told(shop, "why did `make audit` fail?")


def test_a_note_that_speaks_of_the_matter_enters(shop: Engine) -> None:
    assert "Receipts are mailed at night." in told(shop, "when are receipts mailed?")


@pytest.mark.parametrize(
    "fields",
    [
        {"query": "what was I doing?"},
        {"query": "how is a path normalised?", "filters": Filters(event_types=("file_edit", "shell_exec"))},
        {"query": "how is a path normalised?", "boosts": Boosts(sections={Section.RECENT: 2.0})},
        {
            "query": "how is a path normalised?",
            "strategy_overrides": {"shares": {"recent": 50, "semantic": 50}},
        },
    ],
)
def test_who_means_what_happened_gets_it_without_the_noise(shop: Engine, fields: dict[str, Any]) -> None:
    found = told(shop, **fields)
    assert "make release" in found
    assert "Edited: `shop/prices.py`" in found
    assert "`true`" not in found
    assert "gti" not in found


def test_a_question_about_changes_gets_no_commands(shop: Engine) -> None:
    found = told(shop, "what did I change in the cart?")
    assert "Edited: `shop/cart.py`" in found
    assert "make release" not in found
