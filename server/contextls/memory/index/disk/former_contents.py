"""The contents of files that are kept beside their newest ones: a branch that is switched away from comes back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.segments.segment import Segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of all files in a segment at most so many: a search passes over their chunks, and the disk holds them.
MAX_SHARE = 0.2


def keep_former(
    segments: Sequence[Segment], alive: Sequence[NDArray[np.bool_]], paths: Collection[str]
) -> list[NDArray[np.bool_]]:
    """The files that are marked in ``alive``, and for each of ``paths`` the content before where ``segments`` have it.

    None of the latter where they are too many. A file that is gone, or not to be indexed any more, keeps nothing: nobody
    who deletes or ignores one expects to find its text on the disk.
    """
    kept = [mask.copy() for mask in alive]
    taken: set[str] = set()
    most = MAX_SHARE * sum(int(mask.sum()) for mask in alive)
    for segment, mask in zip(reversed(segments), reversed(kept), strict=True):  # the newest first
        for number in reversed(np.flatnonzero(~mask).tolist()):
            path = segment.paths[number]
            if (
                path in paths
                and path not in taken
                and not _is_newest(segments, alive, path, segment.digests[number])
            ):
                taken.add(path)
                mask[number] = True
    return kept if len(taken) <= most else list(alive)


def _is_newest(
    segments: Sequence[Segment], alive: Sequence[NDArray[np.bool_]], path: str, digest: NDArray[np.uint8]
) -> bool:
    """Whether the file at ``path`` that counts has these bytes too."""
    return any(
        mask[number] and np.array_equal(segment.digests[number], digest)
        for segment, mask in zip(segments, alive, strict=True)
        for number in segment.find(path)
    )
