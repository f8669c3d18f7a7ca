"""Candidates: what might enter a prompt, from any memory, on one scale."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from contextls.assembly.bodies import Body, TaskSentence
from contextls.model import Section, Strategy

# A short phrase, or what makes one: most candidates are never shown, and their phrases never made.
Reason = str | Callable[[], str]
RECENCY_HALF_LIFE_MS = 24 * 60 * 60 * 1000
_SPAN = re.compile(r"(.+):(\d{1,9})-(\d{1,9})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Scores:
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


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that might enter the prompt.

    ``id`` names it on the wire: ``path:start-end`` for lines of files, the id of the event, entity, relation, pattern or
    task otherwise. ``paths`` are the files that it speaks of, ``refs`` these and the symbols (``path#Qualified.name``):
    where one of them is excluded, so is the candidate. ``compression`` says how its body was made smaller. ``chance`` is
    how likely it is of use for the question, in 0..1, where it was looked for because of that. ``rank`` orders pins of one
    priority: a hot one has -1, a cold one 1. ``leads`` says that it defines what the question names: its file is read first.
    """

    section: Section
    id: str
    body: Body
    scores: Scores
    paths: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    why: Reason = ""
    compression: str | None = None
    chance: float = 0.0
    rank: int = 0
    leads: bool = False

    @property
    def refs(self) -> tuple[str, ...]:
        """The files and symbols that it speaks of."""
        return (*self.paths, *self.symbols)

    def score(self, strategy: Strategy) -> float:
        """See ``Scores.total``."""
        return self.scores.total(strategy)


def recency(timestamp: int, now: int) -> float:
    """1 now, a half after 24 hours, a quarter after 48. The future counts as now."""
    return float(2.0 ** (-max(0, now - timestamp) / RECENCY_HALF_LIFE_MS))


def has_heading(candidate: Candidate) -> bool:
    """Whether it stands below the heading of its section: what is asked stands above all of them."""
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
