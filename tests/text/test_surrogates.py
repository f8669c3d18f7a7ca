"""Halves of surrogate pairs, as JSON, editors and names of files bring them in."""

from hypothesis import given
from hypothesis import strategies as st

from contextls.text.surrogates import is_encodable, repair_surrogates, replace_surrogates

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
WHOLE_TEXT = st.text(max_size=60)


def test_halves_that_belong_together_are_joined() -> None:
    assert repair_surrogates("a \ud83d\ude00 b \ude00") == "a \U0001f600 b \ufffd"
    assert replace_surrogates("a \ud83d\ude00 b") == "a \ufffd\ufffd b"


@given(WHOLE_TEXT)
def test_text_without_halves_stays_as_it_is(text: str) -> None:
    assert is_encodable(text)
    assert repair_surrogates(text) == replace_surrogates(text) == text


@given(ANY_TEXT)
def test_any_text_can_be_encoded_afterwards(text: str) -> None:
    assert is_encodable(repair_surrogates(text))
    assert is_encodable(replace_surrogates(text))
    assert len(replace_surrogates(text)) == len(text)
    assert is_encodable(text) == (replace_surrogates(text) == text)
