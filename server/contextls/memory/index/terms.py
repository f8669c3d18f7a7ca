"""Words of code and of questions, reduced to the terms that lexical search compares.

An identifier yields its parts (camelCase, snake_case, acronyms, digits) and, when it has several, itself as a whole.
Every part is lower-cased and stemmed (Porter 2), so that "routes", "route" and "Routing" meet. A term is the CRC-32 of
its UTF-8 bytes: stateless, equal in every process, and at the vocabulary of a large repository (1e5) expected to
collide about once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
import Stemmer
from msgspec import Struct

from contextls.memory.index.hex_ids import split_hex_ids
from contextls.regex import compile_late
from contextls.store.inverted_index import InvertedIndex
from contextls.text.word_set import word_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIELDS = ("body", "head")
FIELD_BITS = 16
FIELD_MAX = (1 << FIELD_BITS) - 1

# Function words of questions: they say what kind of question it is, never what it is about.
STOP_WORDS = word_set(
    """
    a an and any are as at be been but by can could did do does doing each for from get had has have how
    i if in into is it its me my of on or our should so some than that the their them then there these
    they this those to us use used uses using was we were what when where which while who whose why will
    with would you your
    """
)

# "doesn't" is a function word, and so is what "user's" and "we'd" end in.
_CONTRACTED = compile_late(r"\b[a-z]+n['’]t\b|(?<=[a-z])['’](?:s|d|m|ll|re|ve)\b", re.IGNORECASE)
_WORD = compile_late(r"[^\W\d_]+(?:_*[^\W_]+)*|\d+")
_ASCII_PART = compile_late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PART = compile_late(r"[^\W\d_]+|\d+")
MAX_WORD_CHARS = 64
_MIN_ID_CHARS = 6
_MAX_PARTS = 50_000


class Term(Struct, frozen=True):
    """One term of a question: its hash, its spelling, and whether it is a whole identifier of several parts."""

    hash: int
    text: str
    whole: bool

    @classmethod
    def of(cls, text: str, *, whole: bool = False) -> Term:
        """The term that is spelled so."""
        return cls(hash_term(text), text, whole)


class TermSplitter:
    """Turns text into terms. Remembers the parts of words; make one per process or thread."""

    def __init__(self) -> None:
        # Its own memory of words costs more than it saves: each part is asked for once.
        self._stem = Stemmer.Stemmer("english", 0).stemWord
        self._part_hashes = _PartHashes(self._stem)

    def words(self, text: str) -> list[str]:
        """The raw words of ``text``: identifiers, plain words and numbers, in order."""
        return _WORD.findall(text)

    @staticmethod
    def parts(word: str) -> list[str]:
        """The lower-cased parts of one word: ``parseHTTPHeader2`` -> parse, http, header, 2."""
        word = word[:MAX_WORD_CHARS]
        return [part.lower() for part in (_ASCII_PART if word.isascii() else _PART).findall(word)]

    def distinct_parts(self, words: Iterable[str]) -> set[str]:
        """The parts of all these words, each once; much quicker than word by word."""
        plain = "\n".join(word[:MAX_WORD_CHARS] for word in words if word.isascii())
        found = {part.lower() for part in set(_ASCII_PART.findall(plain))}
        return found.union(*(self.parts(word) for word in words if not word.isascii()))

    def question_terms(self, text: str) -> tuple[Term, ...]:
        """The distinct terms of a question in order of appearance, function words left out; ids count as a whole alone."""
        found: dict[int, Term] = {}
        for term in self._read_question(text):
            found.setdefault(term.hash, term)
        return tuple(found.values())

    def _read_question(self, text: str) -> Iterator[Term]:
        ids, text = split_hex_ids(text)
        for one in ids:
            for whole in (_whole(self.parts(word)) for word in self.words(one)):
                if len(whole) >= _MIN_ID_CHARS:
                    yield Term.of(whole, whole=True)
        text = _CONTRACTED.sub(" ", text)
        for whole in self.join_neighbours(text):
            yield Term.of(whole, whole=True)
        for word in self.words(text):
            parts = self.parts(word)
            if len(parts) > 1:
                yield Term.of(_whole(parts), whole=True)
            yield from (Term.of(self._stem(part)) for part in parts if part not in STOP_WORDS)

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
        return [Term.of(self._stem(part)) for each in self.words(word) for part in self.parts(each)]

    def stem_hashes(self, text: str) -> list[int]:
        """The hashes of ``stems``."""
        return [self._part_hashes[part] for word in self.words(text) for part in self.parts(word)]

    def counts(self, text: str) -> dict[int, int]:
        """The count of each term in ``text``."""
        totals: dict[int, int] = {}
        for word, count in Counter(_WORD.findall(text)).items():
            for term in self._read(word):
                totals[term] = totals.get(term, 0) + count
        return totals

    def hashes(self, run: str) -> list[int]:
        r"""The terms of a match of ``\w+``, repeated as often as they occur."""
        if run.isascii() and run[0].isalpha() and run[-1] != "_":
            if run.islower() and run.isalpha():  # one part
                return [self._part_hashes[run[:MAX_WORD_CHARS]]]
            return self._read(run)
        return [term for word in _WORD.findall(run) for term in self._read(word)]

    def _read(self, word: str) -> list[int]:
        parts = self.parts(word)
        terms = list(map(self._part_hashes.__getitem__, parts))
        if len(parts) > 1:
            terms.append(hash_term(_whole(parts)))
        return terms


class _PartHashes(dict[str, int]):
    """Part of a word -> the hash of its stem; bounded."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, part: str) -> int:
        if len(self) >= _MAX_PARTS:
            self.clear()
        found = self[part] = hash_term(self._stem(part))
        return found


def invert_words(words: Iterable[Iterable[str]]) -> InvertedIndex:
    """The things, counted through, that have each word."""
    hashes = [sorted({hash_term(word) for word in each}) for each in words]
    owners = np.repeat(np.arange(len(hashes), dtype=np.int32), [len(each) for each in hashes])
    return InvertedIndex.of(np.fromiter(chain.from_iterable(hashes), np.uint32), owners)


def count_in(field: str, packed: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The count in one of the ``FIELDS`` for every element of ``packed``, where each field has its ``FIELD_BITS``.

    Counts saturate at ``FIELD_MAX``, far beyond where BM25 does.
    """
    return (packed >> np.uint32(FIELDS.index(field) * FIELD_BITS)) & np.uint32(FIELD_MAX)


def _whole(parts: list[str]) -> str:
    return "".join(parts)


def hash_term(term: str) -> int:
    """The number that stands for ``term`` in the index."""
    return crc32(term.encode() if term.isascii() else term.encode("utf-8", "surrogatepass"))
