"""Sets of numbers as sorted arrays: what is in both, which are distinct, which are the largest."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


def meet(some: NDArray[np.int32], others: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The positions, in the one and in the other, of the numbers that two ascending arrays share."""
    if len(some) > len(others):
        second, first = meet(others, some)
        return first, second
    if not len(others):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    # Hundreds of times per question: what NumPy's functions do before they call these methods took a third of it.
    at = others.searchsorted(some)
    (same,) = (others.take(at, mode="clip") == some).nonzero()
    return same, at[same]


def distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """The numbers without repetitions, ascending. ``np.unique`` hashes, in ten times as long, and loads ``numpy.ma``."""
    # Numbers come as a few ascending runs, which a stable sort merges in a tenth of the time of another.
    ordered = np.sort(numbers, kind="stable")
    return ordered[_is_first(ordered)]


def runs(ascending: NDArray[Number]) -> tuple[NDArray[Number], NDArray[np.intp]]:
    """The distinct ones of ``ascending`` numbers, and which of them each is."""
    first = _is_first(ascending)
    return ascending[first], np.cumsum(first) - 1


def _is_first(ascending: NDArray[Number]) -> NDArray[np.bool_]:
    first = np.ones(len(ascending), np.bool_)
    first[1:] = ascending[1:] != ascending[:-1]
    return first


def largest(values: NDArray[Number], count: int) -> NDArray[np.intp]:
    """The places of the ``count`` largest values, in any order; of all where there are no more.

    Of those that are alike at the edge, the first are taken.
    """
    if len(values) <= count:
        return np.arange(len(values))
    # Partitioning takes ten times as long where very many values are equal, zeros as a rule.
    least = values.min()
    inside = np.flatnonzero(values > least)
    if len(inside) <= count:
        return np.concatenate([inside, np.flatnonzero(values == least)[: count - len(inside)]])
    if len(inside) <= len(values) // 2:
        return inside[largest(values[inside], count)]
    found = _above_a_sample(values, count)
    if found is None:
        # Quicker than to part their places.
        edge = np.partition(values, len(values) - count)[len(values) - count]
        inside = np.flatnonzero(values > edge)
        return np.concatenate([inside, np.flatnonzero(values == edge)[: count - len(inside)]])
    return found[largest(values[found], count)] if len(found) > count else found


# Partitioning this many values takes a millisecond; for more, a sample first tells which are too small.
_SAMPLED_FROM = 1 << 17
_SAMPLE = 1 << 13


def _above_a_sample(values: NDArray[Number], count: int) -> NDArray[np.intp] | None:
    """The places of at least ``count`` of the largest values, ascending; ``None`` where a sample cannot tell."""
    if len(values) < _SAMPLED_FROM or 8 * count > len(values):
        return None
    sample = np.sort(values[:: len(values) // _SAMPLE])
    least = sample[-min(len(sample), 2 + 2 * count * len(sample) // len(values))]
    inside = np.flatnonzero(values >= least)
    return inside if count <= len(inside) < len(values) // 2 else None
