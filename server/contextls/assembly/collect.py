"""Asks every source what it has for a question."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from contextls.assembly.candidate import Candidate
from contextls.assembly.feedback import weigh_by_feedback
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, Offer
from contextls.assembly.sources import SOURCES
from contextls.assembly.steps import Steps
from contextls.model import Omission


@dataclass(frozen=True, slots=True)
class Collected:
    """All offers together: the candidates, what sources left out themselves, and how much they looked at."""

    candidates: tuple[Candidate, ...]
    omitted: tuple[Omission, ...]
    events_considered: int
    entities_considered: int


def collect_candidates(question: Question, memories: MemorySnapshot, steps: Steps) -> Collected:
    """Everything that may enter the prompt.

    Sources are asked one after the other: each is a few milliseconds of CPU, which threads would only interleave. A later
    one may go on from what earlier ones found.
    """
    found = Findings()
    for source in SOURCES:
        offer = steps.run(source.name, partial(source.offer, question, memories, found), Offer())
        steps.warnings.extend(offer.warnings)
        found.add(source.name, offer)
    offered = found.candidates()
    if (feedback := memories.feedback) is not None:
        offered = steps.run(
            "feedback", lambda: tuple(weigh_by_feedback(offered, feedback.tallies(memories.now))), offered
        )
    return Collected(
        offered, found.omitted(), len(found.of("events").events), len(found.of("entities").candidates)
    )
