"""The map of the workspace and how it introduces itself, for a question that asks for an overview."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.overview.repository_map import draw_map
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, Offer
from contextls.assembly.sources.chunk_candidate import content_candidate
from contextls.model import Section
from contextls.regex import compile_late

# The share of the budget that the map takes, and its bound: deeper down, names say little.
SHARE, MAX_TOKENS = 0.6, 1_800
# For names and signatures.
CHARS_PER_TOKEN = 3.4
# The first pieces of these tell what the workspace is for.
PIECES = 2
_INTRODUCES = compile_late(r"(?:docs/)?(readme|architecture)[^/]*", re.IGNORECASE)


class OverviewSource:
    """The map."""

    name = "overview"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """The map, and the first pieces of what introduces the workspace."""
        room = min(MAX_TOKENS, SHARE * question.request.max_tokens)
        body = draw_map(memories, int(room * CHARS_PER_TOKEN), question.request.filters.exclude)
        if body is None:
            return Offer()
        chart = Candidate(
            section=Section.SEMANTIC,
            id="map",
            body=body,
            scores=Scores(1.0, salience=1.0),
            paths=tuple(dict.fromkeys(entry.path for entry in body.entries)),
            why="asks for an overview",
            chance=1.0,
        )
        return Offer((chart, *memories.exclusion.trim(list(_introductions(memories)))))


def _introductions(memories: MemorySnapshot) -> Iterator[Candidate]:
    """The beginning of each file that introduces the workspace, the nearest to the root first."""
    view, outlines = memories.snapshot.view, memories.snapshot.outlines
    paths = sorted(
        (path for path in view.paths if _INTRODUCES.fullmatch(path)), key=lambda p: (p.count("/"), p)
    )
    for place, path in enumerate(paths[:2]):
        for number, ref in enumerate(view.chunks_of(path)[:PIECES]):
            worth = 0.9 - 0.1 * place - 0.05 * number
            yield content_candidate(view.row(ref), worth, "introduces the workspace", outlines.get(path))
