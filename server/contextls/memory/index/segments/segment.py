"""A segment: the chunks and outlines of many files with the indexes over them, immutable once built.

The same columns serve a segment that is mapped from its file and one that was just made of unsaved text.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct, field

from contextls.code.kinds import Kind
from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.chunk_texts import ChunkTexts, PackedTexts
from contextls.memory.index.segments.files import KINDS, PathWords
from contextls.memory.index.segments.name_tables import NameTables
from contextls.memory.index.segments.recent_values import RecentValues
from contextls.store.chunk_rows import ChunkLines, ChunkRow
from contextls.store.inverted_index import InvertedIndex
from contextls.store.texts import TextColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.segments.outlines import Outline

RECENT_FILES = 1024
RECENT_OUTLINES = 1024
# How many chunks hold a term is told from no more than twice as many as this.
_COUNTED = 4096
# The vectors converted to floats at once: they stay in the processor's cache until they are multiplied.
_ROWS_AT_ONCE = 512
_SOURCE, _TEST = KINDS.index(FileKind.SOURCE), KINDS.index(FileKind.TEST)


class Postings(NamedTuple):
    """The chunks of a segment that hold a term, ascending, and their counts, of eight bits a field."""

    chunks: NDArray[np.int32]
    counts: NDArray[np.uint16]


class Segment(Struct, frozen=True, eq=False, dict=True, weakref=True):
    """Files (m) and their chunks (n), those of a file side by side and in line order.

    The chunks of file ``f`` are ``first_chunks[f]`` to before ``first_chunks[f + 1]``. ``versions`` tells contents of a
    file apart: it is made of the checksums of its block and its outline. ``digests`` (m, 16) are those of the files' bytes,
    zeros for text that is not of a file. ``path_order`` has the files in the order of
    their paths. ``blocks`` are compressed JSON with what the chunks say, ``outlines`` are JSON, one of each per file.
    ``word_*`` are those of ``PathWords``. ``lengths`` are the words of each chunk's body, ``sizes`` the characters of its
    text, and ``fingerprints`` tell texts apart: nothing is unpacked for these. Vectors are whole numbers, to be multiplied
    by ``scales``; ``signs`` are theirs as ``sign_bits`` packs them. ``terms`` are owned by chunks, with their field counts
    of eight bits apiece beside them; ``definitions`` (folded names), ``references`` and ``stems`` (file names) by files.
    ``id`` is that of the stored segment, 0 of one in memory alone.
    """

    paths: TextColumn
    path_order: NDArray[np.int32]
    languages: TextColumn
    language_codes: NDArray[np.uint16]
    first_chunks: NDArray[np.int32]
    versions: NDArray[np.int64]
    digests: NDArray[np.uint8]
    blocks: TextColumn
    outlines: TextColumn
    file_kinds: NDArray[np.uint8]
    word_terms: NDArray[np.uint32]
    word_sizes: NDArray[np.float32]
    word_files: NDArray[np.int32]
    chunk_files: NDArray[np.int32]
    chunk_kinds: TextColumn
    kind_codes: NDArray[np.uint16]
    start_lines: NDArray[np.int32]
    end_lines: NDArray[np.int32]
    lengths: NDArray[np.float32]
    sizes: NDArray[np.int32]
    fingerprints: NDArray[np.uint64]
    vectors: NDArray[np.int8]
    scales: NDArray[np.float32]
    signs: NDArray[np.uint64]
    terms: InvertedIndex
    definitions: InvertedIndex
    references: InvertedIndex
    stems: InvertedIndex
    names: NameTables
    id: int = 0
    recent_outlines: RecentValues[Outline] = field(default_factory=lambda: RecentValues(RECENT_OUTLINES))
    _recent_texts: RecentValues[ChunkTexts] = field(default_factory=lambda: RecentValues(RECENT_FILES))
    damaged: set[int] = field(default_factory=set)  # files whose blocks are not what was written

    def __len__(self) -> int:
        return len(self.start_lines)

    @functools.cached_property
    def path_words(self) -> PathWords:
        """The words of the paths as ranking sees them."""
        return PathWords(self.word_terms, self.word_sizes, self.word_files)

    @functools.cached_property
    def _language_names(self) -> tuple[str, ...]:
        return tuple(self.languages)

    @functools.cached_property
    def _kind_names(self) -> tuple[str, ...]:
        return tuple(self.chunk_kinds)

    def find(self, path: str) -> list[int]:
        """The numbers of the files at ``path``: at most one of them counts, others are what it was before."""
        return self.paths.find(path.encode("utf-8", "replace"), self.path_order)

    def language(self, number: int) -> str:
        """The language of a file."""
        return self._language_names[int(self.language_codes[number])]

    def outline(self, number: int) -> bytes:
        """The outline of a file as ``outlines.dumps`` wrote it; empty where it is damaged."""
        return self.outline_reader(number)()

    def outline_reader(self, number: int) -> Callable[[], bytes]:
        """A function that reads ``outline`` later. It holds no reference to the segment, which may keep it."""
        checksum = int(self.versions[number]) >> 32 & 0xFFFFFFFF
        return functools.partial(_read_checked, self.outlines, number, checksum, self.damaged)

    def row(self, at: int) -> ChunkRow:
        """One chunk."""
        number, inside, said = self._find_texts(at)
        return ChunkRow(
            path=self.paths[number],
            language=self.language(number),
            kind=self.kind(at),
            symbol=said.symbols[inside],
            start_line=int(self.start_lines[at]),
            end_line=int(self.end_lines[at]),
            text=said.texts[inside],
            header=said.headers[inside],
        )

    def symbol(self, at: int) -> str:
        """The name of a chunk."""
        _, inside, said = self._find_texts(at)
        return said.symbols[inside]

    def _find_texts(self, at: int) -> tuple[int, int, ChunkTexts]:
        """The number of a chunk's file, its place among the chunks of that, and the texts of these."""
        number = int(self.chunk_files[at])
        return number, at - int(self.first_chunks[number]), self._recent_texts.get(number, self.text)

    def lines(self, at: int) -> ChunkLines:
        """The lines of a chunk: a fraction of the cost of its row, whose texts have to be unpacked."""
        return ChunkLines(self.path(at), *self.bounds(at))

    def bounds(self, at: int) -> tuple[int, int]:
        """The first and the last line of a chunk."""
        return int(self.start_lines[at]), int(self.end_lines[at])

    def kind(self, at: int) -> str:
        """The kind of a chunk, by the words of ``contextls.code.kinds.Kind``."""
        return self._kind_names[int(self.kind_codes[at])]

    def file_kinds_of(self, positions: NDArray[np.integer]) -> NDArray[np.uint8]:
        """The kinds of the files of some chunks, as positions in ``KINDS``; a test among source counts as in a test file."""
        kinds: NDArray[np.uint8] = self.file_kinds[self.chunk_files[positions]]
        kinds[(kinds == _SOURCE) & (self.kind_codes[positions] == self._test_code)] = _TEST
        return kinds

    def file_kind(self, at: int) -> FileKind:
        """As ``file_kinds_of``, of one chunk: an array for each would take several times as long."""
        kind = int(self.file_kinds[self.chunk_files[at]])
        return KINDS[_TEST if kind == _SOURCE and self.kind_codes[at] == self._test_code else kind]

    @functools.cached_property
    def _test_code(self) -> int:
        """The code of tests among the kinds of chunks; -1 where there are none."""
        return self._kind_names.index(Kind.TEST) if Kind.TEST in self._kind_names else -1

    def path(self, at: int) -> str:
        """The path of a chunk's file."""
        return self.paths[int(self.chunk_files[at])]

    def count(self, term: int, alive: NDArray[np.bool_] | None) -> int:
        """The number of ``alive`` chunks (``None``: of all) that hold a term; of a frequent one, about how many."""
        owners = self.owners(term)
        step = max(1, len(owners) // _COUNTED)
        sample = owners[::step]
        return step * (len(sample) if alive is None else int(np.count_nonzero(alive.take(sample))))

    def postings(self, term: int) -> Postings:
        """The postings of a term; empty where it does not occur."""
        inside = self.terms.run(term)
        return Postings(self.terms.owners[inside], self.terms.counts[inside])

    def is_in_head(self, term: int) -> bool:
        """Whether any chunk, dead ones included, has a term in its head."""
        return bool(are_in_head(self.postings(term).counts).any())

    def owners(self, term: int) -> NDArray[np.int32]:
        """The chunks that hold a term, ascending."""
        return self.terms.owners[self.terms.run(term)]

    def similar(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """The nearness of each chunk's vector to ``vector``; 0 where one of the two could not be embedded."""
        found = np.zeros(len(self), np.float32)
        if self.vectors.shape[1] != len(vector):
            return found
        room = np.empty((_ROWS_AT_ONCE, len(vector)), np.float32)
        for first in range(0, len(self), _ROWS_AT_ONCE):
            part = found[first : first + _ROWS_AT_ONCE]
            rows = room[: len(part)]
            rows[:] = self.vectors[first : first + _ROWS_AT_ONCE]
            np.matmul(rows, vector, out=part)
        found *= self.scales
        return found

    def similar_at(self, vector: NDArray[np.float32], positions: NDArray[np.integer]) -> NDArray[np.float32]:
        """As ``similar``, of some chunks alone."""
        found = np.zeros(len(positions), np.float32)
        if self.vectors.shape[1] != len(vector):
            return found
        for first in range(0, len(positions), _ROWS_AT_ONCE):
            inside = positions[first : first + _ROWS_AT_ONCE]
            rows = self.vectors.take(inside, axis=0).astype(np.float32)  # in a third of the time of an index
            np.matmul(rows, vector, out=found[first : first + len(rows)])
        found *= self.scales[positions]
        return found

    def vectors_at(self, numbers: NDArray[np.int32]) -> NDArray[np.float32]:
        """The vectors of some chunks (m, dimensions)."""
        rows: NDArray[np.float32] = self.vectors.take(numbers, axis=0) * self.scales[numbers, None]
        return rows

    def text(self, number: int) -> ChunkTexts:
        """The texts of a file's chunks, unpacked; empty where they are damaged."""
        checksum = int(self.versions[number]) & 0xFFFFFFFF
        found = PackedTexts(self.blocks.bytes_at(number), checksum).unpack()
        if found is not None:
            return found
        self.damaged.add(number)
        none = [""] * int(self.first_chunks[number + 1] - self.first_chunks[number])
        return ChunkTexts(none, none, none)


def _read_checked(column: TextColumn, number: int, checksum: int, damaged: set[int]) -> bytes:
    """The data of a file; empty, and noted among the ``damaged``, where it is not what was written."""
    data = column.bytes_at(number)
    if zlib.crc32(data) == checksum:
        return data
    damaged.add(number)
    return b""


def split_counts(counts: NDArray[np.uint16]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The counts in the body and in the head."""
    return (counts & np.uint16(0xFF)).astype(np.float32), (counts >> np.uint16(8)).astype(np.float32)


def are_in_head(counts: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """The marks of those counts that are of terms in a head."""
    held: NDArray[np.bool_] = counts > np.uint16(0xFF)
    return held


def pack_counts(counts: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """Counts of sixteen bits a field as those of eight: more than 255 count as 255, where BM25 is long saturated."""
    body = np.minimum(counts & np.uint32(0xFFFF), np.uint32(0xFF))
    head = np.minimum(counts >> np.uint32(16), np.uint32(0xFF))
    packed: NDArray[np.uint16] = (body | head << np.uint32(8)).astype(np.uint16)
    return packed
