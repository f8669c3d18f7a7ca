"""Counts words in raw bytes, whatever their case: one compiled pass for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ahocorasick_rs import BytesAhoCorasick
from msgspec import Struct

# A shorter word is part of too many others to count inside of them: "loss" in "glossary".
COUNTS_INSIDE = 5
# Words with no more bytes between them stand side by side, as in ``pick_next`` and "scheduler: pick".
_SIDE_BY_SIDE = 3


class Occurrences(Struct, frozen=True):
    """The count of each word, in the order of the words, and the pairs that stand side by side somewhere."""

    counts: tuple[int, ...]
    pairs: frozenset[tuple[int, int]]


class Literals:
    """Words to be counted in many texts."""

    def __init__(self, words: Sequence[str], counts_inside: float = COUNTS_INSIDE) -> None:
        """``words``, of which there is at least one, are looked for whatever their case, as the beginnings of words.

        One of at least ``counts_inside`` bytes is looked for inside of words too.
        """
        self._counts_inside = counts_inside
        self._words = [word.lower().encode("utf-8", "surrogatepass") for word in words]
        self._search = BytesAhoCorasick(self._words)

    def find(self, raw: bytes) -> Iterator[tuple[int, int, int]]:
        """Each place: the number of the word, and where it begins and ends. Places do not overlap."""
        for place in self._search.find_matches_as_indexes(raw.lower()):
            _, start, stop = place
            if stop - start >= self._counts_inside or not _is_inside(raw, start):
                yield place

    def count(self, raw: bytes) -> Occurrences | None:
        """Count the words in ``raw``; ``None`` where it has none."""
        counts = [0] * len(self._words)
        pairs: set[tuple[int, int]] = set()
        last, end = -1, -1
        for word, start, stop in self.find(raw):
            counts[word] += 1
            if last not in (-1, word) and start - end <= _SIDE_BY_SIDE:
                pairs.add((last, word))
            last, end = word, stop
        return Occurrences(tuple(counts), frozenset(pairs)) if any(counts) else None


def _is_inside(raw: bytes, start: int) -> bool:
    """Whether the word that begins at ``start`` is the end of a longer one, and not a part of a name like ``tcpLoss``."""
    if start == 0:
        return False
    before, first = raw[start - 1 : start], raw[start : start + 1]
    return before.isalpha() and not (first.isupper() and before.islower())
