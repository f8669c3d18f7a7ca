"""Relevant content: the chunks that answer the question, and those at the editor's position."""

from __future__ import annotations

from functools import partial

from contextls import cancellation
from contextls.assembly.bodies import CodeSpan
from contextls.assembly.candidate import Candidate, Reason, Scores, span_id
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question
from contextls.assembly.reasons import of_chunk
from contextls.assembly.source import Findings, Offer
from contextls.assembly.targets.implicit_target import near_target
from contextls.memory.index.ranking import Ranking
from contextls.model import Section
from contextls.store.chunk_batch import ChunkRow

# The active file is where the user looks: it wins close races.
ACTIVE_FILE_BOOST = 1.2
# With boosts, files count that would otherwise be too far down to be looked at.
BOOSTED_POOL = 4


class ContentSource:
    """Chunks of code and documents."""

    name = "content"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """The best chunks, without the lines of excluded symbols."""
        target, memory = question.target, memories.content
        query = memory.read_verbatim(target.text) if target.text else question.signals.query
        limit = question.strategy.max_chunks * (BOOSTED_POOL if question.request.boosts.paths else 1)
        ranking = memory.ranking(memories.snapshot, query, limit)
        candidates = content_candidates(ranking, memories, question, limit)
        return Offer(tuple(memories.exclusion.trim(candidates)))


def content_candidates(
    ranking: Ranking, memories: MemorySnapshot, question: Question, limit: int
) -> list[Candidate]:
    """At most ``limit``, best first: the chunks of ``ranking``, and what the question points at without naming it."""
    position, target, snapshot = question.position, question.target, memories.snapshot
    best = max((item.score for item in ranking.chunks), default=1.0) or 1.0
    relevance = {item.ref: min(1.0, item.score / best) for item in ranking.chunks}
    if position is not None:
        for ref in snapshot.view.chunks_of(position.path):
            if ref in relevance:
                relevance[ref] = min(1.0, relevance[ref] * ACTIVE_FILE_BOOST)
    near = near_target(target, snapshot, memories.graph, question.signals, position)
    if near:
        relevance = {ref: target.beside * value for ref, value in relevance.items()}
        for ref, piece in near.items():
            relevance[ref] = max(piece.worth, relevance.get(ref, 0.0))
    places = {ref: lines for ref in relevance if not target.diffs.covers(lines := snapshot.view.lines(ref))}
    ordered = sorted(places, key=lambda ref: (-relevance[ref], places[ref].path, places[ref].start_line))
    shown = ordered[:limit]
    pointed = {ref: near[ref].why for ref in shown if ref in near and near[ref].worth == relevance[ref]}
    searched = memories.content.evidence(ranking, [ref for ref in shown if ref not in pointed])
    candidates = []
    for ref in shown:
        cancellation.check()
        why: Reason
        if ref in pointed:
            why = pointed[ref]
        else:
            active = position is not None and places[ref].path == position.path
            why = partial(of_chunk, searched, ref, asked=target.name, active=active)
        row = snapshot.view.row(ref)
        outline = snapshot.outlines.get(row.path)
        candidates.append(content_candidate(row, relevance[ref], why, outline.bodies if outline else ""))
    return candidates


def content_candidate(row: ChunkRow, relevance: float, why: Reason = "", bodies: str = "") -> Candidate:
    """The candidate of one chunk; ``bodies`` are those of its file."""
    code = CodeSpan(
        row.path, row.language, row.symbol, row.start_line, row.end_line, row.text, row.header, bodies
    )
    return Candidate(
        section=Section.SEMANTIC,
        id=span_id(row.path, row.start_line, row.end_line),
        body=code,
        scores=Scores(relevance, salience=relevance),
        paths=(row.path,),
        why=why,
    )
