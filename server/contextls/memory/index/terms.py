"""Words of code and of questions, reduced to the terms that lexical search compares.

An identifier yields its parts (camelCase, snake_case, acronyms, digits) and, when it has several, itself as a whole.
Every part is lower-cased and stemmed (Porter 2), so that "routes", "route" and "Routing" meet. A term is the CRC-32 of
its UTF-8 bytes: stateless, equal in every process, and at the vocabulary of a large repository (1e5) expected to
collide about once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
import Stemmer

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIELDS = ("body", "head")
FIELD_BITS = 16
FIELD_MAX = (1 << FIELD_BITS) - 1

# Function words of questions: they say what kind of question it is, never what it is about.
STOP_WORDS = frozenset(
    """
    a an and any are as at be been but by can could did do does doing each for from get had has have how
    i if in into is it its me my of on or our should so some than that the their them then there these
    they this those to us use used uses using was we were what when where which while who whose why will
    with would you your
    """.split()  # noqa: SIM905 - prose, not a list of strings
)

_WORD = re.compile(r"[^\W\d_]+(?:_*[^\W_]+)*|\d+")
_ASCII_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PART = re.compile(r"[^\W\d_]+|\d+")
_LONGEST_WORD = 64


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a question: its hash, its spelling, and whether it is a whole identifier of several parts."""

    hash: int
    text: str
    whole: bool


class TermSplitter:
    """Turns text into terms. Remembers the words it has seen; make one per process or thread."""

    def __init__(self, cache_size: int = 200_000) -> None:
        self._stem = Stemmer.Stemmer("english").stemWord
        self._cache: dict[str, tuple[int, ...]] = {}
        self._cache_size = cache_size

    def words(self, text: str) -> list[str]:
        """The raw words of ``text``: identifiers, plain words and numbers, in order."""
        return _WORD.findall(text)

    def parts(self, word: str) -> list[str]:
        """The lower-cased parts of one word: ``parseHTTPHeader2`` -> parse, http, header, 2."""
        word = word[:_LONGEST_WORD]
        return [part.lower() for part in (_ASCII_PART if word.isascii() else _PART).findall(word)]

    def distinct_parts(self, words: Iterable[str]) -> set[str]:
        """The parts of all these words, each once; much quicker than word by word."""
        plain = "\n".join(word[:_LONGEST_WORD] for word in words if word.isascii())
        found = {part.lower() for part in set(_ASCII_PART.findall(plain))}
        return found.union(*(self.parts(word) for word in words if not word.isascii()))

    def question_terms(self, text: str) -> tuple[Term, ...]:
        """The distinct terms of a question in order of appearance, function words left out."""
        found: dict[int, Term] = {}
        for whole in self.join_neighbours(text):
            found.setdefault(hash_term(whole), Term(hash_term(whole), whole, whole=True))
        for word in self.words(text):
            parts = self.parts(word)
            if len(parts) > 1:
                whole = _whole(parts)
                found.setdefault(hash_term(whole), Term(hash_term(whole), whole, whole=True))
            for part in parts:
                if part not in STOP_WORDS:
                    stem = self._stem(part)
                    found.setdefault(hash_term(stem), Term(hash_term(stem), stem, whole=False))
        return tuple(found.values())

    def join_neighbours(self, text: str) -> list[str]:
        """Neighbouring words of a question written as one name: "type adapter" asks for ``TypeAdapter`` too."""
        words = [self.parts(word) for word in self.words(text)]
        names = []
        for size in (2, 3):
            for start in range(len(words) - size + 1):
                run = words[start : start + size]
                if all(len(parts) == 1 and parts[0] not in STOP_WORDS for parts in run):
                    names.append(_whole([part for parts in run for part in parts]))
        return names

    def stems(self, word: str) -> list[Term]:
        """The parts of a name as terms, function words included."""
        stems = [self._stem(part) for part in (p for w in self.words(word) for p in self.parts(w))]
        return [Term(hash_term(stem), stem, whole=False) for stem in stems]

    def counts(self, text: str) -> dict[int, int]:
        """How often each term occurs in ``text``."""
        totals: dict[int, int] = {}
        for word, count in Counter(_WORD.findall(text)).items():
            for term in self._hashes(word):
                totals[term] = totals.get(term, 0) + count
        return totals

    def _hashes(self, word: str) -> tuple[int, ...]:
        known = self._cache.get(word)
        if known is None:
            if len(self._cache) >= self._cache_size:
                self._cache.clear()
            parts = self.parts(word)
            terms = [hash_term(self._stem(part)) for part in parts]
            if len(parts) > 1:
                terms.append(hash_term(_whole(parts)))
            known = self._cache[word] = tuple(terms)
        return known


def pack(fields: Iterable[Mapping[int, int]]) -> tuple[list[int], list[int]]:
    """Term hashes and, for each, its counts in the fields (in the order of ``FIELDS``) packed 16 bits apiece.

    Counts saturate at 65,535, far beyond where BM25 does.
    """
    packed: dict[int, int] = {}
    for position, counts in enumerate(fields):
        shift = position * FIELD_BITS
        for term, count in counts.items():
            packed[term] = packed.get(term, 0) | (min(count, FIELD_MAX) << shift)
    return list(packed.keys()), list(packed.values())


def count_in(field: str, packed: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Unpack one of the ``FIELDS`` for every element of ``packed``; the inverse of ``pack``."""
    return (packed >> np.uint32(FIELDS.index(field) * FIELD_BITS)) & np.uint32(FIELD_MAX)


def _whole(parts: list[str]) -> str:
    return "".join(parts)


def hash_term(term: str) -> int:
    """The number that stands for ``term`` in the index."""
    return crc32(term.encode("utf-8", "surrogatepass"))
