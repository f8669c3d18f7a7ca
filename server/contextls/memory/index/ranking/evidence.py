"""Evidence for the rank of a chunk, in words that can be shown: read from the parts of which its score was made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.segments.number_sets import distinct
from contextls.memory.index.snapshot.view import ChunkRef

if TYPE_CHECKING:
    from contextls.memory.index.query.search_query import SearchQuery
    from contextls.memory.index.ranking.ranking import Ranking
    from contextls.memory.index.terms import TermSplitter

# The number of terms of a long question that are looked for: the most telling ones.
MAX_TERMS = 8
MAX_NAMES = 4
# A part of the score below this share of words and meaning together did not make a chunk rank.
MIN_SHARE = 0.2
_SPELLED_WORDS = 400


class Evidence(Struct, frozen=True):
    """The evidence for one chunk.

    ``placed`` says that the question names its file or lines, ``prints`` that it quotes a message of it, ``defines`` which
    asked name it defines, ``names`` which it holds, ``words`` which words of the question, the most telling first and as
    they are spelled there, ``other_words`` those that the question only means; all three are empty where words gave little.
    ``words_first`` says that words gave more than ``meaning`` did. ``kind`` is what kind of file the question asks for, if
    it is one and no source.
    """

    placed: bool
    prints: bool
    defines: str
    names: tuple[str, ...]
    words: tuple[str, ...]
    other_words: tuple[str, ...]
    meaning: bool
    words_first: bool
    kind: FileKind | None


class _Part(Struct, frozen=True):
    """The chunks asked about in one segment, in lists that go together."""

    at: dict[int, int]  # position in the segment -> place in the lists
    lexical: list[float]
    meaning: list[float]
    names: list[tuple[str, list[bool]]]
    words: list[tuple[str, list[bool]]]
    other_words: list[tuple[str, list[bool]]]
    kinds: list[int]


class Evidences(Struct, frozen=True):
    """The evidence for some chunks of one ranking, to be asked for one by one; holds nothing of the snapshot."""

    _parts: Mapping[int, _Part]
    _placed: frozenset[ChunkRef]
    _printing: frozenset[ChunkRef]
    _defined: Mapping[ChunkRef, str]
    _kinds: frozenset[FileKind]

    def of(self, ref: ChunkRef) -> Evidence:
        """The evidence for this chunk."""
        part = self._parts[ref.segment]
        place = part.at[ref.position]
        lexical, meaning, kind = part.lexical[place], part.meaning[place], KINDS[part.kinds[place]]
        least = MIN_SHARE * (lexical + meaning)
        wordy = lexical > 0 and lexical >= least
        return Evidence(
            placed=ref in self._placed,
            prints=ref in self._printing,
            defines=self._defined.get(ref, ""),
            names=tuple(name for name, held in part.names if held[place]) if wordy else (),
            words=tuple(word for word, held in part.words if held[place]) if wordy else (),
            other_words=tuple(word for word, held in part.other_words if held[place]) if wordy else (),
            meaning=meaning > 0 and meaning >= least,
            words_first=lexical >= meaning,
            kind=kind if kind is not FileKind.SOURCE and kind in self._kinds else None,
        )


def gather_evidence(ranking: Ranking, refs: Sequence[ChunkRef], splitter: TermSplitter) -> Evidences:
    """The evidence for each of ``refs``, chunks of the ranking's view: a few array passes over them alone."""
    question = ranking.question
    telling = sorted(ranking.words.rarity.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_TERMS]
    wanted = [term for term, _ in telling]
    meant = {term.hash: word for word in reversed(question.further) for term in splitter.stems(word)}
    spelled = _find_spellings(question, wanted, meant, splitter)
    others = {term: meant[term] for term in wanted if term in meant and term not in spelled}
    names = _names(question, splitter)
    numbers = distinct(ranking.numbers.numbers(refs))
    rows = ranking.read(numbers)
    holds = {use.hash: rows.holds[:, column] for column, use in enumerate(ranking.words.uses)}
    parts = {}
    for number, inside, at in ranking.numbers.split(numbers):
        parts[number] = _Part(
            at={position: place for place, position in enumerate(at.tolist())},
            lexical=(rows.words[inside] / ranking.reader.best_words).tolist(),
            meaning=rows.meaning[inside].tolist(),
            names=[(name, holds[term][inside].tolist()) for term, name in names.items()],
            words=[(word, holds[term][inside].tolist()) for term, word in spelled.items()],
            other_words=[(word, holds[term][inside].tolist()) for term, word in others.items()],
            kinds=rows.kinds[inside].tolist(),
        )
    defined = {ref: name for ref, (_, name) in ranking.defined.items()}
    return Evidences(parts, frozenset(ranking.placed), frozenset(ranking.printed), defined, question.kinds)


def _find_spellings(
    question: SearchQuery, wanted: Sequence[int], meant: Collection[int], splitter: TermSplitter
) -> dict[int, str]:
    """The spelling of each wanted term in the question, or in what was read for it, less those that it only means."""
    found: dict[int, str] = {}
    said = (splitter.words(text)[:_SPELLED_WORDS] for text in (question.text, question.read_as))
    for word in chain.from_iterable(said):
        for part, term in zip(splitter.parts(word), splitter.stems(word), strict=False):
            if term.hash in wanted:
                found.setdefault(term.hash, part)
    for term in question.terms:
        if term.hash in wanted and term.hash not in meant:
            found.setdefault(term.hash, term.text)
    return {term: found[term] for term in wanted if term in found}


def _names(question: SearchQuery, splitter: TermSplitter) -> dict[int, str]:
    """The names in the question that are words of several parts, by the term that they are as a whole."""
    wholes = {term.text: term.hash for term in question.terms if term.whole}
    found: dict[int, str] = {}
    for name in question.identifiers:
        for word in splitter.words(name):
            term = wholes.get("".join(splitter.parts(word)))
            if term is not None and len(found) < MAX_NAMES:
                found.setdefault(term, word)
    return found
