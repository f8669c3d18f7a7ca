"""Relevant content: the chunks that answer the question, and those at the editor's position."""

from __future__ import annotations

from functools import partial

from contextls import cancellation
from contextls.assembly.items import Code, Item, Reason
from contextls.assembly.reasons import of_chunk
from contextls.assembly.shapes.markdown import code_block
from contextls.assembly.signals import Signals
from contextls.assembly.sources.meant import Meant
from contextls.memory.content.ranking import Ranking
from contextls.memory.content_memory import ContentMemory
from contextls.memory.relations import RelationGraph
from contextls.memory.snapshot import Snapshot
from contextls.model import EditorPosition, Section
from contextls.store.chunk_batch import ChunkRow

# The active file is where the user looks: it wins close races.
ACTIVE_FILE_BOOST = 1.2


def content_items(
    ranking: Ranking,
    memory: ContentMemory,
    snapshot: Snapshot,
    graph: RelationGraph,
    signals: Signals,
    position: EditorPosition | None,
    limit: int,
    meant: Meant,
) -> list[Item]:
    """At most ``limit`` items, best first: the chunks of ``ranking``, and what the question points at without naming it."""
    best = max((item.score for item in ranking.chunks), default=1.0) or 1.0
    relevance = {item.ref: min(1.0, item.score / best) for item in ranking.chunks}
    if position is not None:
        for ref in snapshot.view.chunks_of(position.path):
            if ref in relevance:
                relevance[ref] = min(1.0, relevance[ref] * ACTIVE_FILE_BOOST)
    near = meant.near(snapshot, graph, signals, position)
    if near:
        relevance = {ref: meant.beside * value for ref, value in relevance.items()}
        for ref, piece in near.items():
            relevance[ref] = max(piece.worth, relevance.get(ref, 0.0))
    places = {ref: lines for ref in relevance if not meant.told.covers(lines := snapshot.view.lines(ref))}
    ordered = sorted(places, key=lambda ref: (-relevance[ref], places[ref].path, places[ref].start_line))
    shown = ordered[:limit]
    pointed = {ref: near[ref].why for ref in shown if ref in near and near[ref].worth == relevance[ref]}
    searched = memory.evidence(ranking, [ref for ref in shown if ref not in pointed])
    items = []
    for ref in shown:
        cancellation.check()
        why: Reason
        if ref in pointed:
            why = pointed[ref]
        else:
            active = position is not None and places[ref].path == position.path
            why = partial(of_chunk, searched, ref, asked=meant.name, active=active)
        row = snapshot.view.row(ref)
        outline = snapshot.outlines.get(row.path)
        items.append(content_item(row, relevance[ref], why, outline.bodies if outline else ""))
    return items


def content_item(row: ChunkRow, relevance: float, why: Reason = "", bodies: str = "") -> Item:
    """The item of one chunk; ``bodies`` are those of its file."""
    code = Code(
        row.path, row.language, row.symbol, row.start_line, row.end_line, row.text, row.header, bodies
    )
    return Item(
        section=Section.SEMANTIC,
        source=f"{row.path}:{row.start_line}-{row.end_line}",
        text=code_block(code),
        relevance=relevance,
        salience=relevance,
        paths=(row.path,),
        code=code,
        why=why,
    )
