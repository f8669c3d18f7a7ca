"""Who asks for people gets people: the authors of a file, its newest commits, and little code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Context

from ..memory.workspaces import SHOP, opened, write
from ..repositories import START, git

BEGINNING = (("Ada", "Send receipts"), ("Ada", "Send receipts again"), ("Ben", "Say hello in receipts"))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = write(tmp_path_factory.mktemp("shop"), SHOP)
    git(root, "init")
    for number, (author, subject) in enumerate(BEGINNING):
        mail = root / "shop/mail.py"
        mail.write_text(f"{mail.read_text()}# {subject}\n")
        git(root, "add", "shop/mail.py")
        git(root, "commit", "-m", subject, author=author, date=START + number)
    git(root, "add", ".")
    git(root, "commit", "-m", "Add the rest", author="Cleo", date=START + 9)
    with opened(root) as engine:
        engine.read_history()
        yield engine


def ask(engine: Engine, query: str) -> Context:
    return engine.assemble(AssembleRequest(query))


@pytest.mark.parametrize(
    "query", ["who wrote mail.py?", "Who maintains shop/mail.py", "who should I ask about `send_receipt`?"]
)
def test_the_authors_of_what_is_named_are_told_with_their_commits(shop: Engine, query: str) -> None:
    content = ask(shop, query).content
    assert "`shop/mail.py` was written mostly by `Ada` (2 of 3 commits), `Ben` (1 of 3 commits)" in content
    assert "### Newest commits of `shop/mail.py`" in content
    assert "Say hello in receipts (Ben)" in content


def test_what_is_described_has_authors_too(shop: Engine) -> None:
    assert (
        "`shop/mail.py` was written mostly by `Ada`" in ask(shop, "who wrote the mail of receipts?").content
    )


def test_they_are_in_a_small_prompt_too(shop: Engine) -> None:
    context = shop.assemble(AssembleRequest("who wrote mail.py?", 300))
    assert "`Ada` (2 of 3 commits)" in context.content


def test_nobody_is_named_where_code_is_asked_for(shop: Engine) -> None:
    for query in ("who calls send_receipt?", "how is a receipt written?", "what uses mail.py?"):
        content = ask(shop, query).content
        assert "send_receipt" in content
        assert "Ada" not in content


def test_without_a_history_the_question_is_as_any_other(tmp_path: Path) -> None:
    with opened(write(tmp_path, SHOP)) as engine:
        assert "def send_receipt" in ask(engine, "who wrote mail.py?").content
