"""Asks every source what it has for a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from contextls.assembly.candidate import Candidate
from contextls.assembly.feedback import weigh_by_feedback
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, Offer, Source
from contextls.assembly.sources import FAILURE_SOURCES, SOURCES, WORK_SOURCES
from contextls.assembly.steps import Steps
from contextls.assembly.targets.work_question import Work
from contextls.model import Omission, Section


@dataclass(frozen=True, slots=True)
class Collected:
    """All offers together: the candidates, what sources left out themselves, and how much they looked at."""

    candidates: tuple[Candidate, ...]
    omitted: tuple[Omission, ...]
    events_considered: int
    entities_considered: int


# The sections that tell how the work stands.
_STATE = (Section.RECENT, Section.SEMANTIC)


def collect_candidates(question: Question, memories: MemorySnapshot, steps: Steps) -> Collected:
    """Everything that may enter the prompt.

    Where the question is about the work alone, that is its state; what it says is searched for only where there is none.
    """
    found = _ask(_sources_for(question), question, memories, steps)
    offered = found.candidates()
    if question.stops and not any(each.section in _STATE for each in offered):
        found = _ask(SOURCES, question, memories, steps)
        offered = found.candidates()
    if (feedback := memories.feedback) is not None:
        offered = steps.run(
            "feedback", lambda: tuple(weigh_by_feedback(offered, feedback.tallies(memories.now))), offered
        )
    return Collected(
        offered, found.omitted(), len(found.of("events").events), len(found.of("entities").candidates)
    )


def _sources_for(question: Question) -> Sequence[Source]:
    if not question.stops:
        return SOURCES
    return FAILURE_SOURCES if question.work.kind is Work.FAILURE else WORK_SOURCES


def _ask(sources: Sequence[Source], question: Question, memories: MemorySnapshot, steps: Steps) -> Findings:
    """Ask sources one after the other: each is a few milliseconds of CPU, which threads would only interleave.

    A later one may go on from what earlier ones found.
    """
    found = Findings()
    for source in sources:
        offer = steps.run(source.name, partial(source.offer, question, memories, found), Offer())
        steps.warnings.extend(each for each in offer.warnings if each not in steps.warnings)
        found.add(source.name, offer)
    return found
