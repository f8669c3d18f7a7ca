"""A chunk as a candidate for a prompt."""

from __future__ import annotations

from dataclasses import replace

from contextls.assembly.bodies import CodeSpan
from contextls.assembly.candidate import Candidate, Reason, Scores, recency, span_id
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.model import Section
from contextls.store.chunk_rows import ChunkRow

# What was written this minute is worth three per cent more under the usual weights: enough to win a close race, no other.
FRESH = 0.12


def content_candidate(
    row: ChunkRow,
    relevance: float,
    why: Reason = "",
    bodies: str = "",
    chance: float = 0.0,
    fresh: float = 0.0,
    *,
    leads: bool = False,
    asked: str = "",
) -> Candidate:
    """The candidate of one chunk, which has this ``chance`` of being of use; ``bodies`` are those of its file.

    It is called after the definition that was ``asked`` for, where it holds several. ``fresh`` says in 0..1 how lately the
    file was written. That counts as far as the chunk is relevant: what was written last is not what every question is about.
    """
    code = CodeSpan(
        row.path, row.language, row.symbol, row.start_line, row.end_line, row.text, row.header, bodies
    )
    if asked and asked not in row.symbol.split("."):
        code = replace(code, symbol=asked, beside=(row.symbol,) if row.symbol else ())
    return Candidate(
        section=Section.SEMANTIC,
        id=span_id(row.path, row.start_line, row.end_line),
        body=code,
        scores=Scores(relevance, FRESH * relevance * fresh, relevance),
        paths=(row.path,),
        why=why,
        chance=chance,
        leads=leads,
    )


def freshness(path: str, memories: MemorySnapshot) -> float:
    """How lately a file was written or committed, 0 where that is not known."""
    written = memories.knowledge.catalogue.last_written(path)
    return 0.0 if written is None else recency(written, memories.now)
