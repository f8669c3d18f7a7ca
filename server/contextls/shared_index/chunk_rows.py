"""The chunks of many files column by column, with what they say: as the shared table keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.memory.index.segments.analysis import Analysis, ChunkColumns
from contextls.memory.index.segments.chunk_texts import ChunkTexts, PackedTexts, fingerprint
from contextls.memory.index.segments.chunk_words import WordColumns, embedded_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.models.embedders.base import Embedder


class ChunkRows(Struct, frozen=True, eq=False):
    """A chunk in each place of every column; ``texts`` is their code, ``words`` has terms and vectors."""

    kinds: list[str]
    symbols: list[str]
    headers: list[str]
    texts: list[str]
    start_lines: NDArray[np.int32]
    end_lines: NDArray[np.int32]
    words: WordColumns

    def columns(self) -> ChunkColumns:
        """These as an analysis gives them, but for what they say."""
        return ChunkColumns(
            kinds=self.kinds,
            start_lines=self.start_lines,
            end_lines=self.end_lines,
            sizes=np.array(list(map(len, self.texts)), np.int32),
            fingerprints=np.array(list(map(fingerprint, self.texts)), np.uint64),
            words=self.words,
        )

    def packed(self, start: int, stop: int) -> PackedTexts:
        """The texts of the chunks from ``start`` to before ``stop``."""
        inside = slice(start, stop)
        return PackedTexts.of(ChunkTexts(self.symbols[inside], self.headers[inside], self.texts[inside]))


def join_chunks(analyses: Sequence[Analysis], embedder: Embedder) -> ChunkRows:
    """The chunks of all files, with vectors."""
    parts = [each.chunks for each in analyses if len(each.chunks)]
    said = [part.texts() for part in parts]

    def numbers(name: str) -> NDArray[np.int32]:
        found = [getattr(part.columns, name)[part.start : part.stop] for part in parts]
        return np.concatenate([np.zeros(0, np.int32), *found])

    paths = [each.path for each in analyses for _ in range(len(each.chunks))]
    symbols = [symbol for each in said for symbol in each.symbols]
    texts = [text for each in said for text in each.texts]
    words = [part.columns.words.select(part.start, part.stop) for part in parts]
    if words and all(each.vectors.shape[1] for each in words):
        vectors = np.concatenate([each.vectors for each in words])
    else:  # of an embedder that workers do not have
        embedded = list(map(embedded_text, paths, symbols, texts))
        given = embedder.embed_documents(embedded) if embedded else np.zeros((0, embedder.dimensions))
        vectors = np.asarray(given, np.float32)
    none = np.zeros(0, np.uint32)
    return ChunkRows(
        kinds=[kind for part in parts for kind in part.columns.kinds[part.start : part.stop]],
        symbols=symbols,
        headers=[header for each in said for header in each.headers],
        texts=texts,
        start_lines=numbers("start_lines"),
        end_lines=numbers("end_lines"),
        words=WordColumns(
            offsets_of([count for each in words for count in np.diff(each.offsets).tolist()]),
            np.concatenate([none, *(each.terms for each in words)]),
            np.concatenate([none, *(each.counts for each in words)]),
            vectors,
        ),
    )


def offsets_of(lengths: Sequence[int]) -> NDArray[np.int64]:
    """Where each of consecutive runs of these lengths begins, and where the last ends."""
    return np.cumsum([0, *lengths], dtype=np.int64)
