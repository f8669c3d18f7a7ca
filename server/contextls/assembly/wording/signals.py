"""Signals: what is read out of a question before any memory is asked."""

from __future__ import annotations

import re
from enum import StrEnum

from msgspec import Struct

from contextls.assembly.wording.editor_words import points_here, speaks_of_here_alone
from contextls.memory.index.query.search_query import SearchQuery, identifiers_in
from contextls.model import FILE_CHANGES, GIT_MOVES, LOOKS, TROUBLE, WRITES, EventType
from contextls.regex import compile_late

_BACKTICKED = compile_late(r"`([^`\n]{2,120})`")
_PATH = compile_late(
    r"(?<![\w/])(?>(?:[\w.@+-]{1,120}+/){0,40})[\w@+-][\w.@+-]{0,120}\.[A-Za-z]\w{0,9}(?![\w/])"
)
_CAPITALISED = compile_late(r"(?<![.!?]\s)(?<!^)\b[A-Z][A-Za-z0-9]{2,}\b")
_FIX = compile_late(
    r"\b(fix(es|ed|ing)?|bugs?|errors?|exceptions?|fail(s|ed|ing|ure|ures)?|crash(es|ed|ing)?|broken|traceback|panic(s|ked)?"
    r"|segfault(s|ed)?|complain(s|ing|ed)?|wrong|debug(ging)?|doesn't work|not working)\b",
    re.IGNORECASE,
)
_EXPLAIN = compile_late(
    r"\b(explain|describe|how (do|does|is|are|did)|what (is|are|does)|why|understand|walk me through)\b",
    re.IGNORECASE,
)
_ACTION = compile_late(
    r"^\s*(please\s+)?(add|implement|write|create|make|change|refactor|rename|remove|delete|update|extract|move|replace|support|use)\b",
    re.IGNORECASE,
)


class Intent(StrEnum):
    """The kind of help that the user wants."""

    FIX = "fix"
    EXPLAIN = "explain"
    QUESTION = "question"
    ACTION = "action"
    OTHER = "other"


class Signals(Struct, frozen=True):
    """The signals in a question.

    ``mentions`` are names and paths in it, ``about_here`` says that it points at the editor, ``only_here`` at nothing else.
    """

    query: SearchQuery
    keywords: tuple[str, ...]
    mentions: tuple[str, ...]
    intent: Intent
    event_types: frozenset[str]
    about_here: bool
    only_here: bool

    @classmethod
    def bare(cls, text: str) -> Signals:
        """The signals of a question whose words could not be read."""
        import numpy as np

        nothing = np.zeros(0, np.float32)
        query = SearchQuery(text, (), (), {}, is_symbol=False, kinds=frozenset(), vector=nothing)
        return cls(query, (), (), Intent.OTHER, _OTHERWISE, about_here=False, only_here=False)

    @property
    def text(self) -> str:
        """The words of the question; those that the workspace does not know, as they were read."""
        return self.query.words


_OTHERWISE = LOOKS | WRITES | {EventType.NOTE}
# What broke and what was done before that; for work to be done, what was changed and looked at.
_RELEVANT = {
    Intent.FIX: TROUBLE | FILE_CHANGES | GIT_MOVES | {EventType.SHELL_EXEC},
    Intent.ACTION: FILE_CHANGES | LOOKS | {EventType.GIT_COMMIT, EventType.NOTE},
}


def read_signals(query: SearchQuery) -> Signals:
    """Read ``query``; the same words always give the same signals."""
    intent, mentions, about_here = detect_intent(query.words), _mentions(query), points_here(query.text)
    return Signals(
        query=query,
        keywords=tuple(term.text for term in query.terms if not term.whole),
        mentions=mentions,
        intent=intent,
        event_types=_RELEVANT.get(intent, _OTHERWISE),
        about_here=about_here,
        only_here=about_here and not mentions and speaks_of_here_alone(query.words),
    )


def detect_intent(query: str) -> Intent:
    """The kind of help that ``query`` asks for; whole words count, so "prefix" is no fix."""
    if _ACTION.search(query) and not re.match(r"\s*(please\s+)?fix\b", query, re.IGNORECASE):
        return Intent.ACTION
    if _FIX.search(query):
        return Intent.FIX
    if _EXPLAIN.search(query):
        return Intent.EXPLAIN
    if "?" in query:
        return Intent.QUESTION
    return Intent.OTHER


def _mentions(query: SearchQuery) -> tuple[str, ...]:
    text = query.words
    if query.places or query.is_report:
        # Every capitalised word of a report would be a mention; its places, chosen names and backticks say more. What a
        # frame calls is meant where the frame is, not wherever else something is called so.
        framed = {place.name for place in query.places if place.frame}
        names = [name for name in query.identifiers if name not in framed]
        return tuple(dict.fromkeys([*_name_files(query), *_BACKTICKED.findall(text), *names]))
    words = [
        *_BACKTICKED.findall(text),
        *_PATH.findall(text),
        *query.identifiers,
        *identifiers_in(text),
        *_CAPITALISED.findall(text),
    ]
    return tuple(dict.fromkeys(word.strip().removesuffix("()") for word in words))


def _name_files(query: SearchQuery) -> list[str]:
    """The files of the places named, each by its tail, since its head is another machine's."""
    return ["/".join(place.path.split("/")[-2:]) for place in query.places if place.path]
