"""Ranks within a pool: they mean the same for every question and workspace, which scores do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


# The rank of what has no value at all: about where it would come in a pool of usual size, however small this one is.
FAR = 700


def log_rank(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """The logarithm of each value's rank, 0 for the largest: from 1 to 2 is as far as from 100 to 200."""
    ranks: NDArray[np.float64] = np.log1p(np.searchsorted(np.sort(-values), -values))
    return ranks


def log_rank_of_held(values: NDArray[np.floating]) -> NDArray[np.float64]:
    """``log_rank`` of counts; what has none is far down."""
    return np.where(values > 0, log_rank(values), np.log1p(FAR))
