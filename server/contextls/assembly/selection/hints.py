"""Lets hot and cold files count: what speaks of them is raised or lowered among what is retrieved.

A hint is no word of a person. It never touches a pin, the user's own text or a task, and never lets anything in or keeps it
out by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from contextls.assembly.pieces.candidate import Candidate, phrase
from contextls.assembly.pieces.sections import TABLE
from contextls.assembly.usefulness.reasons import join_reasons
from contextls.memory.working_set.hints import Hints

# Enough to win a close race, too little to lift noise over an answer.
HOT_FACTOR = 1.15
COLD_FACTOR = 0.8
_WORDS = {-1: "hot", 1: "cold"}


def weigh_by_hints(candidates: Sequence[Candidate], hints: Hints) -> list[Candidate]:
    """``candidates`` with the relevance of what speaks of hot or cold files raised or lowered; it stays in 0..1."""
    if not hints:
        return list(candidates)
    return [_weigh(one, hints) if TABLE[one.section].weighable else one for one in candidates]


def _weigh(candidate: Candidate, hints: Hints) -> Candidate:
    rank = hints.rank_all(candidate.paths)
    if not rank:
        return candidate
    relevance = min(1.0, candidate.scores.relevance * (HOT_FACTOR if rank < 0 else COLD_FACTOR))
    why = candidate.why
    return replace(
        candidate,
        scores=replace(candidate.scores, relevance=relevance),
        why=lambda: join_reasons([_WORDS[rank], phrase(why)]),
    )
