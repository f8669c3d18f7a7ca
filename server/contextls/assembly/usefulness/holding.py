"""Which of some files hold a term: looked up among its postings, however many these are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.chunk_numbers import ChunkNumbers
from contextls.memory.index.lexical import TermUse

if TYPE_CHECKING:
    from numpy.typing import NDArray


def holding_files(numbers: ChunkNumbers, use: TermUse, files: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of ``files`` (ascending numbers) have a living chunk that holds a term."""
    found = np.zeros(len(files), np.bool_)
    places = np.searchsorted(files, numbers.file_starts).tolist()
    for at, segment in enumerate(numbers.view.segments):
        inside = slice(places[at], places[at + 1])
        if inside.start == inside.stop:
            continue
        positions = files[inside] - numbers.file_starts[at]
        owners = use.postings[at].chunks
        firsts = np.searchsorted(owners, segment.first_chunks[positions])
        counts = np.searchsorted(owners, segment.first_chunks[positions + 1]) - firsts
        # One run of numbers after the other: those of the chunks of each file that hold it.
        run = np.arange(counts.sum()) + np.repeat(firsts - np.cumsum(counts) + counts, counts)
        of_file = np.repeat(np.arange(len(positions)), counts)
        found[inside] = np.bincount(of_file, numbers.view.alive[at][owners[run]], len(positions)) > 0
    return found
