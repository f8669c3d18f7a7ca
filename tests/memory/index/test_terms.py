"""Terms of a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.memory.index.terms import TermSplitter

from ..workspaces import opened, write


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


@pytest.mark.parametrize(
    ("question", "plain", "ids"),
    [
        ("error ba12de34 when uploading", "error when uploading", {"ba12de34"}),
        ("request 7f3c9e1d2b failed", "request failed", {"f3c9e1d2b"}),
        ("page 550e8400-e29b-41d4-a716-446655440000 is lost", "page is lost", {"446655440000"}),
        ("at 0x7F3C9E1D2B", "at", {"x7f3c9e1d2b"}),
    ],
)
def test_an_id_is_no_word(question: str, plain: str, ids: set[str]) -> None:
    splitter = TermSplitter()
    terms = set(splitter.question_terms(question)) - set(splitter.question_terms(plain))
    assert {term.text for term in terms} <= ids
    assert all(term.whole for term in terms)


@pytest.mark.parametrize("word", ["face2face", "add1000", "utf8", "md5sum", "Base64", "decade", "1234567"])
def test_a_word_with_a_number_is_no_id(word: str) -> None:
    splitter = TermSplitter()
    assert {term.hash for term in splitter.stems(word)} <= {
        term.hash for term in splitter.question_terms(word)
    }


def test_letters_of_an_id_find_nothing(tmp_path: Path) -> None:
    files = {
        "shop/codes.py": "def ba_de(code):\n    error = code\n    return ba_de, error\n",
        "shop/upload.py": "def upload(file):\n    if file.size > LIMIT:\n        raise UploadError(file)\n",
    }
    with opened(write(tmp_path, files)) as engine:
        found = engine.search("error ba12de34 when uploading").hits
    assert found[0].path == "shop/upload.py"
