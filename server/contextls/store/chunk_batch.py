"""Chunks as columns: strings packed into byte arrays, so that thousands of chunks are a few arrays and not as many objects.

The same columns travel from the analysis to LanceDB, into the searchable snapshot and into the files that processes map.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, overload

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """One chunk as stored, without its vector and terms."""

    path: str
    language: str
    kind: str
    symbol: str
    start_line: int
    end_line: int
    text: str
    header: str


@dataclass(frozen=True, slots=True)
class ChunkLines:
    """Where a chunk lies: 1-based, inclusive lines of a file."""

    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """A column of strings: string ``i`` is the UTF-8 in ``data[offsets[i]:offsets[i + 1]]`` (uint8)."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @staticmethod
    def of(strings: Sequence[str]) -> Texts:
        """Pack ``strings``; what UTF-8 cannot hold becomes a question mark."""
        encoded = [string.encode("utf-8", "replace") for string in strings]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        return Texts(np.frombuffer(b"".join(encoded), np.uint8), offsets_of(lengths))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, at: int) -> str:
        return self.data[self.offsets[at] : self.offsets[at + 1]].tobytes().decode("utf-8", "replace")

    def select(self, keep: NDArray[np.bool_]) -> Texts:
        """The strings where ``keep`` is true."""
        lengths = np.diff(self.offsets)
        return Texts(self.data[np.repeat(keep, lengths)], offsets_of(lengths[keep]))

    @staticmethod
    def concatenate(columns: Sequence[Texts]) -> Texts:
        """All strings of ``columns``, in order."""
        lengths = np.concatenate([np.diff(column.offsets) for column in columns])
        return Texts(np.concatenate([column.data for column in columns]), offsets_of(lengths))


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """A column of strings of which few differ: string ``i`` is ``values[codes[i]]``."""

    values: tuple[str, ...]
    codes: NDArray[np.int32]

    @staticmethod
    def of(strings: Sequence[str]) -> Labels:
        """Number the distinct ``strings`` in the order of their first occurrence."""
        numbers: dict[str, int] = {}
        codes = np.fromiter((numbers.setdefault(s, len(numbers)) for s in strings), np.int32, len(strings))
        return Labels(tuple(numbers), codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, at: int) -> str:
        return self.values[int(self.codes[at])]

    def __iter__(self) -> Iterator[str]:
        return map(self.values.__getitem__, self.codes.tolist())

    def select(self, keep: NDArray[np.bool_]) -> Labels:
        """The strings where ``keep`` is true, and no other."""
        codes = self.codes[keep]
        used = np.bincount(codes, minlength=len(self.values)) > 0
        numbers = np.cumsum(used, dtype=np.int32) - 1
        return Labels(tuple(compress(self.values, used.tolist())), numbers[codes])

    @staticmethod
    def concatenate(columns: Sequence[Labels]) -> Labels:
        """All strings of ``columns``, in order."""
        numbers: dict[str, int] = {}
        codes = []
        for column in columns:
            known = np.array([numbers.setdefault(s, len(numbers)) for s in column.values], np.int32)
            codes.append(known[column.codes])
        return Labels(tuple(numbers), np.concatenate(codes))


@dataclass(frozen=True, slots=True, eq=False)
class ChunkRows(Sequence[ChunkRow]):
    """Rows as columns of equal length; a ``ChunkRow`` is made when it is asked for."""

    paths: Labels
    languages: Labels
    kinds: Labels
    symbols: Texts
    start_lines: NDArray[np.int32]
    end_lines: NDArray[np.int32]
    texts: Texts
    headers: Labels

    @staticmethod
    def of(rows: Sequence[ChunkRow]) -> ChunkRows:
        """The columns of ``rows``."""
        return ChunkRows(
            paths=Labels.of([row.path for row in rows]),
            languages=Labels.of([row.language for row in rows]),
            kinds=Labels.of([row.kind for row in rows]),
            symbols=Texts.of([row.symbol for row in rows]),
            start_lines=np.array([row.start_line for row in rows], np.int32),
            end_lines=np.array([row.end_line for row in rows], np.int32),
            texts=Texts.of([row.text for row in rows]),
            headers=Labels.of([row.header for row in rows]),
        )

    def __len__(self) -> int:
        return len(self.start_lines)

    @overload
    def __getitem__(self, at: int) -> ChunkRow: ...
    @overload
    def __getitem__(self, at: slice) -> list[ChunkRow]: ...
    def __getitem__(self, at: int | slice) -> ChunkRow | list[ChunkRow]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        return ChunkRow(
            path=self.paths[at],
            language=self.languages[at],
            kind=self.kinds[at],
            symbol=self.symbols[at],
            start_line=int(self.start_lines[at]),
            end_line=int(self.end_lines[at]),
            text=self.texts[at],
            header=self.headers[at],
        )

    def __iter__(self) -> Iterator[ChunkRow]:
        return (self[number] for number in range(len(self)))

    def lines(self, at: int) -> ChunkLines:
        """Where a row's chunk lies: a fraction of the cost of the row, whose texts have to be decoded."""
        return ChunkLines(self.paths[at], int(self.start_lines[at]), int(self.end_lines[at]))

    def select(self, keep: NDArray[np.bool_]) -> ChunkRows:
        """The rows where ``keep`` is true."""
        return ChunkRows(
            paths=self.paths.select(keep),
            languages=self.languages.select(keep),
            kinds=self.kinds.select(keep),
            symbols=self.symbols.select(keep),
            start_lines=self.start_lines[keep],
            end_lines=self.end_lines[keep],
            texts=self.texts.select(keep),
            headers=self.headers.select(keep),
        )

    @staticmethod
    def concatenate(parts: Sequence[ChunkRows]) -> ChunkRows:
        """The rows of all ``parts`` (at least one), in order."""
        return ChunkRows(
            paths=Labels.concatenate([part.paths for part in parts]),
            languages=Labels.concatenate([part.languages for part in parts]),
            kinds=Labels.concatenate([part.kinds for part in parts]),
            symbols=Texts.concatenate([part.symbols for part in parts]),
            start_lines=np.concatenate([part.start_lines for part in parts]),
            end_lines=np.concatenate([part.end_lines for part in parts]),
            texts=Texts.concatenate([part.texts for part in parts]),
            headers=Labels.concatenate([part.headers for part in parts]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class InvertedIndex:
    """Which chunks hold which term.

    The chunks of ``vocabulary[v]`` (sorted, uint32) are ``owners[starts[v]:starts[v + 1]]`` (int32, ascending), with the
    packed field counts of the term beside them in ``counts``. ``lengths`` (n) are the words in each chunk's body.
    """

    vocabulary: NDArray[np.uint32]
    starts: NDArray[np.int64]
    owners: NDArray[np.int32]
    counts: NDArray[np.uint32]
    lengths: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class ChunkBatch:
    """Chunks of one or more files, column by column.

    ``generations`` (n), ``vectors`` (n, d) float32 with rows of length 1; the terms of chunk ``i`` are
    ``terms[offsets[i]:offsets[i + 1]]`` (uint32) with their packed field counts beside them in ``counts``.
    ``inverted`` is the index over the terms where one was kept.
    """

    rows: ChunkRows
    generations: NDArray[np.int64]
    vectors: NDArray[np.float32]
    offsets: NDArray[np.int64]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint32]
    inverted: InvertedIndex | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @staticmethod
    def empty(dimensions: int) -> ChunkBatch:
        """No chunks, with vectors of ``dimensions`` numbers."""
        none = np.zeros(0, np.uint32)
        return ChunkBatch(
            rows=ChunkRows.of(()),
            generations=np.zeros(0, np.int64),
            vectors=np.zeros((0, dimensions), np.float32),
            offsets=np.zeros(1, np.int64),
            terms=none,
            counts=none,
        )

    def select(self, keep: NDArray[np.bool_]) -> ChunkBatch:
        """The chunks where ``keep`` (n) is true."""
        if keep.all():
            return self
        lengths = np.diff(self.offsets)
        inside = np.repeat(keep, lengths)
        return ChunkBatch(
            rows=self.rows.select(keep),
            generations=self.generations[keep],
            vectors=self.vectors[keep],
            offsets=offsets_of(lengths[keep]),
            terms=self.terms[inside],
            counts=self.counts[inside],
        )

    @staticmethod
    def concatenate(batches: Sequence[ChunkBatch]) -> ChunkBatch:
        """All chunks of ``batches`` (at least one), in order."""
        filled = [batch for batch in batches if len(batch)] or list(batches[:1])
        if len(filled) == 1:
            return filled[0]
        return ChunkBatch(
            rows=ChunkRows.concatenate([batch.rows for batch in filled]),
            generations=np.concatenate([batch.generations for batch in filled]),
            vectors=_stack([batch.vectors for batch in filled]),
            offsets=offsets_of(np.concatenate([np.diff(batch.offsets) for batch in filled])),
            terms=np.concatenate([batch.terms for batch in filled]),
            counts=np.concatenate([batch.counts for batch in filled]),
        )


def checksums_of(batch: ChunkBatch) -> dict[str, int]:
    """A checksum of the chunks of each path, whatever their order; never 0."""
    rows = batch.rows
    found: dict[str, int] = {}
    parts = (rows.symbols, rows.texts)
    vectors, terms, counts = map(np.ascontiguousarray, (batch.vectors, batch.terms, batch.counts))
    offsets = batch.offsets.tolist()
    labels = zip(rows.paths, rows.languages, rows.kinds, rows.headers, strict=True)
    lines = zip(rows.start_lines.tolist(), rows.end_lines.tolist(), strict=True)
    for at, ((path, *said), place) in enumerate(zip(labels, lines, strict=True)):
        one = zlib.crc32("\0".join((path, *said, *map(str, place))).encode("utf-8", "replace"))
        for column in parts:
            one = zlib.crc32(column.data[column.offsets[at] : column.offsets[at + 1]].data, one)
        inside = slice(offsets[at], offsets[at + 1])
        for numbers in (vectors[at], terms[inside], counts[inside]):
            one = zlib.crc32(numbers.data, one)
        found[path] = found.get(path, 1) + one
    return found


def offsets_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each of consecutive runs of these ``lengths`` (n) begins, and where the last ends (n + 1)."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def _stack(parts: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """The rows of all parts; rows that were never embedded (length 0) become zero vectors beside embedded ones."""
    length = max(part.shape[1] for part in parts)
    return np.concatenate(
        [part if part.shape[1] else np.zeros((len(part), length), np.float32) for part in parts]
    )
