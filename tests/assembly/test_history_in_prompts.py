"""Git history speaks where a question asks for it, and leaves the room to code where it does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Context, Section

from ..memory.workspaces import SHOP, opened, write
from ..repositories import START, git

PAIR = "changes too (4 of 4 commits)"
TOGETHER = "`shop/prices.py` changes together with `shop/cart.py`"
BUILT = "web/dist/index.html"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Prices, the cart and a page that is built and committed with them always change together; one file is uncommitted."""
    root = write(tmp_path_factory.mktemp("shop"), {**SHOP, BUILT: "<p>built</p>\n", "deploy.sh": "ship\n"})
    git(root, "init")
    for number, author in enumerate(("The Badger", "Unknown W. Brackets", "Anna Lind", "Anna Lind")):
        for path in ("shop/prices.py", "shop/cart.py", BUILT):
            file = root / path
            file.write_text(f"{file.read_text()}# {number}\n")
        git(root, "add", ".")
        git(root, "commit", "-m", f"Change the prices {number}", author=author, date=START + number)
    (root / "deploy.sh").chmod(0o755)
    with opened(root) as engine:
        engine.read_history()
        yield engine


def ask(engine: Engine, query: str) -> Context:
    return engine.assemble(AssembleRequest(query))


@pytest.mark.parametrize(
    "query",
    [
        "how is the discounted price computed in shop/prices.py?",
        "what is the seasonal discount in shop/prices.py?",
        "is the discount in shop/prices.py a percentage, and who wins when two apply?",
    ],
)
def test_who_wants_to_understand_is_not_told_what_changes_along(shop: Engine, query: str) -> None:
    content = ask(shop, query).content
    assert "def discounted" in content
    assert PAIR not in content
    assert "changes together" not in content


@pytest.mark.parametrize(
    "query",
    [
        "change the seasonal discount in shop/prices.py",
        "I want to rename discounted in shop/prices.py",
        "what else changes when shop/prices.py changes?",
        "what breaks if the discount in shop/prices.py is a fraction?",
    ],
)
def test_who_changes_something_is_told_what_changes_along(shop: Engine, query: str) -> None:
    content = ask(shop, query).content
    assert PAIR in content
    assert BUILT not in content, "what a build writes nobody changes"


def test_what_changes_together_is_told_to_whom_asks_for_it(shop: Engine) -> None:
    assert TOGETHER in ask(shop, "what changes together with shop/prices.py?").content


@pytest.mark.parametrize(
    "query", ["why is The Cart total wrong?", "where does UNKNOWN come from in the prices of a cart?"]
)
def test_a_word_that_somebody_is_called_names_nobody(shop: Engine, query: str) -> None:
    assert not [part for part in ask(shop, query).components if part.source.startswith("person:")]


def test_a_name_names_somebody(shop: Engine) -> None:
    assert "person:Anna Lind" in {part.source for part in ask(shop, "ask Anna about the cart").components}


@pytest.mark.parametrize(
    "query",
    [
        "I'm the owner of that cart, why is its total wrong?",
        "customers who created a cart see a wrong total",
        "load carts whose export has its own column names",
    ],
)
def test_people_in_a_story_are_not_asked_for(shop: Engine, query: str) -> None:
    assert "was written mostly by" not in ask(shop, query).content


@pytest.mark.parametrize(
    "query",
    [
        "after my change the cart total is wrong",
        "customers write reviews, where is the total of a cart shown with them?",
        "the version of the prices is pinned, what has to change when it is bumped?",
        "we want one more kind of discount, what needs touching?",
    ],
)
def test_a_file_that_only_became_executable_is_no_part_of_a_question_about_code(
    shop: Engine, query: str
) -> None:
    assert "deploy.sh" not in ask(shop, query).content


@pytest.mark.parametrize("query", ["what did I change?", "review my changes"])
def test_it_is_one_of_the_changes_where_these_are_asked_for(shop: Engine, query: str) -> None:
    (change,) = [part for part in ask(shop, query).components if part.type is Section.RECENT]
    assert "now executable" in change.content
