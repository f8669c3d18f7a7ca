"""Items: candidates for the prompt from any memory, on one scale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from contextls.model import Role, Section, Strategy, TruncateStrategy

# A short phrase, or what makes one: most candidates are never shown, and their phrases never made.
Reason = str | Callable[[], str]
RECENCY_HALF_LIFE_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Code:
    """Where the text of a content item comes from, so that it can be merged and shrunk. ``score`` orders files."""

    path: str
    language: str
    symbol: str
    start_line: int
    end_line: int
    text: str
    header: str
    bodies: str = ""  # those of the whole file, packed as ``code.skeleton`` describes


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file. ``number`` is 1-based, 0 for a note in the place of lines that are not shown."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Excerpt:
    """All of a pinned piece, of which its item shows the lines ``shown``: cut by ``strategy``, at most ``most_lines``."""

    lines: tuple[Line, ...]
    strategy: TruncateStrategy
    role: Role
    most_lines: int | None
    shown: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate. The three scores lie in 0..1. ``paths`` are the files it speaks of."""

    section: Section
    source: str
    text: str
    relevance: float
    recency: float = 0.0
    salience: float = 0.0
    paths: tuple[str, ...] = ()
    code: Code | None = None
    lines: tuple[str, int] | None = None  # an entity's own place: path and line
    boost: float = 1.0  # the request's own factor on the score
    compression: str | None = None  # how the text was made smaller
    excerpt: Excerpt | None = None  # of what is pinned
    why: Reason = ""  # what put it here, in a short phrase for people; "" says nothing

    def score(self, strategy: Strategy) -> float:
        """The weighted mean of the three scores, in 0..1, times the boost."""
        weights = (strategy.relevance_weight, strategy.recency_weight, strategy.salience_weight)
        total = sum(weights)
        if total == 0:
            return 0.0
        parts = (self.relevance, self.recency, self.salience)
        return self.boost * sum(weight * part for weight, part in zip(weights, parts, strict=True)) / total


def recency(timestamp: int, now: int) -> float:
    """1 now, a half after 24 hours, a quarter after 48. The future counts as now."""
    return float(2.0 ** (-max(0, now - timestamp) / RECENCY_HALF_LIFE_MS))


def phrase(reason: Reason) -> str:
    """The phrase of a reason."""
    return reason if isinstance(reason, str) else reason()
