"""The catalog of all things of a kind, for a question that asks which there are."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.overview.catalog import draw_catalog
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.question import Question
from contextls.assembly.sources.overview import CHARS_PER_TOKEN, MAX_TOKENS, SHARE
from contextls.assembly.wording.catalog_questions import AskedCatalog
from contextls.model import Section


def catalog_candidate(
    asked: AskedCatalog, files: Sequence[str], question: Question, memories: MemorySnapshot
) -> Candidate:
    """The catalog of these ``files`` for things of a kind; it leads."""
    room = min(MAX_TOKENS, SHARE * question.request.max_tokens)
    return Candidate(
        section=Section.SEMANTIC,
        id="map",
        body=draw_catalog(asked, files, memories, int(room * CHARS_PER_TOKEN)),
        scores=Scores(1.0, salience=1.0),
        paths=tuple(files),
        why="asks which there are",
        leads=True,
        chance=1.0,
    )
