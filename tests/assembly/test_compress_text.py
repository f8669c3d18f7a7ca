"""Any text within a budget: code by its skeleton, logs folded, prose by sentences, never above what was asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.assembly.compress_text import compress_text, count_tokens
from contextls.code.pool import WorkerPool
from contextls.errors import InvalidRequestError
from contextls.text.tokens import get_tokenizer

CODE = "".join(
    f'def step_{n}(order):\n    """Step {n} of an order."""\n    total = order.total * {n}\n    return total + {n}\n\n\n'
    for n in range(12)
)
LOG = (
    "".join(f"2026-01-01T10:00:{n % 60:02d}Z compiling unit {n}\n" for n in range(300))
    + "error: unit 301 is missing\nfailed\n"
)
PROSE = (
    "A cart keeps articles until the customer pays. " * 2
    + "The weather was fine on Tuesday. "
    + "The cart asks the price list what each article costs. "
) * 6


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(1, 30) as pool:
        yield pool


def test_code_keeps_its_signatures(pool: WorkerPool) -> None:
    short = compress_text(CODE, 300, "o200k_base", "python", pool)
    assert short.method == "skeleton"
    assert "def step_11(order):" in short.text
    assert "order.total" not in short.text
    assert short.truncated


def test_code_whose_skeleton_is_too_long_keeps_its_beginning(pool: WorkerPool) -> None:
    short = compress_text(CODE, 60, "o200k_base", "src/steps.py", pool)
    assert short.method == "head"
    assert short.text.startswith("def step_0(order):")


def test_a_log_is_folded_and_keeps_its_error() -> None:
    short = compress_text(LOG, 200, "o200k_base")
    assert short.method == "fold"
    assert "error: unit 301 is missing" in short.text


def test_versions_and_names_of_files_stay_whole_in_prose() -> None:
    told = "The cart of release 2.8 asks the file prices.toml what each article of the customer costs. "
    short = compress_text((told * 3 + "It rained. ") * 4, 80, "o200k_base")
    assert short.method == "sentences"
    assert short.text.removesuffix("…").split(told) == [""] * (short.text.count(told) + 1)


def test_prose_keeps_the_sentences_that_it_is_about() -> None:
    short = compress_text(PROSE, 60, "o200k_base")
    assert short.method == "sentences"
    assert "weather" not in short.text
    assert "cart" in short.text


@pytest.mark.parametrize("name", ["Python", "py", ".py", "python3", "steps.py"])
def test_a_language_is_called_as_people_call_it(pool: WorkerPool, name: str) -> None:
    assert compress_text(CODE, 300, "o200k_base", name, pool) == compress_text(
        CODE, 300, "o200k_base", "python", pool
    )


@pytest.mark.parametrize("name", ["cobol", "abap", "bogus", "notes"])
def test_where_the_language_is_not_known_the_budget_is_used_and_it_is_said(name: str) -> None:
    nested = "module Shop\n" + indent(Path(__file__).read_text("utf-8"), "  ") + "end\n"
    short = compress_text(nested, 300, "o200k_base", name)
    assert (short.method, short.warning) == (
        "ends",
        f"shortened as plain text: {name} names no language that is known",
    )
    assert short.token_count > 250


@pytest.mark.parametrize("name", ["plaintext", "markdown", "README.md", "notes.txt"])
def test_a_text_is_no_code_whatever_it_is_called(name: str) -> None:
    assert compress_text(PROSE, 60, "o200k_base", name) == compress_text(PROSE, 60, "o200k_base")


@pytest.mark.parametrize("text", ["word " * 500, "One. Two! Three? " * 200])
def test_where_not_even_one_line_fits_it_is_cut(text: str) -> None:
    short = compress_text(text, 20, "o200k_base")
    assert short.method == "cut"
    assert text.startswith(short.text)
    assert short.token_count == 20


def test_what_fits_stays_as_it_is() -> None:
    short = compress_text("one line\n", 100, "o200k_base")
    assert (short.text, short.method, short.truncated) == ("one line\n", "none", False)


def test_secrets_do_not_come_back() -> None:
    assert "AKIA" not in compress_text("key AKIAIOSFODNN7ABCDEFG here", 100, "o200k_base").text


@given(
    st.sampled_from([CODE, LOG, PROSE, "x" * 5000, "大きさ 😋 " * 300, "\n" * 500, "{" * 300])
    | st.text(max_size=2000),
    st.integers(1, 500),
    st.sampled_from(["", "python", "a.ts", "nonsense", "weird/name.zzz"]),
    st.sampled_from(["o200k_base", "cl100k_base", "claude-sonnet-4"]),
)
def test_the_result_never_counts_more_than_asked(text: str, most: int, language: str, name: str) -> None:
    short = compress_text(text, most, name, language)
    assert short.token_count == get_tokenizer(name).count(short.text) <= most
    assert short == compress_text(text, most, name, language)


@pytest.mark.parametrize(("most", "language", "field"), [(0, "", "maxTokens"), (5, "\n", "language")])
def test_bad_input_is_named(most: int, language: str, field: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        compress_text("text", most, "o200k_base", language)
    assert caught.value.field == field


def test_counts_are_given_for_each_text_and_together() -> None:
    counts = count_tokens(("hello world", ""), "gpt-4o")
    assert (counts.counts, counts.total, counts.tokenizer_exact) == ((2, 0), 2, True)
    assert not count_tokens(("a",), "claude-sonnet-4").tokenizer_exact
