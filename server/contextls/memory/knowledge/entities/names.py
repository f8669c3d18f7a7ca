"""The names of a workspace as people misremember them: written together, in another style, or with a typing error.

It may hold names that are gone: what one means today, the symbols of the own snapshot say.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from contextls.memory.index.segments.name_tables import squeeze
from contextls.memory.index.snapshot.segment_set import SegmentSet

# Shorter names are a letter away from too much.
MIN_FUZZY_CHARS = 5
# Indel similarity in percent: one wrong letter in nine, a swap or an omission in a longer name.
CUTOFF = 88.0
# Two letters that changed places tell a short name, too, and are the commonest slip.
MIN_SWAPPED_CHARS, MAX_SWAPPED_CHARS = 4, 24
SWAPPED = 0.95
MAX_ALIKE = 12


class NameIndex:
    """Folded names of definitions and files, looked up in the segments of one moment."""

    def __init__(self, files: SegmentSet) -> None:
        self._files = files

    def written_as(self, word: str) -> Sequence[str]:
        """The folded names that have the same letters as ``word``, whatever joins their parts."""
        squeezed = squeeze(word)
        found = (name for segment in self._files.segments for name in segment.names.written_as(squeezed))
        return sorted(set(found)) if squeezed else ()

    def find_files(self, stem: str) -> Sequence[str]:
        """The paths of files that are called ``stem``, endings and case left out."""
        return self._files.find_stem(stem)

    def alike(self, word: str) -> list[tuple[str, float]]:
        """Folded names and file stems that are nearly ``word``, with 0..1, best first.

        They begin with the same letter, or have two neighbouring letters in the other order.
        """
        from rapidfuzz import fuzz, process

        folded = word.lower()
        found = dict.fromkeys(self._swapped(folded), SWAPPED)
        if len(folded) < MIN_FUZZY_CHARS:
            return sorted(found.items())[:MAX_ALIKE]
        shortest, longest = _lengths_near(folded)
        for segment in self._files.segments:
            names = segment.names.beginning_with(folded[0], max(shortest, MIN_FUZZY_CHARS), longest)
            near = process.extract(folded, names, scorer=fuzz.ratio, score_cutoff=CUTOFF, limit=None)
            others = ((name, score / 100) for name, score, _ in near if len(name) >= MIN_FUZZY_CHARS)
            found |= {name: max(score, found.get(name, 0.0)) for name, score in others}
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_ALIKE]

    def _swapped(self, word: str) -> set[str]:
        """The folded names and file stems that ``word`` is but for two neighbouring letters."""
        squeezed = squeeze(word)
        if not MIN_SWAPPED_CHARS <= len(squeezed) <= MAX_SWAPPED_CHARS:
            return set()
        tried = {f"{squeezed[:at]}{b}{a}{squeezed[at + 2 :]}" for at, (a, b) in enumerate(pairwise(squeezed))}
        tried.discard(squeezed)
        return {name for each in tried for name in self.written_as(each)}.union(
            filter(self.find_files, tried)
        )


def _lengths_near(word: str) -> tuple[int, int]:
    """The bytes of a name that is nearly ``word``: a letter more counts like a wrong one and has two at most."""
    shared = CUTOFF / (200 - CUTOFF)
    size = len(word.encode("utf-8", "replace"))
    return int(len(word) * shared), size + 2 * round(len(word) / shared - len(word) + 0.5)
