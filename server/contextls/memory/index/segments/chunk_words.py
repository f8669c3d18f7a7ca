"""The words of many chunks, read once for both ways of finding them: terms for lexical search, features for vectors.

What Python does for each occurrence of a word is to look up its number. All else is done with arrays: the numbers of the
words become those of terms and features, and equal ones are counted by sorting.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from contextls.memory.index.segments.keywords import without_keywords
from contextls.memory.index.terms import FIELD_BITS, FIELD_MAX, TermSplitter
from contextls.models.embedders.static import MAX_CHARS, SYMBOL_COUNT, StaticEmbedder, symbol_in
from contextls.regex import compile_late

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The embedder's own vocabulary covers the head of a chunk; a very long one adds time, not meaning.
EMBEDDED_CHARS = 4000

_RUN = compile_late(r"\w+")
_BLANKS = {code: " " for code in range(128) if _RUN.match(chr(code)) is None}
_MAX_WORDS = 100_000
_MAX_REMEMBERED_CHARS = 64
_TERM_BITS = 32


class ChunkText(NamedTuple):
    """The texts of a chunk whose words are counted; lexical search weighs those of ``head`` by themselves."""

    path: str
    symbol: str
    text: str
    head: str


class WordColumns(NamedTuple):
    """The terms of chunk ``i`` are ``terms[offsets[i]:offsets[i + 1]]``, in ascending order, with their ``counts``.

    ``vectors`` has a row per chunk; rows of length 0 where no embedder was given.
    """

    offsets: NDArray[np.int64]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint32]
    vectors: NDArray[np.float32]

    def select(self, start: int, stop: int) -> WordColumns:
        """The columns of the chunks from ``start`` to before ``stop``."""
        offsets = self.offsets[start : stop + 1]
        inside = slice(int(offsets[0]), int(offsets[-1]))
        return WordColumns(
            offsets - offsets[0], self.terms[inside], self.counts[inside], self.vectors[start:stop]
        )


def embedded_text(path: str, symbol: str, text: str) -> str:
    """The text of a chunk for the embedder: where it lives and what it is called, then the code."""
    return f"{_first_line(path, symbol)}{text[:EMBEDDED_CHARS]}"


class ChunkWords:
    """Counts the words of chunks. Remembers those it has seen; make one per process or thread."""

    def __init__(self) -> None:
        self._splitter = TermSplitter()
        self._numbers = _WordNumbers(self._splitter, None)

    def count(self, chunks: Sequence[ChunkText], embedder: StaticEmbedder | None) -> WordColumns:
        """The terms of ``chunks`` and, where ``embedder`` is given, their vectors."""
        numbers = self._numbers
        if numbers.embedder is not embedder or len(numbers) > _MAX_WORDS:
            numbers = self._numbers = _WordNumbers(self._splitter, embedder)
        body = _Words(numbers.read(chunk.text) for chunk in chunks)
        said = _Words(numbers.read(without_keywords(chunk.path, chunk.text)) for chunk in chunks)
        head = _Words(numbers.read(chunk.head) for chunk in chunks)
        terms = _terms(numbers.terms, said, head)
        if embedder is None:
            return WordColumns(*terms, np.zeros((len(chunks), 0), np.float32))
        return WordColumns(*terms, self._embed(chunks, body, embedder))

    def _embed(
        self, chunks: Sequence[ChunkText], body: _Words, embedder: StaticEmbedder
    ) -> NDArray[np.float32]:
        numbers = self._numbers
        paths = {path: list(numbers.read(path)) for path in {chunk.path for chunk in chunks}}
        symbols = [list(numbers.read(chunk.symbol)) for chunk in chunks]
        lines = [_first_line(chunk.path, chunk.symbol) for chunk in chunks]
        place = _Words(paths[chunk.path] for chunk in chunks)
        said = map(symbol_in, lines)
        name = _Words(
            words if name == chunk.symbol else numbers.read(name)
            for name, words, chunk in zip(said, symbols, chunks, strict=True)
        )
        words = [body, place, _Words(symbols)]
        vectors = embedder.embed_counts(*_features(numbers.features, words, name))
        for at, chunk in enumerate(chunks):
            if len(chunk.text) > EMBEDDED_CHARS or len(lines[at]) + len(chunk.text) > MAX_CHARS:
                vectors[at] = embedder.embed_documents([embedded_text(chunk.path, chunk.symbol, chunk.text)])
        return vectors


def _first_line(path: str, symbol: str) -> str:
    return f"{path} {symbol}\n"


def _runs(text: str) -> list[str]:
    r"""The matches of ``\w+``: both ways of splitting words look at nothing that reaches beyond one."""
    return text.translate(_BLANKS).split() if text.isascii() else _RUN.findall(text)


class _Spellings:
    """The numbers that words stand for, one run of them for each word."""

    def __init__(self) -> None:
        self._values = array("I")
        self._ends = array("I", [0])

    def add(self, values: Iterable[int]) -> None:
        self._values.extend(values)
        self._ends.append(len(self._values))

    def of(self, words: NDArray[np.int32]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """The values of each of ``words``, one after the other, and how many each of them has."""
        ends = np.frombuffer(self._ends, np.uint32).astype(np.int64)
        sizes = np.diff(ends)[words]
        before = np.cumsum(sizes) - sizes
        at = np.repeat(ends[words] - before, sizes) + np.arange(int(sizes.sum()))
        return np.frombuffer(self._values, np.uint32)[at], sizes


class _WordNumbers(dict[str, int]):
    r"""Match of ``\w+`` -> its number."""

    def __init__(self, splitter: TermSplitter, embedder: StaticEmbedder | None) -> None:
        super().__init__()
        self.embedder = embedder
        self.terms = _Spellings()
        self.features = _Spellings()
        self._splitter = splitter
        self._count = 0

    def read(self, text: str) -> Iterator[int]:
        """The numbers of the words of ``text``, in their order."""
        return map(self.__getitem__, _runs(text))

    def __missing__(self, word: str) -> int:
        self.terms.add(self._splitter.hashes(word))
        if self.embedder is not None:
            self.features.add(self.embedder.features.of_word(word))
        number = self._count
        self._count += 1
        if len(word) <= _MAX_REMEMBERED_CHARS:
            self[word] = number
        return number

    def __len__(self) -> int:
        return self._count


class _Words:
    """The words of texts as numbers, and which text each is of."""

    def __init__(self, texts: Iterable[Iterable[int]]) -> None:
        words: list[int] = []
        ends = [0]
        for text in texts:
            words += text
            ends.append(len(words))
        self.numbers = np.array(words, np.int32)
        self.owners = np.repeat(np.arange(len(ends) - 1, dtype=np.int64), np.diff(ends))
        self.texts = len(ends) - 1


def _terms(
    spellings: _Spellings, body: _Words, head: _Words
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint32]]:
    """Offsets, terms, and the counts in both fields packed for ``terms.count_in``."""
    keys, times = _count(_keys(spellings, body, mark=0), _keys(spellings, head, mark=1))
    times = np.minimum(times, FIELD_MAX) << FIELD_BITS * (keys & 1)
    keys, times = _add_up(keys >> 1, times)
    return _offsets(keys, body.texts), keys.astype(np.uint32), times.astype(np.uint32)


def _features(
    spellings: _Spellings, words: Sequence[_Words], symbol: _Words
) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.int64]]:
    """Features, how often each occurs, and the offsets; one in a symbol counts ``SYMBOL_COUNT`` times in all."""
    keys, times = _count(
        *(_keys(spellings, each, mark=0) for each in words), _keys(spellings, symbol, mark=1)
    )
    times = np.where(keys & 1, times * (SYMBOL_COUNT - 1), times)
    keys, times = _add_up(keys >> 1, times)
    return (keys & 0xFFFF_FFFF).astype(np.intp), times.astype(np.float32), _offsets(keys, symbol.texts)


def _keys(spellings: _Spellings, words: _Words, *, mark: int) -> NDArray[np.int64]:
    """A number for each thing that a word stands for: its owner, what it is, and a bit that marks it."""
    values, sizes = spellings.of(words.numbers)
    high = words.owners << (_TERM_BITS + 1) | mark
    keys: NDArray[np.int64] = np.repeat(high, sizes) | values.astype(np.int64) << 1
    return keys


def _count(*parts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct keys in ascending order, and how often each occurs."""
    keys = np.concatenate(parts)
    keys.sort()
    first = _first_of_each(keys)
    return keys[first], np.diff(first, append=len(keys))


def _add_up(keys: NDArray[np.int64], times: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct keys of a sorted column, and the sum of ``times`` for each."""
    first = _first_of_each(keys)
    return keys[first], np.add.reduceat(times, first) if len(first) else times


def _first_of_each(keys: NDArray[np.int64]) -> NDArray[np.intp]:
    return np.flatnonzero(np.concatenate([np.ones(min(len(keys), 1), np.bool_), keys[1:] != keys[:-1]]))


def _offsets(keys: NDArray[np.int64], owners: int) -> NDArray[np.int64]:
    """The offset at which the keys of each owner begin, and the end of the last ones."""
    return np.searchsorted(keys, np.arange(owners + 1, dtype=np.int64) << _TERM_BITS)
