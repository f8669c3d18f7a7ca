"""Patterns that are searched for only where a text holds one of their cues find all that they would find anywhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.assembly.sources import patterns, relations
from contextls.assembly.targets import work_question
from contextls.assembly.wording import commit_questions, editor_words
from contextls.memory.index.query import asked_kinds, frame_formats
from contextls.memory.index.words.named_languages import named_languages
from contextls.regex import CuedRegex, LateRegex, compile_cued

CUED = (
    asked_kinds._ASKED_FOR,
    work_question._KINDS,
    *(tuple(vars(each).values()) for each in (asked_kinds, commit_questions, patterns, relations)),
)
LETTERS = st.characters(codec="ascii")


def cued(value: object) -> Iterator[CuedRegex]:
    if isinstance(value, CuedRegex):
        yield value
    elif isinstance(value, dict):
        yield from (found for each in value.values() for found in cued(each))
    elif isinstance(value, tuple):
        yield from (found for each in value for found in cued(each))


def texts_of(pattern: object) -> st.SearchStrategy[str]:
    assert isinstance(pattern, LateRegex)
    return st.from_regex(pattern.compiled, alphabet=LETTERS)


@pytest.mark.parametrize("pattern", dict.fromkeys(cued(CUED)), ids=lambda pattern: pattern.cues[0])
@given(data=st.data())
def test_whatever_a_pattern_finds_holds_one_of_its_cues(pattern: CuedRegex, data: st.DataObject) -> None:
    assert pattern.search(data.draw(texts_of(pattern.pattern)))


def test_a_text_without_cues_is_not_searched() -> None:
    pattern = compile_cued("a|b", "a")
    assert pattern.search("A b a")
    assert not pattern.search("b")


@pytest.mark.parametrize("row", frame_formats.FRAMES, ids=lambda row: row[0])
@given(data=st.data())
def test_every_frame_of_a_trace_holds_the_sign_of_one(row: tuple[str, object], data: st.DataObject) -> None:
    assert frame_formats.FRAME_SIGN.search(data.draw(texts_of(row[1])))


@given(texts_of(editor_words._OTHER_LANGUAGES))
def test_what_points_at_the_editor_in_another_language_holds_a_word_that_does(text: str) -> None:
    assert editor_words._points_in_other_words(text)


@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ("where are the German texts?", {"de"}),
        ("DEUTSCHE Übersetzungen", {"de"}),
        ("deutschlandkartendarsteller", set()),  # no form of the name of a language is that long
        ("日本語", {"ja", "jp"}),
        ("norsk, česky", {"nb", "nn", "no", "cs"}),
        ("germane pseudogerman german_texts", set()),
        ("the Polish translations", {"pl"}),
        ("polish the dialog", set()),
    ],
)
def test_the_languages_that_a_question_names_are_read(query: str, codes: set[str]) -> None:
    assert named_languages(query) == codes
