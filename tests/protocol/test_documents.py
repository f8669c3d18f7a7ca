"""Positions in each encoding, and edits that keep the text equal to the editor's."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from contextls.lsp.documents import Document, Documents, offset_at
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


@given(texts, positions, st.sampled_from(ENCODINGS))
def test_offsets_equal_those_of_the_encoded_line(text: str, at: tuple[int, int], encoding: str) -> None:
    assert offset_at(text, *at, encoding) == reference_offset(text, *at, encoding)


@given(texts, st.lists(st.tuples(positions, positions, texts), max_size=6), st.sampled_from(ENCODINGS))
def test_edits_keep_the_text_equal(
    text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]], encoding: str
) -> None:
    document = Document("file:///a", None, 1, text, encoding)
    for first, second, new in edits:
        start, end = sorted((first, second))
        expected = (
            document.text[: reference_offset(document.text, *start, encoding)]
            + new
            + document.text[reference_offset(document.text, *end, encoding) :]
        )
        span = types.Range(types.Position(*start), types.Position(*end))
        document.apply(types.TextDocumentContentChangePartial(range=span, text=new))
        assert document.text == expected


def test_an_edit_without_range_replaces_everything() -> None:
    document = Document("file:///a", None, 1, "old\ntext", "utf-16")
    document.apply(types.TextDocumentContentChangeWholeDocument(text="new"))
    assert document.text == "new"


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 7), ("utf-16", 5), ("utf-32", 4)])
def test_the_quote_after_an_astral_character(encoding: str, character: int) -> None:
    assert offset_at('x="😋"', 0, character, encoding) == 4


def test_form_feeds_and_unicode_separators_end_no_line() -> None:
    assert offset_at("a\x0cb\u2028c\nd", 1, 0, "utf-16") == 6


@given(texts, positions)
def test_words_hold_no_blanks(text: str, at: tuple[int, int]) -> None:
    word = Document("file:///a", None, 1, text, "utf-16").word_at(types.Position(*at))
    assert re.fullmatch(r"\w*", word)
    assert word in text


def test_the_word_on_either_side_of_the_cursor() -> None:
    document = Document("file:///a", None, 1, "call(größe_2, 17)", "utf-16")
    assert document.word_at(types.Position(0, 5)) == "größe_2"
    assert document.word_at(types.Position(0, 12)) == "größe_2"
    assert document.word_at(types.Position(0, 13)) == ""
    assert document.word_at(types.Position(0, 15)) == ""


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
