"""Terms of a question."""

from __future__ import annotations

import pytest

from contextls.memory.index.terms import TermSplitter


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("Why doesn't the cart sort itself?", "Why the cart sort itself?"),
        ("Why isn’t it sorted, and can't be?", "Why sorted, and be?"),
        ("the user's other cart", "the user other cart"),
        ("We'd keep what they've sorted, I'm told it'll last", "We keep what they sorted, I told it last"),
    ],
)
def test_what_is_contracted_asks_for_nothing(question: str, plain: str) -> None:
    splitter = TermSplitter()
    assert set(splitter.question_terms(question)) == set(splitter.question_terms(plain))
