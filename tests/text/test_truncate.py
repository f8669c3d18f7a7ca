import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.text.tokens import get_tokenizer
from contextls.text.truncate import Keep, truncate

lines = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=40).map("\n".join)


@given(
    text=lines,
    limit=st.integers(0, 120),
    keep=st.sampled_from(Keep),
    name=st.sampled_from(["o200k_base", "estimate"]),
)
def test_truncated_text_never_has_more_tokens_than_the_limit(
    text: str, limit: int, keep: Keep, name: str
) -> None:
    tokenizer = get_tokenizer(name)
    result = truncate(text, limit, tokenizer, keep)
    assert tokenizer.count(result.text) <= limit
    assert (result.omitted == 0) == (result.text == text)


@pytest.mark.parametrize(
    ("keep", "first", "last"),
    [(Keep.HEAD, "line 0", "omitted)"), (Keep.TAIL, "omitted)", "line 99"), (Keep.ENDS, "line 0", "line 99")],
)
def test_keeps_whole_lines_and_says_what_is_missing(keep: Keep, first: str, last: str) -> None:
    text = "".join(f"line {number}\n" for number in range(100))
    tokenizer = get_tokenizer("o200k_base")
    result = truncate(text, 100, tokenizer, keep)
    shown = result.text.splitlines()
    assert first in shown[0]
    assert last in shown[-1]
    assert f"… ({result.omitted} lines omitted)" in shown
    assert len(shown) - 1 + result.omitted == 100
    assert tokenizer.count(result.text) > 80
