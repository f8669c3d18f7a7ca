"""Asks every source what it has for a question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import Absence, Body, EventRun, NoChanges, TaskSentence
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.question import Question
from contextls.assembly.selection.adjustments import weigh_by_feedback
from contextls.assembly.source import Findings, LeftOut, Offer, Source
from contextls.assembly.sources import (
    CHOSEN_SOURCES,
    FAILURE_SOURCES,
    OVERVIEW_SOURCES,
    SOURCES,
    WORK_SOURCES,
)
from contextls.assembly.sources.absence import absence_candidate, failureless_candidate, passed_candidate
from contextls.assembly.steps import Steps
from contextls.assembly.targets.work_question import Work
from contextls.model import Omission, Section


class Collected(Struct, frozen=True):
    """The offers of all sources together."""

    candidates: tuple[Candidate, ...]
    left_out: tuple[LeftOut, ...]
    omitted: tuple[Omission, ...]
    events_considered: int
    entities_considered: int
    chunks_searched: int


# The sections that tell how the work stands.
_STATE = (Section.RECENT, Section.SEMANTIC)
# What goes on from what was found; where that is nothing, it leads nowhere.
_BESIDE = (Section.ENTITY, Section.RELATION, Section.PATTERN)


def collect_candidates(question: Question, memories: MemorySnapshot, steps: Steps) -> Collected:
    """Ask the sources for everything that may enter the prompt.

    Where the question is about the work alone, that is its state, or that nothing is known of it; where it asks for an
    overview, a map, and where there is none, what it says is searched for.
    """
    found = _ask(_sources_for(question), question, memories, steps)
    offered = found.candidates()
    if question.passed and question.stops:
        offered = (*offered, passed_candidate(question.passed))
    if question.lacks_failure and question.stops:
        offered = (failureless_candidate(), *offered)
    if not any(each.section in _STATE for each in offered):
        if question.stops:
            offered = (*offered, absence_candidate())
        elif question.overview:
            found = _ask(SOURCES, question, memories, steps)
            offered = found.candidates()
    if any(isinstance(each.body, Absence) and not each.body.followed for each in offered):
        offered = _leave_absence(offered)
    offered = _without_recalled_names(_without_echoes(offered))
    if (feedback := memories.feedback) is not None:
        offered = steps.run(
            "feedback", lambda: tuple(weigh_by_feedback(offered, feedback.tallies(memories.now))), offered
        )
    return Collected(
        candidates=offered,
        left_out=found.left_out(),
        omitted=found.omitted(),
        events_considered=len(found.of("events").events),
        entities_considered=len(found.of("entities").candidates),
        chunks_searched=found.searched(),
    )


def _without_echoes(offered: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """``offered`` without the problems and errors that the question states already, with their place."""
    asked = " ".join(one.body.sentence for one in offered if isinstance(one.body, TaskSentence))
    return tuple(one for one in offered if not (asked and _is_told(one.body, asked)))


def _without_recalled_names(offered: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """``offered`` without the note that names are nowhere, where an event has one of them."""
    if not any(isinstance(one.body, Absence) for one in offered):
        return tuple(offered)
    told = [str(one.body.event.content) for one in offered if isinstance(one.body, EventRun)]
    return tuple(
        one
        for one in offered
        if not isinstance(one.body, Absence)
        or not any(name in text for name in one.body.words for text in told)
    )


def _is_told(body: Body, asked: str) -> bool:
    if not isinstance(body, EventRun) or body.output is not None:
        return False
    content = body.event.content
    message, path, line = content.get("message"), content.get("path"), content.get("line")
    return isinstance(message, str) and " ".join(message.split()) in asked and f"{path}:{line}" in asked


def _leave_absence(offered: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """``offered`` without what belongs to code, as none was found; without the note of absence where events answer."""
    happened = any(
        each.section is Section.RECENT and not isinstance(each.body, NoChanges) for each in offered
    )
    return tuple(
        each
        for each in offered
        if each.section not in _BESIDE and not (happened and isinstance(each.body, Absence))
    )


def _sources_for(question: Question) -> Sequence[Source]:
    if question.overview:
        return OVERVIEW_SOURCES
    if not question.stops:
        return SOURCES
    if question.lacks_changes or question.passed:
        return CHOSEN_SOURCES
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
