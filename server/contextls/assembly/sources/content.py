"""Relevant content: the chunks that answer the question, and those at the editor's position."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.assembly.items import Code, Item
from contextls.assembly.shapes.markdown import code_block
from contextls.assembly.signals import Signals
from contextls.memory.content.ranking import RankedChunk
from contextls.memory.snapshot import Snapshot
from contextls.model import EditorPosition, Section
from contextls.store.content_table import ChunkRow

# The active file is where the user looks: it wins close races, and every race when the question says "this".
ACTIVE_FILE_BOOST = 1.2
# What all else is worth beside the chunk under the cursor when the question is about that.
BESIDE_CURSOR = 0.9


def content_items(
    ranked: Sequence[RankedChunk], snapshot: Snapshot, signals: Signals, position: EditorPosition | None
) -> list[Item]:
    """Items for ``ranked``, best first; the chunk under the cursor leads when the question points at it."""
    best = max((item.score for item in ranked), default=1.0) or 1.0
    relevance = {item.ref: min(1.0, item.score / best) for item in ranked}
    if position is not None:
        here = snapshot.view.chunks_of(position.path)
        for ref in here:
            if ref in relevance:
                relevance[ref] = min(1.0, relevance[ref] * ACTIVE_FILE_BOOST)
        pointed = [ref for ref in here if signals.about_here and _encloses(snapshot.view.row(ref), position)]
        if pointed:
            relevance = {ref: BESIDE_CURSOR * value for ref, value in relevance.items()}
            relevance.update(dict.fromkeys(pointed, 1.0))
    ordered = sorted(
        relevance,
        key=lambda ref: (-relevance[ref], snapshot.view.row(ref).path, snapshot.view.row(ref).start_line),
    )
    return [content_item(snapshot.view.row(ref), relevance[ref]) for ref in ordered]


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


def _encloses(row: ChunkRow, position: EditorPosition) -> bool:
    if position.start_line is None:
        return False
    last = position.end_line if position.end_line is not None else position.start_line
    return row.start_line <= last and position.start_line <= row.end_line
