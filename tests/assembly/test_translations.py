"""Messages in many languages are shown in one, unless a question is about another."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

KEYS = ("archiveAllCards", "archiveCard", "deleteArchivedCards")
ENGLISH = dict(zip(KEYS, ("Archive all cards", "Archive card", "Delete archived cards"), strict=True))
OTHERS = {
    "lo": ("Archive all cards ທັງໝົດ", "Archive card ບັດ", "Delete archived cards ລຶບ"),
    "de": (
        "Alle Karten archivieren (Archive all cards)",
        "Archive card: Karte",
        "Delete archived cards: weg",
    ),
    "pl": ("Zarchiwizuj wszystkie karty, archive all cards", "Archive card: karta", "Delete archived cards"),
}
CODE = '''"""Cards of a stack."""

from board.texts import text


def archive_all_cards(stack):
    """Archive all cards of ``stack`` that are not archived yet."""
    for card in stack.cards:
        card.archived = True
    return text("archiveAllCards")
'''


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    root = tmp_path_factory.mktemp("board")
    catalogs = {"en": ENGLISH, **{code: dict(zip(KEYS, said, strict=True)) for code, said in OTHERS.items()}}
    for code, said in catalogs.items():
        write(root, {f"l10n/{code}.json": json.dumps({"translations": said}, ensure_ascii=False, indent=1)})
    write(root, {"board/cards.py": CODE})
    with opened(root) as engine:
        yield engine


def paths(board: Engine, question: str) -> set[str]:
    return {part.path for part in board.assemble(AssembleRequest(question)).components if part.path}


def test_a_label_leads_to_its_code_and_to_no_catalog_of_another_language(board: Engine) -> None:
    found = paths(board, 'the "Archive all cards" action also archives cards of other lists')
    assert "board/cards.py" in found
    assert not found & {f"l10n/{code}.json" for code in OTHERS}


def test_of_translations_those_in_the_language_that_is_named_are_shown(board: Engine) -> None:
    found = paths(board, "which German translation of archive all cards is wrong?")
    assert "l10n/de.json" in found
    assert not found & {"l10n/lo.json", "l10n/pl.json"}


def test_a_translation_whose_path_is_given_is_shown(board: Engine) -> None:
    assert "l10n/de.json" in paths(board, "archive all cards in l10n/de.json")


@pytest.mark.parametrize(
    "question", ["polish the message when we archive all cards", "Polish archive all cards", "archive card"]
)
def test_to_polish_something_is_no_language(board: Engine, question: str) -> None:
    assert not paths(board, question) & {f"l10n/{code}.json" for code in OTHERS}


@pytest.mark.parametrize("question", ["the Polish text of archive card", "polish translation: archive card"])
def test_polish_is_one_where_it_is_written_so(board: Engine, question: str) -> None:
    assert "l10n/pl.json" in paths(board, question)
