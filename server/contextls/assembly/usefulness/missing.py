"""Tells questions about something that the workspace does not have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from msgspec import Struct

from contextls.assembly.usefulness.mentions import Mentions, find_mentions, find_together, is_held
from contextls.assembly.usefulness.proper_names import find_products, find_proper_names
from contextls.assembly.usefulness.subjects import Subject, find_subject
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.clauses import split_clauses
from contextls.memory.index.query.report_lines import without_template
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import TermSplitter
from contextls.memory.index.words.spelling import usual_words
from contextls.regex import compile_late

# Questions that assume that something is there. "It fails when the proxy is down" asks nothing.
ASKS = compile_late(
    r"(?:^\W*|\b(?:and|but|know|me|of|out|see|so|tell|us)\s)when\b"
    r"|\b(?:where|which|who|how (?:is|are|does|do|did|long|often|many|much)|is there|does (?:it|this)"
    r"|what(?:'?s| \w+)? (?:is|are|does|do|did)|show me|explain|looking for)\b",
    re.IGNORECASE,
)
# What another language asks is put into English word by word, in its own order: "how enabled the …".
_ASKS_WORD_BY_WORD = compile_late(rf"{ASKS.pattern}|\bhow\b", re.IGNORECASE)
# A wish to add it says that it is not there. Fewer words than for names: "the prompt of a support ticket" wishes nothing.
_WISHES = compile_late(r"\b(?:add|implement|introduce|integrate|want|should)\b", re.IGNORECASE)
_GRANTED = compile_late(r"\bthe ([A-Za-z][A-Za-z0-9]*)\b", re.IGNORECASE)
_WORD = compile_late(r"[A-Za-z][A-Za-z0-9]*(?:/[0-9]\b)?")
# A pasted log or a report holds words of other programs.
MAX_CHARS = 300
# A chunk that holds this share of the question answers it, whatever else the question names.
ANSWERED = 0.5
# What no chunk says in any word of the question it may say in others: vectors so near are seldom near by chance. The best
# of a workspace for letters struck at random was at 0.20 to 0.37.
NEAR = 0.38
# A document that names a thing now and then is no code for it.
FEW_DOCUMENTS = 2
# Files of these kinds name what the code has nothing to do with, unless the question asks for them.
_BESIDE = {
    FileKind.TEST: "tests",
    FileKind.DATA: "data",
    FileKind.LICENCE: "licences",
    FileKind.DOCUMENT: "documents",
    FileKind.CHANGELOG: "changelogs",
    FileKind.TRANSLATION: "translations",
}


class Missing(Struct, frozen=True):
    """The words of a question that no code here mentions, and the chunks of files of other ``kinds`` that do."""

    words: tuple[str, ...]
    beside: tuple[ChunkRef, ...] = ()
    kinds: tuple[str, ...] = ()


def find_missing(text: str, ranking: Ranking, held: float) -> Missing | None:
    """Return what a question is about if nothing here mentions it, else ``None``.

    ``held`` is how much of the question the chunk that holds most of it does, in 0..1, by how rare words are. ``text`` is
    the question; one in another language is read in English.
    """
    question = ranking.question
    asks = _ASKS_WORD_BY_WORD if question.in_english else ASKS
    text = without_template(question.in_english or text)
    named = question.places or ranking.defined or ranking.placed
    if named or len(text) > MAX_CHARS or held >= ANSWERED:
        return None
    proper = find_proper_names(question)
    subjects = _words_asked_about(text, asks)
    foreign = {
        word: beside
        for word in subjects
        if (beside := _foreign(ranking, word, is_name=word in proper)) is not None
    }
    if not foreign:
        foreign = _find_foreign_products(ranking, subjects)
    if unknown := tuple(word for word, beside in foreign.items() if not beside):
        return Missing(unknown)
    if foreign:
        kinds = {_BESIDE[kind] for beside in foreign.values() for kind in beside.count_kinds()}
        refs = chain.from_iterable(beside.refs for beside in foreign.values())
        return Missing(tuple(foreign), tuple(dict.fromkeys(refs)), tuple(sorted(kinds)))
    if _says_something(ranking):
        return None
    words = dict.fromkeys(_WORD.findall(text))
    told = tuple(word for word in words if TermSplitter().question_terms(word))
    # "Make it less chatty" shares no word with code that it means all the same.
    is_told = told and (asks.search(text) or not any(word.lower() in usual_words() for word in told))
    return Missing(told) if is_told else None


def _words_asked_about(text: str, asks: re.Pattern[str]) -> list[str]:
    """The words of the clauses that ask, and in others those with an article that takes them for granted.

    "Our invoice gets a 404, where is that decided?" is about no invoice.
    """
    words: list[str] = []
    for clause in split_clauses(text):
        if not _WISHES.search(clause):
            words += (_WORD if asks.search(clause) else _GRANTED).findall(clause)
    return list(dict.fromkeys(words))


def _foreign(ranking: Ranking, word: str, *, is_name: bool) -> Mentions | None:
    """Find where files other than code mention the subject ``word``. ``None`` if code does, or it names no subject.

    What ``is_name`` of its own is a subject.
    """
    subject = find_subject(word) or (Subject((word.lower(),)) if is_name else None)
    if subject is None:
        return None
    asked = ranking.question.kinds
    kinds = find_mentions(ranking.view, subject.words, subject.as_names).count_kinds()
    documents = sum(kinds.get(kind, 0) for kind in (FileKind.DOCUMENT, FileKind.CHANGELOG))
    if documents > FEW_DOCUMENTS or any(kind in asked or kind not in _BESIDE for kind in kinds):
        return None
    return find_mentions(ranking.view, subject.words)


def _find_foreign_products(ranking: Ranking, subjects: Sequence[str]) -> dict[str, Mentions]:
    """The chunks of files other than code that mention products among ``subjects`` which no code mentions."""
    asked = ranking.question.kinds
    found: dict[str, Mentions] = {}
    for name in find_products(ranking.question.text):
        maker, product = name.split()
        if maker in subjects and product in subjects:
            mentions = find_together(ranking.view, (maker, product))
            short = find_mentions(ranking.view, [f"{maker[0]}{product}".lower()])
            if not len(short) and not any(
                kind in asked or kind not in _BESIDE for kind in mentions.count_kinds()
            ):
                found[name] = mentions
    return found


def _says_something(ranking: Ranking) -> bool:
    """Whether any chunk holds a word of the question, or is near in meaning; one without words cannot tell."""
    view = ranking.view
    terms = [term for term in ranking.question.terms if not term.whole]
    if not terms or not len(view) or any(is_held(view, term.hash) for term in terms):
        return True
    return ranking.reader.nearness.first >= NEAR
