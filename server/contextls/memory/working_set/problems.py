"""Problems as they are told: the first few by name, the others as a number."""

from __future__ import annotations

from collections.abc import Sequence

MOST_TOLD = 10


def first_problems(problems: Sequence[str], others: str) -> tuple[str, ...]:
    """The first problems, and how many ``others`` there are."""
    more = len(problems) - MOST_TOLD
    return (*problems[:MOST_TOLD], *([f"and {more:,} more {others}"] if more > 0 else ()))
