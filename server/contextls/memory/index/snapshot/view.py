"""The chunks of one moment: an immutable view that readers search while a writer prepares the next one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial, reduce
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.number_sets import distinct
from contextls.memory.index.segments.segment import Segment
from contextls.memory.index.snapshot.counted_chunks import CountedChunks
from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.store.chunk_rows import ChunkLines, ChunkRow

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ChunkRef(NamedTuple):
    """A chunk of a snapshot: segment number and position in it."""

    segment: int
    position: int


class IndexView(Struct, frozen=True, dict=True):
    """All searchable chunks at one moment. ``alive[s]`` (bool) marks the chunks of segment ``s`` that still count."""

    files: SegmentSet = field(default_factory=SegmentSet)
    alive: tuple[NDArray[np.bool_], ...] = ()

    @classmethod
    def of(cls, files: SegmentSet) -> IndexView:
        """All chunks of ``files``."""
        return cls(
            files,
            tuple(mask[s.chunk_files] for s, mask in zip(files.segments, files.alive, strict=True)),
        )

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The segments that hold the chunks."""
        return self.files.segments

    @cached_property
    def _count(self) -> int:
        return int(sum(int(mask.sum()) for mask in self.alive))

    def __len__(self) -> int:
        return self._count

    @cached_property
    def whole(self) -> tuple[bool, ...]:
        """The marks of segments in which every chunk still counts."""
        return tuple(bool(mask.all()) for mask in self.alive)

    @cached_property
    def counted(self) -> CountedChunks:
        """The chunks from which it is known how rare a word is."""
        return CountedChunks.of(self.segments, self.alive)

    @cached_property
    def paths(self) -> Collection[str]:
        """The paths that have chunks, in order."""
        return _PathsWithChunks(self)

    def row(self, ref: ChunkRef) -> ChunkRow:
        """The chunk of a reference of this snapshot."""
        return self.segments[ref.segment].row(ref.position)

    def lines(self, ref: ChunkRef) -> ChunkLines:
        """The lines of the chunk of a reference; cheaper than its ``row``."""
        return self.segments[ref.segment].lines(ref.position)

    def bounds(self, ref: ChunkRef) -> tuple[int, int]:
        """The first and the last line of the chunk of a reference."""
        return self.segments[ref.segment].bounds(ref.position)

    def symbol(self, ref: ChunkRef) -> str:
        """The qualified name of what the chunk of a reference is, or is a part of; "" where it has none."""
        return self.segments[ref.segment].symbol(ref.position)

    def path(self, ref: ChunkRef) -> str:
        """The path of the chunk of a reference."""
        return self.segments[ref.segment].path(ref.position)

    def kind(self, ref: ChunkRef) -> str:
        """The kind of the chunk of a reference, by the words of ``contextls.code.kinds.Kind``."""
        return self.segments[ref.segment].kind(ref.position)

    def file_kind(self, ref: ChunkRef) -> FileKind:
        """The kind of file that a chunk is in, or as which it counts: see ``Segment.file_kinds_of``."""
        return self.segments[ref.segment].file_kind(ref.position)

    def size(self, ref: ChunkRef) -> int:
        """The characters of the text of the chunk of a reference."""
        return int(self.segments[ref.segment].sizes[ref.position])

    def vectors(self, refs: Sequence[ChunkRef]) -> NDArray[np.float32]:
        """The vectors of some chunks, one row each; zeros for those that could not be embedded."""
        length = max((segment.vectors.shape[1] for segment in self.segments), default=0)
        rows = np.zeros((len(refs), length), np.float32)
        for row, ref in zip(rows, refs, strict=True):
            segment = self.segments[ref.segment]
            row[: segment.vectors.shape[1]] = segment.vectors[ref.position] * segment.scales[ref.position]
        return rows

    def best_first(self, scores: Mapping[ChunkRef, float]) -> list[ChunkRef]:
        """The chunks of ``scores``, the best first; several that are as good stand by path and line."""

        def place(ref: ChunkRef) -> tuple[str, int]:
            lines = self.lines(ref)
            return lines.path, lines.start_line

        ordered: list[ChunkRef] = []
        # Few are equal: to ask for the place of each would cost more than to sort.
        for _, alike in groupby(sorted(scores, key=scores.__getitem__, reverse=True), scores.__getitem__):
            group = list(alike)
            ordered += group if len(group) == 1 else sorted(group, key=place)
        return ordered

    def chunks_of(self, path: str) -> tuple[ChunkRef, ...]:
        """The chunks of one file in line order."""
        place = self.files.find(path)
        if place is None:
            return ()
        first, last = self.segments[place.segment].first_chunks[place.number : place.number + 2].tolist()
        mask = self.alive[place.segment][first:last]
        return tuple(ChunkRef(place.segment, first + at) for at in np.flatnonzero(mask).tolist())

    def chunk_beside(self, ref: ChunkRef, step: int) -> ChunkRef | None:
        """The chunk right after one in its file (``step`` 1), or right before it (-1)."""
        segment, alive = self.segments[ref.segment], self.alive[ref.segment]
        first, last = segment.first_chunks[segment.chunk_files[ref.position] :][:2].tolist()
        at = ref.position + step
        while first <= at < last:
            if alive[at]:
                return ChunkRef(ref.segment, at)
            at += step
        return None

    def chunk_at(self, path: str, line: int) -> ChunkRef | None:
        """The chunk that holds a line of a file."""
        place = self.files.find(path)
        if place is None:
            return None
        segment, alive = self.segments[place.segment], self.alive[place.segment]
        first, last = segment.first_chunks[place.number : place.number + 2].tolist()
        at = bisect_right(segment.start_lines, line, first, last) - 1
        while at >= first and not alive[at]:
            at -= 1
        return ChunkRef(place.segment, at) if at >= first and line <= int(segment.end_lines[at]) else None

    def holding(self, terms: Sequence[int]) -> Iterator[ChunkRef]:
        """The chunks that hold all ``terms``, given by their hashes, one segment after the other; of no terms none."""
        for number, (segment, alive) in enumerate(zip(self.segments, self.alive, strict=True)):
            found = [segment.owners(term) for term in terms]
            if found:
                common = reduce(partial(np.intersect1d, assume_unique=True), found)
                yield from (ChunkRef(number, at) for at in common[alive[common]].tolist())

    def without(self, paths: Collection[str]) -> IndexView:
        """The same chunks except those of ``paths``; references stay valid."""
        return self.without_chunks([ref for path in paths for ref in self.chunks_of(path)])

    def without_chunks(self, refs: Collection[ChunkRef]) -> IndexView:
        """The same chunks except these; references stay valid."""
        alive = [mask.copy() for mask in self.alive]
        for ref in refs:
            alive[ref.segment][ref.position] = False
        return replace(self, alive=tuple(alive))


class _PathsWithChunks(Collection[str]):
    """The paths of a view; told apart from those of others only when they are asked for."""

    def __init__(self, view: IndexView) -> None:
        self._view = view

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        found: list[str] = []
        for segment, mask in zip(self._view.segments, self._view.alive, strict=True):
            numbers = distinct(segment.chunk_files[mask]).tolist()
            found += map(segment.paths.__getitem__, numbers)
        return tuple(sorted(found))

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and bool(self._view.chunks_of(path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)
