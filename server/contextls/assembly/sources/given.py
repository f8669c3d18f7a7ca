"""Additional context: what came with the question."""

from __future__ import annotations

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import FreeText
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, Offer
from contextls.model import Section


class GivenSource:
    """The text that a client sends along."""

    name = "given"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """The text, if there is one."""
        given = question.request.additional_context
        if not given:
            return Offer()
        body = FreeText(given.strip("\n"))
        scores = Scores(1.0, 1.0, 1.0)
        return Offer(
            (Candidate(Section.CUSTOM, "additionalContext", body, scores, why="given with the question"),)
        )
