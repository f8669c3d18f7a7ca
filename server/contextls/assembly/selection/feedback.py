"""Lets feedback on pieces of earlier prompts raise or lower the same pieces now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.sections import TABLE
from contextls.memory.feedback import Tally, factor


def weigh_by_feedback(candidates: Sequence[Candidate], tallies: Mapping[str, Tally]) -> list[Candidate]:
    """``candidates`` with the relevance of what was called helpful or unhelpful raised or lowered; it stays in 0..1.

    Patterns count feedback in their own numbers; tasks, pins and the user's own text are not up for judgement.
    """
    if not tallies:
        return list(candidates)
    return [_weigh(one, tallies) if TABLE[one.section].weighable else one for one in candidates]


def _weigh(candidate: Candidate, tallies: Mapping[str, Tally]) -> Candidate:
    relevance = min(1.0, candidate.scores.relevance * factor(candidate.id, tallies))
    return replace(candidate, scores=replace(candidate.scores, relevance=relevance))
