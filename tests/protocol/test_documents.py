"""Positions in each encoding, and edits that keep the text equal to the editor's."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from contextls.lsp.documents import Document, Documents
from contextls.text.surrogates import repair_surrogates

ENCODINGS = ("utf-8", "utf-16", "utf-32")
UNIT_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
LITTLE = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}

texts = st.text(st.sampled_from("ab \n\r\x0c\x0b\x85\u2028äß€语😋𝒳"), max_size=40)
positions = st.tuples(st.integers(0, 12), st.integers(0, 30))


def reference_offset(text: str, line: int, character: int, encoding: str) -> int:
    """The same by encoding the line and cutting its bytes."""
    parts = re.split(r"(\r\n|\n|\r)", text)
    rows = parts[0::2]
    if line >= len(rows):
        return len(text)
    cut = rows[line].encode(LITTLE[encoding])[: character * UNIT_BYTES[encoding]]
    return len("".join(parts[: 2 * line])) + len(cut.decode(LITTLE[encoding], "ignore"))


def open_text(text: str, encoding: str = "utf-16") -> Document:
    return Document("file:///a", None, 1, text, encoding)


def span(start: tuple[int, int], end: tuple[int, int]) -> types.Range:
    return types.Range(types.Position(*start), types.Position(*end))


def edit(document: Document, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
    document.apply(types.TextDocumentContentChangePartial(range=span(start, end), text=text))


def text_before(document: Document, at: tuple[int, int]) -> str:
    return document.excerpt(span((0, 0), at)).text


@given(texts, positions, st.sampled_from(ENCODINGS))
def test_positions_equal_those_of_the_encoded_line(text: str, at: tuple[int, int], encoding: str) -> None:
    assert text_before(open_text(text, encoding), at) == text[: reference_offset(text, *at, encoding)]


@given(texts, positions, positions, st.sampled_from(ENCODINGS))
def test_a_range_holds_what_is_between_its_ends(
    text: str, first: tuple[int, int], second: tuple[int, int], encoding: str
) -> None:
    start, end = sorted(reference_offset(text, *at, encoding) for at in (first, second))
    assert open_text(text, encoding).excerpt(span(first, second)).text == text[start:end]


@given(texts, st.lists(st.tuples(positions, positions, texts), max_size=6), st.sampled_from(ENCODINGS))
def test_edits_keep_the_text_and_its_lines_equal(
    text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]], encoding: str
) -> None:
    document = open_text(text, encoding)
    expected = text
    for first, second, new in edits:
        start, end = sorted(reference_offset(expected, *at, encoding) for at in (first, second))
        expected = expected[:start] + new + expected[end:]
        edit(document, first, second, new)
    rows = re.split(r"\r\n|\n|\r", expected)
    assert [document.line(number) for number in range(len(rows) + 1)] == [*rows, ""]
    assert document.text == expected


def test_an_edit_may_join_or_part_the_halves_of_a_line_end() -> None:
    document = open_text("one\rtwo\nthree")
    edit(document, (1, 0), (1, 3), "")
    assert document.text == "one\r\nthree"
    assert document.line(1) == "three"
    edit(document, (0, 3), (1, 0), "\r2\n")
    assert document.text == "one\r2\nthree"
    assert document.line(2) == "three"


def test_replacing_everywhere_in_one_notification() -> None:
    lines = [f"{number} 😋 old = old\r\n" for number in range(20_000)]
    document = open_text("".join(lines))
    for number in reversed(range(0, 20_000, 10)):
        for column in (len(f"{number} 😋 old = ") + 1, len(f"{number} 😋 ") + 1):
            edit(document, (number, column), (number, column + 3), "new\n")
    lines[::10] = [line.replace("old", "new\n") for line in lines[::10]]
    assert document.text == "".join(lines)


def test_an_edit_without_range_replaces_everything() -> None:
    document = open_text("old\ntext")
    document.apply(types.TextDocumentContentChangeWholeDocument(text="new"))
    assert document.text == "new"


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 7), ("utf-16", 5), ("utf-32", 4)])
def test_the_quote_after_an_astral_character(encoding: str, character: int) -> None:
    assert text_before(open_text('x="😋"', encoding), (0, character)) == 'x="😋'


def test_form_feeds_and_unicode_separators_end_no_line() -> None:
    assert text_before(open_text("a\x0cb\u2028c\nd"), (1, 0)) == "a\x0cb\u2028c\n"


@given(texts, positions)
def test_a_word_at_any_place_of_any_text_is_letters_and_digits_of_that_text(
    text: str, at: tuple[int, int]
) -> None:
    word = open_text(text).word_at(types.Position(*at))
    if word is not None:
        assert re.fullmatch(r"\w+", word.text)
        assert text.endswith(word.text + word.after)
        assert text.startswith(word.before + word.text)


@pytest.mark.parametrize(("character", "word"), [(5, "größe_2"), (12, "größe_2"), (13, None), (15, None)])
def test_the_word_on_either_side_of_the_cursor(character: int, word: str | None) -> None:
    found = open_text("call(größe_2, 17)").word_at(types.Position(0, character))
    assert (found and found.text) == word


def test_halves_of_pairs_are_joined_or_replaced() -> None:
    assert repair_surrogates("a\ud83d\ude0bb") == "a😋b"
    assert repair_surrogates("a\ud83d") == "a\ufffd"
    assert repair_surrogates("plain 😋") == "plain 😋"


def test_documents_are_found_under_any_spelling_of_their_uri() -> None:
    documents = Documents()
    documents.open("file:///tmp/a%20b.py", 1, "x")
    found = documents.get("file:///tmp/a b.py")
    assert found is not None
    assert found.text == "x"
    assert documents.close("file:///tmp/./a%20b.py") is found
    assert documents.get("file:///tmp/a%20b.py") is None
