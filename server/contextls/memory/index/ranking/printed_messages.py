"""Finds the code that has the messages of a report: what a program printed stands in it as a literal, or between tags.

Literals are compared piece by piece: what takes the place of their placeholders differs each time that one is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec import Struct, field

from contextls import cancellation
from contextls.memory.index.ranking.lexical import QuestionTerms, TermUse
from contextls.memory.index.snapshot.chunk_numbers import ChunkNumbers
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.memory.index.terms import TermSplitter
from contextls.regex import compile_late

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The number of lines that are looked up, and of chunks for each: those that hold most of its words.
MAX_LINES, MAX_CHUNKS = 16, 12
# A line with fewer words is an ordinary phrase, unless it is a label that was quoted as a whole.
MIN_WORDS, MIN_LABEL_WORDS = 4, 2
# Once the rarer words of a line have brought this many chunks, commoner words add no others.
ENOUGH = 4_000
# A message that more files print does not tell which of them printed it.
MAX_FILES = 3

_LITERALS = tuple(
    compile_late(pattern)
    for pattern in (
        r'"(?>(?:[^"\\\n]|\\.)+)"',
        r"'(?>(?:[^'\\\n]|\\.)+)'",
        r"`[^`]{1,1000}+`",
        r"(?<=>)[^<>]{1,400}+(?=<)",
    )
)
# In addition to those of printf: "%1$s" of Java and PHP, "%(name)s" of Python, and "%1" of Qt.
_PLACEHOLDER = compile_late(
    r"[$#]?\{[^{}]*+\}|\\\([^()]*+\)|%\([^()]*+\)[a-z]"
    r"|%L\d{1,2}|%(?:\d++\$)?[-+# 0]*+\d*+(?:\.\d++)?(?:hh?|ll?|[zjtq])?[a-zA-Z@]|%\d{1,2}"
    r"|\$\w++|\\[a-z]|<[^<>]*+>"
)
_WORD = compile_late(r"\w+")

# A chunk, and a line of it from 0.
_Place: TypeAlias = tuple[ChunkRef, int]


class MessageFinder(Struct, frozen=True, dict=True):
    """Finds messages in the chunks of the ``likely`` kinds, given by the position of each kind in ``KINDS``."""

    numbers: ChunkNumbers
    words: QuestionTerms
    likely: NDArray[np.bool_]
    _splitter: TermSplitter = field(default_factory=TermSplitter)
    _holding: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    _spelled: dict[ChunkRef, str] = field(default_factory=dict)

    def find(self, lines: Sequence[str]) -> dict[ChunkRef, float]:
        """The chunks that print what ``lines`` quote, with how sure that is, in 0..1."""
        places: dict[_Place, float] = {}
        for line in lines[:MAX_LINES]:
            cancellation.check()
            found = self._find_printed(line)
            for place in found:
                places.setdefault(place, 1 / len(found))
        sure: dict[ChunkRef, float] = {}
        for (ref, _), share in places.items():
            sure[ref] = max(share, sure.get(ref, 0.0))
        return sure

    def _find_printed(self, line: str) -> list[_Place]:
        """The places of the literals of which ``line`` has most; none where many files print it."""
        printed = spell(line)
        runs = _runs(printed, is_label=len(line.split()) >= MIN_LABEL_WORDS)
        shared: dict[_Place, int] = {}
        for ref in self._find_alike(line) if runs else ():
            if any(run in self._spell(ref) for run in runs):
                for at, words in find_literals(self._view.row(ref).text, printed):
                    shared[ref, at] = max(words, shared.get((ref, at), 0))
        most = max(shared.values(), default=0)
        places = [place for place, words in shared.items() if words == most]
        return places if len({self._view.path(ref) for ref, _ in places}) <= MAX_FILES else []

    def _find_alike(self, line: str) -> list[ChunkRef]:
        """The chunks that hold most of the words of ``line``, the rare ones above all."""
        terms = {*self._splitter.stem_hashes(line)}
        held: list[NDArray[np.int64]] = []
        rarity: list[float] = []
        for use in self._rare_first:
            if sum(map(len, held)) >= ENOUGH:
                break
            if use.hash in terms:
                held.append(self._find_holding(use))
                rarity.append(float(np.log1p(len(self.numbers) / use.living)))
        if not sum(map(len, held)):
            return []
        chunks, at = np.unique(np.concatenate(held), return_inverse=True)
        worth = np.bincount(at, np.repeat(rarity, [len(each) for each in held]))
        alike = worth >= np.sort(worth)[-MAX_CHUNKS:][0]
        # Among chunks with as many words of the line, those with more of the report come first.
        scores, _ = self.words.read(chunks[alike])
        return self.numbers.refs(chunks[alike][np.lexsort((-scores, -worth[alike]))][:MAX_CHUNKS])

    @cached_property
    def _rare_first(self) -> list[TermUse]:
        uses = (use for use in self.words.uses if not use.whole and use.living)
        return sorted(uses, key=lambda use: (use.living, use.hash))

    def _find_holding(self, use: TermUse) -> NDArray[np.int64]:
        found = self._holding.get(use.hash)
        if found is None:
            chunks = self.words.holding(use)
            found = self._holding[use.hash] = chunks[self.likely[self.numbers.kinds_of_chunks(chunks)]]
        return found

    def _spell(self, ref: ChunkRef) -> str:
        found = self._spelled.get(ref)
        if found is None:
            found = self._spelled[ref] = spell(self._view.row(ref).text)
        return found

    @property
    def _view(self) -> IndexView:
        return self.numbers.view


def find_literals(text: str, printed: str) -> Iterator[tuple[int, int]]:
    """The lines of ``text``, from 0, with a literal of which ``printed`` has a piece, and how many words of it that has."""
    for pattern in _LITERALS:
        for match in pattern.finditer(text):
            pieces = map(spell, chain.from_iterable(map(_PLACEHOLDER.split, match[0].split("\n"))))
            words = [_count(piece) for piece in pieces if piece in printed]
            longest = max(words, default=0)
            if longest >= MIN_WORDS or (longest >= MIN_LABEL_WORDS and spell(match[0]) == printed):
                begins = match.start() + len(match[0]) - len(match[0].lstrip())
                yield text.count("\n", 0, begins), sum(words)


def spell(text: str) -> str:
    """The words of ``text``, whatever stands between them, with a blank on both sides of each."""
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _count(spelled: str) -> int:
    return spelled.count(" ") - 1


def _runs(spelled: str, *, is_label: bool) -> list[str]:
    """Each ``MIN_WORDS`` words that stand one after the other; all of a label."""
    words = spelled.split()
    if MIN_LABEL_WORDS <= len(words) < MIN_WORDS:
        return [spelled] if is_label else []
    return [f" {' '.join(words[at : at + MIN_WORDS])} " for at in range(len(words) - MIN_WORDS + 1)]
