"""The catalog of all things of a kind, for a question that asks which there are."""

from __future__ import annotations

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.overview.catalog import draw_catalog
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.question import Question
from contextls.assembly.sources.overview import CHARS_PER_TOKEN, MAX_TOKENS, SHARE
from contextls.assembly.wording.catalog_questions import find_asked_catalog
from contextls.model import Section


def catalog_candidate(question: Question, memories: MemorySnapshot) -> Candidate | None:
    """The catalog that ``question`` asks for; ``None`` where it asks for something else, or there are few such things."""
    asked = find_asked_catalog(question.request.query)
    if asked is None:
        return None
    room = min(MAX_TOKENS, SHARE * question.request.max_tokens)
    body = draw_catalog(asked, memories, int(room * CHARS_PER_TOKEN))
    if body is None:
        return None
    return Candidate(
        section=Section.SEMANTIC,
        id="map",
        body=body,
        scores=Scores(1.0, salience=1.0),
        paths=tuple(entry.path for entry in body.entries),
        why="asks which there are",
        leads=True,
        chance=1.0,
    )
