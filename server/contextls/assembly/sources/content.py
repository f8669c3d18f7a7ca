"""Relevant content: the chunks that answer the question, and those at the editor's position."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.assembly.items import Code, Item
from contextls.assembly.shapes.markdown import code_block
from contextls.assembly.signals import Signals
from contextls.assembly.sources.around import around
from contextls.assembly.sources.trouble import trouble
from contextls.memory.content.ranking import RankedChunk
from contextls.memory.failures import Failure
from contextls.memory.relations import RelationGraph
from contextls.memory.snapshot import Snapshot
from contextls.model import EditorPosition, Section
from contextls.store.chunk_batch import ChunkRow

# The active file is where the user looks: it wins close races.
ACTIVE_FILE_BOOST = 1.2
# What the best of all else is worth beside the chunk that the question points at.
BESIDE_CURSOR = 0.5


def content_items(
    ranked: Sequence[RankedChunk],
    snapshot: Snapshot,
    graph: RelationGraph,
    signals: Signals,
    position: EditorPosition | None,
    limit: int,
    failure: Failure | None = None,
) -> list[Item]:
    """At most ``limit`` items, best first: ``ranked``, and what the question points at without naming it.

    That is the code at the ``position`` for a question about "this", and what a ``failure`` points at for one about the
    work at hand.
    """
    best = max((item.score for item in ranked), default=1.0) or 1.0
    relevance = {item.ref: min(1.0, item.score / best) for item in ranked}
    if position is not None:
        for ref in snapshot.view.chunks_of(position.path):
            if ref in relevance:
                relevance[ref] = min(1.0, relevance[ref] * ACTIVE_FILE_BOOST)
    near = trouble(snapshot, graph, signals, failure) if failure else {}
    if position is not None and signals.about_here and not near:
        near = around(snapshot, graph, signals, position)
    if near:
        relevance = {ref: BESIDE_CURSOR * value for ref, value in relevance.items()}
        for ref, worth in near.items():
            relevance[ref] = max(worth, relevance.get(ref, 0.0))
    places = {ref: snapshot.view.lines(ref) for ref in relevance}
    ordered = sorted(relevance, key=lambda ref: (-relevance[ref], places[ref].path, places[ref].start_line))
    return [content_item(snapshot.view.row(ref), relevance[ref]) for ref in ordered[:limit]]


def content_item(row: ChunkRow, relevance: float) -> Item:
    """The item of one chunk."""
    code = Code(row.path, row.language, row.symbol, row.start_line, row.end_line, row.text, row.header)
    return Item(
        section=Section.SEMANTIC,
        source=f"{row.path}:{row.start_line}-{row.end_line}",
        text=code_block(code),
        relevance=relevance,
        salience=relevance,
        paths=(row.path,),
        code=code,
    )
