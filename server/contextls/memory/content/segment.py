"""A segment: a run of chunks with its inverted index, immutable once built."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.content.files import FileTable, file_table
from contextls.memory.content.terms import TermSplitter, count_in
from contextls.store.content_table import ChunkBatch

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

    @functools.cached_property
    def lengths(self) -> NDArray[np.float32]:
        """Words in each chunk's body, the length that BM25 normalises by."""
        body = count_in("body", self.batch.counts).astype(np.float32)
        sums = np.concatenate([np.zeros(1, np.float64), np.cumsum(body, dtype=np.float64)])
        return np.diff(sums[self.batch.offsets]).astype(np.float32)

    @functools.cached_property
    def files(self) -> FileTable:
        """The files that the chunks belong to."""
        return file_table([row.path for row in self.batch.rows], TermSplitter())

    @functools.cached_property
    def _inverted(
        self,
    ) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int32], NDArray[np.uint32]]:
        owners = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.batch.offsets))
        order = np.argsort(self.batch.terms, kind="stable")
        ordered = self.batch.terms[order]
        vocabulary, starts = np.unique(ordered, return_index=True)
        return vocabulary, np.append(starts, len(ordered)), owners[order], self.batch.counts[order]

    def prepare(self) -> None:
        """Build now what the first search would build."""
        _ = self.lengths, self.files, self._inverted

    def postings(self, term: int) -> Postings:
        """The postings of a term; empty when it does not occur."""
        vocabulary, starts, owners, counts = self._inverted
        at = int(np.searchsorted(vocabulary, np.uint32(term)))
        if at == len(vocabulary) or vocabulary[at] != term:
            return Postings(owners[:0], counts[:0])
        inside = slice(starts[at], starts[at + 1])
        return Postings(owners[inside], counts[inside])
