"""From analysed files to the columns that the table stores and the view searches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from contextls.memory.index.analysis import AnalysedChunk, Analysis
from contextls.models.embedders.base import Embedder
from contextls.store.chunk_batch import ChunkBatch, ChunkRow, ChunkRows

# The embedder's own vocabulary covers the head of a chunk; a very long one adds time, not meaning.
EMBEDDED_CHARS = 4000


def batch_of(analyses: Iterable[Analysis], embedder: Embedder, generation: int) -> ChunkBatch:
    """The chunks of ``analyses`` with their vectors, all of one ``generation``."""
    pairs = [(analysis, item) for analysis in analyses for item in analysis.chunks]
    rows = [_row(analysis, item) for analysis, item in pairs]
    return ChunkBatch(
        rows=ChunkRows.of(rows),
        generations=np.full(len(rows), generation, np.int64),
        vectors=_vectors(rows, embedder),
        offsets=np.cumsum([0, *(len(item.terms) for _, item in pairs)], dtype=np.int64),
        terms=_column(item.terms for _, item in pairs),
        counts=_column(item.counts for _, item in pairs),
    )


def embedded_text(row: ChunkRow) -> str:
    """The text of a chunk for the embedder: where it lives and what it is called, then the code."""
    return f"{row.path} {row.symbol}\n{row.text[:EMBEDDED_CHARS]}"


def _row(analysis: Analysis, item: AnalysedChunk) -> ChunkRow:
    chunk = item.chunk
    return ChunkRow(
        path=analysis.path,
        language=analysis.language,
        kind=str(chunk.kind),
        symbol=chunk.symbol,
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        text=chunk.text,
        header=chunk.header,
    )


def _vectors(
    rows: Sequence[ChunkRow], embedder: Embedder
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    if not rows:
        return np.zeros((0, embedder.dimensions), np.float32)
    return np.asarray(embedder.embed_documents([embedded_text(row) for row in rows]), np.float32)


def _column(values: Iterable[tuple[int, ...]]) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    return np.fromiter(chain.from_iterable(values), np.uint32)
