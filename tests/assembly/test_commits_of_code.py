"""Questions about when, why or by whom some code was changed get the commits that did it, and their diffs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Context

from ..memory.workspaces import opened, write
from ..repositories import START, git

CART = """def total_price(cart):
    # What the cart costs.
    return sum(cart)


def is_empty(cart):
    return not cart
"""
TAXED = CART.replace("return sum(cart)", "return sum(cart) * 1.2")
ROUNDED = TAXED.replace("sum(cart) * 1.2", "round(sum(cart) * 1.2, 2)")


def commit(root: Path, text: str, subject: str, author: str, day: int, path: str = "shop/cart.py") -> None:
    write(root, {path: text})
    git(root, "add", "--all")
    git(root, "commit", "-m", subject, author=author, date=START + 86_400 * day)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = write(tmp_path_factory.mktemp("shop"), {"README.md": "# Shop\n"})
    git(root, "init")
    commit(root, CART, "Open the shop", "Ada", 0, path="basket.py")
    (root / "shop").mkdir()
    git(root, "mv", "basket.py", "shop/cart.py")
    git(root, "commit", "-m", "Call it a cart", author="Ben", date=START + 86_400)
    commit(root, TAXED, "Charge the tax", "Cleo", 2)
    commit(root, TAXED.replace("not cart", "len(cart) == 0"), "Ask for the length", "Dan", 3)
    with opened(root) as engine:
        engine.read_history()
        # What is committed after history was read counts as well.
        commit(root, ROUNDED.replace("not cart", "len(cart) == 0"), "Round to cents", "Eve", 4)
        engine.update_files(["shop/cart.py"])
        yield engine


def ask(engine: Engine, query: str) -> Context:
    return engine.assemble(AssembleRequest(query))


@pytest.mark.parametrize(
    "query",
    [
        "who changed total_price last and why?",
        "when was `total_price` changed?",
        "which commit introduced total_price?",
        "why was total_price changed?",
        "git blame total_price",
        "show me the history of total_price",
        "last changes to total_price",
        "when was the total price of a cart changed?",
    ],
)
def test_the_commits_of_a_symbol_are_told_with_what_they_did(shop: Engine, query: str) -> None:
    content = ask(shop, query).content
    assert "### Commits that changed `total_price` in `shop/cart.py`" in content
    told = [line.split("` ", 1)[1] for line in content.splitlines() if line.startswith("- `")]
    assert told[:3] == [
        "Round to cents (Eve, 2023-11-18)",
        "Charge the tax (Cleo, 2023-11-16)",
        "Open the shop (Ada, 2023-11-14)",
    ]
    assert "-    return sum(cart) * 1.2\n+    return round(sum(cart) * 1.2, 2)\n" in content
    assert "Ask for the length" not in content


def test_a_file_has_all_of_its_commits(shop: Engine) -> None:
    content = ask(shop, "what changed in shop/cart.py recently?").content
    assert "### Newest commits of `shop/cart.py`" in content
    assert "Round to cents (Eve, 2023-11-18)" in content
    assert "Ask for the length (Dan, 2023-11-17)" in content


@pytest.mark.parametrize(
    "query",
    [
        "how is total_price computed?",
        "why was the article removed from the cart?",
        "what happens when a user who changed the cart leaves?",
        "who calls total_price?",
        "which commit introduced net_price?",
    ],
)
def test_other_questions_get_no_commits(shop: Engine, query: str) -> None:
    assert "Commits that changed" not in ask(shop, query).content


def test_without_a_history_there_is_none_to_tell(tmp_path: Path) -> None:
    with opened(write(tmp_path, {"shop/cart.py": CART})) as engine:
        content = ask(engine, "who changed total_price last?").content
    assert "def total_price" in content
    assert "Commits that changed" not in content
