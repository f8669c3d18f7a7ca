"""The chunks that tell how rare a word is and how near is near: all but those of data, settings and translations.

Thousands of chunks of translations would make every word of the code rare, and what tests are given or have recorded
would make common the words that it repeats. Where there is nothing else, data counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.files import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from contextls.memory.index.segments.segment import Segment

_BESIDE = [KINDS.index(kind) for kind in (FileKind.DATA, FileKind.SETTINGS, FileKind.TRANSLATION)]
_TEST = KINDS.index(FileKind.TEST)
# The languages of the data of tests.
_RECORDED = frozenset({"json", "yaml"})


class CountedChunks(Struct, frozen=True, eq=False):
    """The chunks that are counted: a mask for each segment, how many there are, and how many words each has on average."""

    masks: tuple[NDArray[np.bool_], ...]
    total: int
    average: float

    @classmethod
    def of(cls, segments: Sequence[Segment], alive: Sequence[NDArray[np.bool_]]) -> CountedChunks:
        """The chunks in ``segments`` that are ``alive`` and counted; looks at every one once."""
        masks = tuple(
            mask & ~_are_data(segment)[segment.chunk_files]
            for segment, mask in zip(segments, alive, strict=True)
        )
        if not any(mask.any() for mask in masks):
            masks = tuple(alive)
        total = sum(int(np.count_nonzero(mask)) for mask in masks)
        words = sum(float(segment.lengths[mask].sum()) for segment, mask in zip(segments, masks, strict=True))
        return cls(masks, total, max(1.0, words / max(1, total)))


def _are_data(segment: Segment) -> NDArray[np.bool_]:
    """The marks of the files of ``segment`` that are data or settings, those of tests included."""
    recorded = [code for code, language in enumerate(segment.languages) if language in _RECORDED]
    found: NDArray[np.bool_] = np.isin(segment.file_kinds, _BESIDE)
    found |= (segment.file_kinds == _TEST) & np.isin(segment.language_codes, recorded)
    return found
