"""Of a question that tells the circumstances and then asks, the clause that asks counts most."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.index.query.clauses import find_asking, split_clauses
from contextls.memory.index.query.search_query import CIRCUMSTANCE, prepare_query
from contextls.memory.index.terms import TermSplitter

RETRIES = "we get a 502 when the backend closes a connection, where are retries of a request decided?"


def counted(question: str) -> dict[str, float]:
    """The weights of the words that the question weighs down."""
    query = prepare_query(question, TermSplitter(), np.zeros(4, np.float32))
    return {
        term.text: query.emphasis[term.hash]
        for term in query.terms
        if not term.whole and term.hash in query.emphasis
    }


@pytest.mark.parametrize(
    ("question", "less"),
    [
        (RETRIES, "502 backend close connect"),
        ("where are retries of a request decided? we get a 502", "502"),
        ("uploads are slow; which header sets the size of a chunk?", "upload slow"),
        ("when the server goes away, what happens with the unsent letters?", "server goe away"),
    ],
)
def test_the_circumstances_count_less(question: str, less: str) -> None:
    words = counted(question)
    assert set(words.values()) == {CIRCUMSTANCE}
    assert set(less.split()) <= set(words) <= {*less.split(), "we", "go"}


@pytest.mark.parametrize(
    "question",
    [
        "where are retries of a request decided?",
        "where are retries decided, and how long do they take?",
        "a pull mirror is tried again every few minutes, how does that work?",  # "that" was said before
        "rename the flag of the cart, which callers need a change?",
        "the connection is closed in close_backend, where are retries of a request decided?",
        "502, backend, connection",
        "it fails, why?",
    ],
)
def test_all_words_count_alike_where_all_may_be_asked(question: str) -> None:
    assert counted(question) == {}


@given(st.text(max_size=200))
def test_the_clauses_that_ask_are_some_of_all(text: str) -> None:
    clauses, asking = split_clauses(text), find_asking(text)
    assert set(asking) <= set(clauses)
    assert not asking or len(asking) < len(clauses)
