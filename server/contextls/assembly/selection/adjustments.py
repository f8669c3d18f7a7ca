"""Raises or lowers what speaks of hot and cold files, and what people called helpful or unhelpful in earlier prompts.

Both touch what is retrieved alone: tasks, pins and the user's own text are not up for judgement, and nothing is let in or
kept out by them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from contextls.assembly.pieces.candidate import Candidate, phrase
from contextls.assembly.pieces.sections import TABLE
from contextls.assembly.usefulness.reasons import join_reasons
from contextls.memory.feedback import Tally, factor
from contextls.memory.working_set.hints import Hints

# Enough to win a close race, too little to lift noise over an answer.
HOT_FACTOR = 1.15
COLD_FACTOR = 0.8


def weigh_by_feedback(candidates: Sequence[Candidate], tallies: Mapping[str, Tally]) -> list[Candidate]:
    """``candidates`` with the relevance of what was called helpful or unhelpful raised or lowered.

    Patterns count feedback in their own numbers.
    """
    if not tallies:
        return list(candidates)
    return [
        _multiply(one, factor(one.id, tallies)) if TABLE[one.section].weighable else one for one in candidates
    ]


def weigh_by_hints(candidates: Sequence[Candidate], hints: Hints) -> list[Candidate]:
    """``candidates`` with raised relevance for those about hot files, and lowered for those about cold ones."""
    if not hints:
        return list(candidates)
    return [_weigh_by_hint(one, hints) if TABLE[one.section].weighable else one for one in candidates]


def _weigh_by_hint(candidate: Candidate, hints: Hints) -> Candidate:
    rank = hints.rank_all(candidate.paths)
    if not rank:
        return candidate
    heat, by = ("hot", HOT_FACTOR) if rank < 0 else ("cold", COLD_FACTOR)
    why = candidate.why
    return replace(_multiply(candidate, by), why=lambda: join_reasons([heat, phrase(why)]))


def _multiply(candidate: Candidate, by: float) -> Candidate:
    """``candidate`` with its relevance multiplied; it stays in 0..1."""
    relevance = min(1.0, candidate.scores.relevance * by)
    return replace(candidate, scores=replace(candidate.scores, relevance=relevance))
