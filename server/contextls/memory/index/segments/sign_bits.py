"""The signs of vectors, one bit for each number: those of near vectors differ in few.

To count differing bits takes a sixth of the time of comparing vectors, so that of a large workspace only the likeliest
few in a hundred are compared. ``docs/performance.md`` says what that finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A sign of a question tells the more the larger its number is: those of these shares of the largest numbers count, so that
# some count twice and some not at all.
_TELLING = (0.8, 0.35)
# The vectors compared exactly: _ROOTS times the square root of their number, or _TIMES the number wanted if that is more.
# So the share of the nearest that is found is the same among a million as among a hundred thousand.
_ROOTS = 46
_TIMES = 4
_WORD_BYTES = 8
# The vectors whose bits are counted at once: they fit in the processor's cache.
_ROWS_AT_ONCE = 16_384
# The number of vectors, or a few more, from which it is estimated in how many signs the nearest differ.
_SAMPLE = 1 << 16


def pack_signs(vectors: NDArray[np.number]) -> NDArray[np.uint64]:
    """The signs of vectors (n, dimensions) as words of 64 bits (n, words), with a 1 for each number above 0."""
    bits = np.packbits(vectors > 0, axis=1)
    return np.pad(bits, ((0, 0), (0, -bits.shape[1] % _WORD_BYTES))).view(np.uint64)


def find_likeliest(
    signs: Sequence[NDArray[np.uint64]],
    alive: Sequence[NDArray[np.bool_]],
    vector: NDArray[np.float32],
    count: int,
) -> Iterator[NDArray[np.int64]]:
    """The rows of each of ``signs`` that are likely to be of the ``count`` living vectors nearest to ``vector``.

    They ascend; some more are worth comparing than those that really are.
    """
    sizes = np.abs(vector)
    telling = pack_signs(np.stack([sizes >= np.quantile(sizes, 1 - share) for share in _TELLING]))
    asked = pack_signs(vector[None])[0]
    differing = [_count_differing(rows, asked, telling) for rows in signs]
    living = [found[mask] for found, mask in zip(differing, alive, strict=True)]
    limit = _find_limit(living, max(_TIMES * count, round(_ROOTS * sum(map(len, living)) ** 0.5)))
    for found, mask in zip(differing, alive, strict=True):
        yield np.flatnonzero((found <= limit) & mask)


def _count_differing(
    rows: NDArray[np.uint64], asked: NDArray[np.uint64], telling: NDArray[np.uint64]
) -> NDArray[np.uint16]:
    """In how many of the signs that each of ``telling`` marks the rows (n, words) differ from ``asked``, together."""
    found = np.empty(len(rows), np.uint16)
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        words = rows[first : first + _ROWS_AT_ONCE].T
        # To add bytes to bytes is quicker than to wider numbers.
        counts = np.zeros((len(telling), words.shape[1]), np.uint8)
        for own, wanted, masks in zip(words, asked, telling.T, strict=True):
            differing = own ^ wanted
            for count, mask in zip(counts, masks, strict=True):
                count += np.bitwise_count(differing & mask)
        counts.sum(axis=0, dtype=np.uint16, out=found[first : first + _ROWS_AT_ONCE])
    return found


def _find_limit(living: Sequence[NDArray[np.uint16]], count: int) -> int:
    """In how many signs about ``count`` of all differ at most."""
    total = sum(map(len, living))
    step = max(1, total // _SAMPLE)
    sample = np.sort(np.concatenate([found[::step] for found in living]))
    return int(sample[min(len(sample) - 1, count // step)]) if len(sample) else 0
