"""The largest number that fits, found by bisection."""

from __future__ import annotations

from collections.abc import Callable


def find_largest_fit(most: int, fits: Callable[[int], bool], least: int = 0) -> int:
    """A number from ``least + 1`` to ``most`` that ``fits``, the largest where costs grow with it; else ``least``.

    Counts of tokens grow but for a few at the joints, so what is returned was asked for, never inferred.
    """
    low, high = least, most
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low
