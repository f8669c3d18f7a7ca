"""The signs of vectors, one bit for each number: those of near vectors differ in few.

To count differing bits takes a seventh of the time of comparing vectors, so that of a large workspace only the likeliest
twelfth is compared. ``docs/performance.md`` says what that finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.segment import Segment

_WORD_BYTES = 8
# The bits of so many vectors stay in the processor's cache while they are counted.
_ROWS_AT_ONCE = 8192
# How many bits the likeliest differ in is told from so many vectors or some more.
_SAMPLE = 1 << 16


def pack_signs(vectors: NDArray[np.number]) -> NDArray[np.uint64]:
    """The signs of vectors (n, dimensions) as words of 64 bits (n, words); what is no number of a vector is 0."""
    bits = np.packbits(vectors > 0, axis=1)
    return np.pad(bits, ((0, 0), (0, -bits.shape[1] % _WORD_BYTES))).view(np.uint64)


def likeliest(
    segments: Sequence[Segment], alive: Sequence[NDArray[np.bool_]], vector: NDArray[np.float32], count: int
) -> Iterator[NDArray[np.int64]]:
    """The positions in each segment of the living chunks whose signs differ least from those of ``vector``.

    They ascend, and are about ``count`` together; all where there are no more.
    """
    signs = pack_signs(vector[None])[0]
    differing = [_count_differing(segment.signs, signs) for segment in segments]
    living = [found[mask] for found, mask in zip(differing, alive, strict=True)]
    limit = _find_limit(living, count)
    for found, mask in zip(differing, alive, strict=True):
        yield np.flatnonzero((found <= limit) & mask)


def _count_differing(rows: NDArray[np.uint64], signs: NDArray[np.uint64]) -> NDArray[np.uint16]:
    found = np.zeros(len(rows), np.uint16)
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        part = found[first : first + _ROWS_AT_ONCE]
        for own, wanted in zip(rows[first : first + _ROWS_AT_ONCE].T, signs, strict=True):
            part += np.bitwise_count(own ^ wanted)
    return found


def _find_limit(living: Sequence[NDArray[np.uint16]], count: int) -> int:
    """In how many bits about ``count`` of all differ at most."""
    total = sum(map(len, living))
    step = max(1, total // _SAMPLE)
    sample = np.sort(np.concatenate([found[::step] for found in living]))
    return int(sample[min(len(sample) - 1, count // step)]) if len(sample) else 0
