"""Marks the files that hold terms, by searching the postings of each term."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.ranking.lexical import TermUse
from contextls.memory.index.snapshot.chunk_numbers import ChunkNumbers

if TYPE_CHECKING:
    from numpy.typing import NDArray


def holding_files(
    numbers: ChunkNumbers, uses: Sequence[TermUse], files: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """The marks of those ``files`` (ascending numbers) with a living chunk that holds each of ``uses`` (uses, files)."""
    found = np.zeros((len(uses), len(files)), np.bool_)
    view, places = numbers.view, files.searchsorted(numbers.file_starts).tolist()
    for at, segment in enumerate(view.segments):
        inside = slice(places[at], places[at + 1])
        if inside.start == inside.stop:
            continue
        positions = files[inside] - numbers.file_starts[at]
        bounds = segment.first_chunks[np.stack([positions, positions + 1])]
        alive = None if view.whole[at] else view.alive[at]
        for use, held in zip(uses, found[:, inside], strict=True):
            held[:] = _hold(use.postings[at].chunks, bounds, alive)
    return found


def _hold(
    owners: NDArray[np.int32], bounds: NDArray[np.int32], alive: NDArray[np.bool_] | None
) -> NDArray[np.bool_]:
    """The marks of the files with chunks between ``bounds`` (2, files) of which one is ``alive``; with ``None`` all are."""
    firsts, ends = owners.searchsorted(bounds)
    counts = ends - firsts
    if alive is None:
        holding: NDArray[np.bool_] = counts > 0
        return holding
    # One run of numbers after the other: those of the chunks of each file that hold it.
    run = np.arange(counts.sum()) + np.repeat(firsts - np.cumsum(counts) + counts, counts)
    of_file = np.repeat(np.arange(len(counts)), counts)
    return np.bincount(of_file, alive[owners[run]], len(counts)) > 0
