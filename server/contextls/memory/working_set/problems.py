"""Shortens a list of problems: the first few in full, the others as a number."""

from __future__ import annotations

from collections.abc import Sequence

MAX_TOLD = 10


def first_problems(problems: Sequence[str], others: str) -> tuple[str, ...]:
    """The first problems, and how many ``others`` there are."""
    more = len(problems) - MAX_TOLD
    return (*problems[:MAX_TOLD], *([f"and {more:,} more {others}"] if more > 0 else ()))
