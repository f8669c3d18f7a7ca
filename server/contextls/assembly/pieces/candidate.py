"""Candidates: what might enter a prompt, from any memory, on one scale."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from contextls.assembly.pieces.bodies import Body, TaskSentence
from contextls.model import Section, Strategy
from contextls.regex import compile_late

# A short phrase, or a function that makes one: most candidates are never shown, and need none.
Reason = str | Callable[[], str]
RECENCY_HALF_LIFE_MS = 24 * 60 * 60 * 1000
_SPAN = compile_late(r"(.+):(\d{1,9})-(\d{1,9})", re.DOTALL)


class Scores(Struct, frozen=True):
    """The evidence for a candidate, each part in 0..1, and the request's own factor on it."""

    relevance: float
    recency: float = 0.0
    salience: float = 0.0
    boost: float = 1.0

    def total(self, strategy: Strategy) -> float:
        """The weighted mean of the three, in 0..1, times the boost."""
        weights = (strategy.relevance_weight, strategy.recency_weight, strategy.salience_weight)
        parts = (self.relevance, self.recency, self.salience)
        total = sum(weights)
        if total == 0:
            return 0.0
        return self.boost * sum(weight * part for weight, part in zip(weights, parts, strict=True)) / total


class Candidate(Struct, frozen=True):
    """One thing that might enter the prompt."""

    section: Section
    # Its name on the wire: ``path:start-end`` for lines of files, else the id of the event, entity, relation, pattern or
    # task.
    id: str
    body: Body
    scores: Scores
    # The files and symbols (``path#Qualified.name``) that it speaks of: where one is excluded, so is the candidate.
    paths: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    why: Reason = ""
    # How its body was made smaller, if it was.
    compression: str | None = None
    # How likely it is of use for the question, in 0..1, where that is how it was found.
    chance: float = 0.0
    # The order of pins of one priority: -1 for a hot one, 1 for a cold one.
    rank: int = 0
    # Whether it defines what the question names, or failed in its trace, so that its file is shown first.
    leads: bool = False

    @property
    def refs(self) -> tuple[str, ...]:
        """The files and symbols that it is about."""
        return (*self.paths, *self.symbols)

    def score(self, strategy: Strategy) -> float:
        """Its score under ``strategy``, as ``Scores.total`` weighs it."""
        return self.scores.total(strategy)


def recency(timestamp: int, now: int) -> float:
    """1 now, a half after 24 hours, a quarter after 48. The future counts as now."""
    return float(2.0 ** (-max(0, now - timestamp) / RECENCY_HALF_LIFE_MS))


def has_heading(candidate: Candidate) -> bool:
    """Whether it stands below the heading of its section; the question alone stands above all headings."""
    return not isinstance(candidate.body, TaskSentence)


def phrase(reason: Reason) -> str:
    """The phrase of a reason."""
    return reason if isinstance(reason, str) else reason()


def span_id(path: str, start_line: int, end_line: int) -> str:
    """The id of lines of a file."""
    return f"{path}:{start_line}-{end_line}"


def parse_span(text: str) -> tuple[str, int, int] | None:
    """Path, first and last line of a ``path:start-end`` that a client sent, which may span several chunks."""
    found = _SPAN.fullmatch(text)
    return (found[1], int(found[2]), int(found[3])) if found else None
