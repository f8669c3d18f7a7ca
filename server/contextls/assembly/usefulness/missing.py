"""Whether a question is about something that the workspace does not have."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from contextls.assembly.usefulness.technologies import TECHNOLOGIES
from contextls.memory.index.ranking import Ranking
from contextls.memory.index.terms import TermSplitter, hash_term
from contextls.memory.index.view import IndexView
from contextls.models.embedders.static import read_vocabulary

# Who asks so takes for granted that it is there. Who wants to add it knows that it is not.
ASKS = re.compile(
    r"\b(?:where|when|which|who|how (?:is|are|does|do|did|long|often|many|much)|is there|does (?:it|this))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
# A pasted log or a report holds words of other programs.
MAX_CHARS = 300
# A chunk that holds so much of the question answers it, whatever else is named.
ANSWERED = 0.5
# What no chunk says in any word of the question it may say in others: vectors so near are seldom near by chance. The best
# of a workspace for letters struck at random was at 0.20 to 0.37.
NEAR = 0.38


def find_missing(text: str, ranking: Ranking, held: float) -> tuple[str, ...]:
    """The words of a question that nothing here speaks of, where they are what it is about; else none.

    ``held`` is how much of the question the chunk that holds most of it does, in 0..1, by how rare words are.
    """
    question = ranking.question
    named = question.places or ranking.defined or ranking.placed
    if named or len(text) > MAX_CHARS or held >= ANSWERED:
        return ()
    words = list(dict.fromkeys(_WORD.findall(text)))
    asks = bool(ASKS.search(text))
    foreign = [word for word in words if word.lower() in TECHNOLOGIES and not speaks_of(ranking.view, word)]
    if foreign and asks:
        return tuple(foreign)
    if _says_something(ranking):
        return ()
    told = tuple(word for word in words if TermSplitter().question_terms(word))
    # "Make it less chatty" shares no word with code that it means all the same.
    return told if asks or not any(word.lower() in _usual_words() for word in told) else ()


@cache
def _usual_words() -> frozenset[str]:
    """Words that code usually is made of."""
    return frozenset(read_vocabulary())


def _says_something(ranking: Ranking) -> bool:
    """Whether any chunk holds a word of the question, or is near in meaning; one without words cannot tell."""
    terms = [term for term in ranking.question.terms if not term.whole]
    if not terms or not len(ranking.view) or any(_holds(ranking.view, term.hash) for term in terms):
        return True
    return ranking.reader.nearness.first >= NEAR


def speaks_of(view: IndexView, word: str) -> bool:
    """Whether any chunk holds ``word``, as one word or as the name of several parts that it is in other places."""
    split = TermSplitter()
    terms = {term.hash for term in split.question_terms(word) if term.whole or len(split.parts(word)) == 1}
    return any(_holds(view, term) for term in terms | {hash_term(word.lower())})


def _holds(view: IndexView, term: int) -> bool:
    return any(
        bool(np.any(alive[segment.owners(term)]))
        for segment, alive in zip(view.segments, view.alive, strict=True)
    )
