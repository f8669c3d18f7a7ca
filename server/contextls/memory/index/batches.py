"""From analysed files to the columns that the table stores and the view searches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.analysis import Analysis
from contextls.memory.index.chunk_words import embedded_text
from contextls.models.embedders.base import Embedder
from contextls.store.chunk_batch import ChunkBatch, ChunkRows, Labels, Texts, offsets_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


def batch_of(analyses: Sequence[Analysis], embedder: Embedder, generation: int) -> ChunkBatch:
    """The chunks of ``analyses`` with their vectors, all of one ``generation``."""
    filled = [analysis for analysis in analyses if len(analysis.chunks)]
    if not filled:
        return ChunkBatch.empty(embedder.dimensions)
    parts = [analysis.chunks for analysis in filled]
    rows = ChunkRows(
        paths=Labels.of([analysis.path for analysis in filled for _ in range(len(analysis.chunks))]),
        languages=Labels.of([analysis.language for analysis in filled for _ in range(len(analysis.chunks))]),
        kinds=Labels.of([kind for part in parts for kind in part.columns.kinds[part.start : part.stop]]),
        symbols=Texts.of([name for part in parts for name in part.columns.symbols[part.start : part.stop]]),
        start_lines=np.concatenate([part.columns.start_lines[part.start : part.stop] for part in parts]),
        end_lines=np.concatenate([part.columns.end_lines[part.start : part.stop] for part in parts]),
        texts=Texts.of([text for part in parts for text in part.columns.texts[part.start : part.stop]]),
        headers=Labels.of([text for part in parts for text in part.columns.headers[part.start : part.stop]]),
    )
    words = [part.columns.words.select(part.start, part.stop) for part in parts]
    return ChunkBatch(
        rows=rows,
        generations=np.full(len(rows), generation, np.int64),
        vectors=_vectors(filled, [each.vectors for each in words], embedder),
        offsets=offsets_of(np.concatenate([np.diff(each.offsets) for each in words])),
        terms=np.concatenate([each.terms for each in words]),
        counts=np.concatenate([each.counts for each in words]),
    )


def _vectors(
    analyses: Sequence[Analysis], known: Sequence[NDArray[np.float32]], embedder: Embedder
) -> NDArray[np.float32]:
    if all(vectors.shape[1] for vectors in known):
        return np.concatenate(known)
    texts = list(chain.from_iterable(map(_embedded_texts, analyses)))
    return np.asarray(embedder.embed_documents(texts), np.float32)


def _embedded_texts(analysis: Analysis) -> list[str]:
    part = analysis.chunks
    columns = part.columns
    return [
        embedded_text(analysis.path, columns.symbols[at], columns.texts[at])
        for at in range(part.start, part.stop)
    ]
