"""A segment: a run of chunks with its inverted index, immutable once built."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.files import FileTable, file_table
from contextls.memory.index.terms import TermSplitter, count_in
from contextls.store.chunk_batch import ChunkBatch, InvertedIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term occurs: chunk numbers within the segment and the packed field counts beside them."""

    chunks: NDArray[np.int32]
    counts: NDArray[np.uint32]


@dataclass(frozen=True)
class Segment:
    """Chunks, their vectors and terms, and the inverted index over them, built at first use."""

    batch: ChunkBatch

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def lengths(self) -> NDArray[np.float32]:
        """Words in each chunk's body, the length that BM25 normalises by."""
        return self.inverted_index.lengths

    @functools.cached_property
    def files(self) -> FileTable:
        """The files that the chunks belong to."""
        return file_table(list(self.batch.rows.paths), TermSplitter())

    @functools.cached_property
    def inverted_index(self) -> InvertedIndex:
        """The index over the terms: the batch's own where one was kept."""
        return self.batch.inverted or _invert(self.batch)

    def prepare(self) -> None:
        """Build now what the first search would build."""
        _ = self.files, self.inverted_index

    def postings(self, term: int) -> Postings:
        """The postings of a term; empty when it does not occur."""
        index = self.inverted_index
        at = int(np.searchsorted(index.vocabulary, np.uint32(term)))
        if at == len(index.vocabulary) or index.vocabulary[at] != term:
            return Postings(index.owners[:0], index.counts[:0])
        inside = slice(index.starts[at], index.starts[at + 1])
        return Postings(index.owners[inside], index.counts[inside])


def _invert(batch: ChunkBatch) -> InvertedIndex:
    owners = np.repeat(np.arange(len(batch), dtype=np.int32), np.diff(batch.offsets))
    order = np.argsort(batch.terms, kind="stable")
    ordered = batch.terms[order]
    vocabulary, starts = np.unique(ordered, return_index=True)
    body = count_in("body", batch.counts).astype(np.float32)
    sums = np.concatenate([np.zeros(1, np.float64), np.cumsum(body, dtype=np.float64)])
    return InvertedIndex(
        vocabulary=vocabulary,
        starts=np.append(starts, len(ordered)),
        owners=owners[order],
        counts=batch.counts[order],
        lengths=np.diff(sums[batch.offsets]).astype(np.float32),
    )
