"""The words of a workspace as they are spelled, and which of them a misspelt word may be.

The index keeps hashes of words only. What is spelled out are names and paths of the outlines; words that code usually is
made of come with the embedder's table. Whether one occurs in the workspace, the asker finds out in the index.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from msgspec import Struct

from contextls.memory.index.segments.name_tables import MAX_WORD_CHARS, MIN_WORD_CHARS, is_word
from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.index.words.plain_words import is_plain_word
from contextls.models.embedders.static import read_vocabulary

MIN_CHANGED_CHARS = 4
# From here on two slips are likelier than another word.
LONG_WORD_CHARS = 8
MAX_READINGS = 3
# In words of at most this many letters, one wrong or extra letter makes another word: "bread", "break", "read".
_SHORT = 5
_ENDINGS = ("s", "es", "ed", "ing", "er", "ers", "ly")
_BEGINNINGS = ("re", "un", "pre", "mis", "over", "non")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Letters that stand for the same sound somewhere.
_ALIKE = ("aeiouy", "csz", "ckq", "fv", "td", "gj", "mn")


class Spelling(Struct, frozen=True):
    """A word that another may be meant for, how many slips lie between them, and how common such a slip is (0 most)."""

    word: str
    slips: int
    rarity: int = 0


class Dictionary:
    """The words of one moment, looked up in its segments, and those that code usually is made of."""

    def __init__(self, files: SegmentSet) -> None:
        self._tables = [segment.names for segment in files.segments]
        self._usual = usual_words()

    def _bucket(self, letter: str, length: int) -> list[str]:
        """The words with this first letter and this length."""
        found = dict.fromkeys(_usual_by_place().get((letter, length), ()))
        for table in self._tables:
            found.update(dict.fromkeys(table.words_of(letter, length)))
        return list(found)

    def _holds(self, word: str) -> bool:
        return (word in self._usual and is_word(word)) or any(
            table.holds_word(word) for table in self._tables
        )

    def _spellings_of(self, word: str) -> set[str]:
        return {name for table in self._tables for name in table.spellings_of(word)}

    def is_usual(self, word: str) -> bool:
        """Whether code elsewhere, or people who speak of it, spell ``word`` so: no slip, even where the workspace lacks it.

        A name of the workspace written together is one.
        """
        if self._spellings_of(word):
            return False
        if word in self._usual or is_plain_word(word):
            return True
        bare = (word.removeprefix(beginning) for beginning in _BEGINNINGS if word.startswith(beginning))
        if any(len(one) >= MIN_CHANGED_CHARS and one in self._usual for one in bare):
            return True
        stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
        return any(
            len(stem) >= MIN_CHANGED_CHARS and (stem in self._usual or f"{stem}e" in self._usual)
            for stem in stems
        )

    def write_out(self, word: str, written: str) -> str:
        """A name of several parts as it is defined (``parseheader`` -> ``parseHeader``), any other word as it is.

        Of several names with these parts, it is the one nearest to what was ``written``.
        """
        from rapidfuzz.distance import OSA

        def distance(name: str) -> tuple[int, int, str]:
            folded = OSA.distance(name.lower(), written.lower())
            return folded, OSA.distance(name, written), name

        return min(self._spellings_of(word), key=distance, default=word)

    def nearest(self, word: str, occurs: Callable[[str], int]) -> list[Spelling]:
        """The words that ``word`` (in lower case) may be meant for, the likeliest first.

        ``occurs`` says how often a word is found in the workspace. One with the same first letter is preferred, then one
        that such a slip is common for, then the one that is found more often.
        """
        if not MIN_WORD_CHARS <= len(word) <= MAX_WORD_CHARS:
            return []
        if len(word) < MIN_CHANGED_CHARS:
            return self._common(self._swapped(word), occurs)
        found = self._common(self._near(word), occurs) or self._common(self._first_letter_wrong(word), occurs)
        return found[:MAX_READINGS]

    def _near(self, word: str) -> list[Spelling]:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        most = 2 if len(word) >= LONG_WORD_CHARS else 1
        lengths = range(len(word) - most, len(word) + most + 1)
        words = [each for length in lengths for each in self._bucket(word[0], length)]
        found = process.extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=None)
        rarest = 0 if len(word) <= _SHORT else 1 if len(word) < LONG_WORD_CHARS else 2
        spellings = [Spelling(near, int(slips), _rarity(word, near, int(slips))) for near, slips, _ in found]
        return [each for each in spellings if each.rarity <= rarest and self._is_likely(word, each)]

    def _is_likely(self, word: str, near: Spelling) -> bool:
        """Short words are near much jargon, and those with two slips near much else."""
        if near.slips > 1:
            return near.word[:2] == word[:2]
        common = len(word) > _SHORT and near.rarity == 0
        return (
            common
            or len(word) >= LONG_WORD_CHARS
            or near.word in self._usual
            or bool(self._spellings_of(near.word))
        )

    def _first_letter_wrong(self, word: str) -> list[Spelling]:
        if len(word) <= _SHORT:
            return []
        rest = word[1:]
        words = {
            rest,
            word[1] + word[0] + word[2:],
            *(a + rest for a in _LETTERS),
            *(a + word for a in _LETTERS),
        }
        return [Spelling(each, 1) for each in sorted(words - {word}) if self._holds(each)]

    def _swapped(self, word: str) -> list[Spelling]:
        a, b, c = tuple(word)
        words = {b + a + c, a + c + b} - {word}
        return [Spelling(each, 1) for each in sorted(words) if self._holds(each)]

    @staticmethod
    def _common(near: Iterable[Spelling], occurs: Callable[[str], int]) -> list[Spelling]:
        counted = [(spelling, occurs(spelling.word)) for spelling in near]
        counted = [(spelling, count) for spelling, count in counted if count]
        counted.sort(key=lambda pair: (pair[0].slips, pair[0].rarity, -pair[1], pair[0].word))
        return [spelling for spelling, _ in counted]


@functools.cache
def usual_words() -> frozenset[str]:
    """The words that code usually is made of: those of the embedder's table, and function words."""
    return frozenset((*read_vocabulary(), *STOP_WORDS))


@functools.cache
def _usual_by_place() -> Mapping[tuple[str, int], list[str]]:
    places: dict[tuple[str, int], list[str]] = {}
    for word in sorted(filter(is_word, usual_words())):
        places.setdefault((word[0], len(word)), []).append(word)
    return places


def _rarity(word: str, near: str, slips: int) -> int:
    """The rarity of a slip that leads from ``near`` to ``word``.

    0 for a letter left out or doubled and for two swapped, 1 for one too many or one that sounds alike, 2 for a wrong one.
    """
    if slips != 1 or len(near) > len(word):
        return 0
    if len(near) < len(word):
        doubled = any(
            a == b and near == word[:at] + word[at + 1 :] for at, (a, b) in enumerate(pairwise(word))
        )
        return 0 if doubled else 1
    changed = [{a, b} for a, b in zip(word, near, strict=True) if a != b]
    if len(changed) == 2:
        return 0
    return 1 if any(changed[0] <= set(sounds) for sounds in _ALIKE) else 2
