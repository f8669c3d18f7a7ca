"""Merges segments into one, without the files that no longer count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from contextls.memory.index.segments.arrays import put_column
from contextls.memory.index.segments.files import mark_by_neighbours
from contextls.memory.index.segments.name_tables import NameTables
from contextls.memory.index.segments.segment import Segment
from contextls.store.array_file import JoinedArray, Writable
from contextls.store.inverted_index import InvertedIndex
from contextls.store.joined_index import JoinedIndex
from contextls.store.texts import TextColumn, offsets_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Large arrays are copied in pieces of this many rows, from one mapped file to the next.
_ROWS_AT_ONCE = 4096


class SegmentMerge(Struct, frozen=True, dict=True):
    """Files of each of ``segments``, in this order, as columns of one segment.

    ``alive`` marks those that count, ``kept`` those that are taken: these and some that may come to count again.
    """

    segments: Sequence[Segment]
    alive: Sequence[NDArray[np.bool_]]
    kept: Sequence[NDArray[np.bool_]]

    @cached_property
    def sources(self) -> NDArray[np.int32]:
        """From which of the segments each file comes."""
        return np.repeat(np.arange(len(self.kept), dtype=np.int32), [int(m.sum()) for m in self.kept])

    @cached_property
    def numbers(self) -> NDArray[np.int32]:
        """The number that each file had there."""
        return np.concatenate([np.flatnonzero(mask) for mask in self.kept]).astype(np.int32)

    def columns(self) -> Mapping[str, Writable]:
        """Named as ``arrays.to_arrays`` names them; the large ones are read when they are written."""
        chunks = self._chunk_masks
        paths = self._texts(lambda segment: segment.paths, self.kept)
        whole_paths = TextColumn(_whole(paths["data"]), paths["offsets"])
        languages, language_codes = self._labels(lambda s: (s.languages, s.language_codes), self.kept)
        kinds, codes = self._labels(lambda s: (s.chunk_kinds, s.kind_codes), chunks)
        sizes = np.concatenate(
            [np.diff(s.first_chunks)[m] for s, m in zip(self.segments, self.kept, strict=True)]
        )
        return {
            "paths.data": whole_paths.data,
            "paths.offsets": whole_paths.offsets,
            "path_order": whole_paths.sort(),
            "languages.data": languages.data,
            "languages.offsets": languages.offsets,
            "language_codes": language_codes,
            "first_chunks": offsets_of(sizes.astype(np.int64)).astype(np.int32),
            "versions": self._join(lambda s: s.versions, self.kept),
            "digests": self._join(lambda s: s.digests, self.kept),
            **_named("blocks", self._texts(lambda s: s.blocks, self.kept)),
            **_named("outlines", self._texts(lambda s: s.outlines, self.kept)),
            "file_kinds": self._kinds(whole_paths),
            **self._words(),
            "chunk_files": np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
            "chunk_kinds.data": kinds.data,
            "chunk_kinds.offsets": kinds.offsets,
            "kind_codes": codes,
            "start_lines": self._join(lambda s: s.start_lines, chunks),
            "end_lines": self._join(lambda s: s.end_lines, chunks),
            "lengths": self._join(lambda s: s.lengths, chunks),
            "sizes": self._join(lambda s: s.sizes, chunks),
            "fingerprints": self._join(lambda s: s.fingerprints, chunks),
            "vectors": self._rows(lambda s: s.vectors),
            "scales": self._join(lambda s: s.scales, chunks),
            "signs": self._rows(lambda s: s.signs),
            **self._index("terms", lambda s: s.terms, chunks),
            **self._index("definitions", lambda s: s.definitions, self.kept),
            **self._index("references", lambda s: s.references, self.kept),
            **self._index("stems", lambda s: s.stems, self.kept),
            **self._names(),
        }

    @cached_property
    def _chunk_masks(self) -> list[NDArray[np.bool_]]:
        return [mask[s.chunk_files] for s, mask in zip(self.segments, self.kept, strict=True)]

    def _kinds(self, paths: TextColumn) -> NDArray[np.uint8]:
        kinds = self._join(lambda s: s.file_kinds, self.kept)
        counts = np.concatenate([mask[kept] for mask, kept in zip(self.alive, self.kept, strict=True)])
        kinds[counts] = mark_by_neighbours(
            [paths[at] for at in np.flatnonzero(counts).tolist()], kinds[counts]
        )
        return kinds

    def _join(
        self, column: Callable[[Segment], NDArray[Any]], masks: Sequence[NDArray[np.bool_]]
    ) -> NDArray[Any]:
        return np.concatenate([column(s)[mask] for s, mask in zip(self.segments, masks, strict=True)])

    def _labels(
        self,
        column: Callable[[Segment], tuple[TextColumn, NDArray[np.uint16]]],
        masks: Sequence[NDArray[np.bool_]],
    ) -> tuple[TextColumn, NDArray[np.uint16]]:
        numbers: dict[str, int] = {}
        codes = []
        for segment, mask in zip(self.segments, masks, strict=True):
            values, mine = column(segment)
            known = np.array([numbers.setdefault(value, len(numbers)) for value in values], np.uint16)
            codes.append(known[mine[mask]])
        return TextColumn.of(list(numbers)), np.concatenate(codes)

    def _texts(
        self, column: Callable[[Segment], TextColumn], masks: Sequence[NDArray[np.bool_]]
    ) -> dict[str, Any]:
        pairs = [(column(s), mask) for s, mask in zip(self.segments, masks, strict=True)]
        lengths = np.concatenate([np.diff(texts.offsets)[mask] for texts, mask in pairs])

        def parts() -> Iterator[NDArray[np.uint8]]:
            for texts, mask in pairs:
                for first, last in _runs(mask):
                    yield texts.data[texts.offsets[first] : texts.offsets[last]]

        offsets = offsets_of(lengths)
        return {"data": JoinedArray(np.dtype(np.uint8), (int(offsets[-1]),), parts), "offsets": offsets}

    def _words(self) -> dict[str, NDArray[Any]]:
        terms, sizes, files = [], [], []
        for segment, renumbered in zip(self.segments, _renumber(self.kept), strict=True):
            fresh = renumbered[segment.word_files]
            stays = fresh >= 0
            terms.append(segment.word_terms[stays])
            sizes.append(segment.word_sizes[stays])
            files.append(fresh[stays])
        return {
            "word_terms": np.concatenate(terms),
            "word_sizes": np.concatenate(sizes),
            "word_files": np.concatenate(files),
        }

    def _rows(self, column: Callable[[Segment], NDArray[Any]]) -> JoinedArray:
        """A row for each chunk; zeros for those of segments that could not be embedded."""
        widest = max(map(column, self.segments), key=lambda rows: rows.shape[1])
        count = sum(int(mask.sum()) for mask in self._chunk_masks)

        def parts() -> Iterator[NDArray[Any]]:
            for segment, mask in zip(self.segments, self._chunk_masks, strict=True):
                for first in range(0, len(mask), _ROWS_AT_ONCE):
                    inside = slice(first, first + _ROWS_AT_ONCE)
                    rows = column(segment)[inside][mask[inside]]
                    yield rows if rows.shape[1] else np.zeros((len(rows), widest.shape[1]), widest.dtype)

        return JoinedArray(widest.dtype, (count, widest.shape[1]), parts)

    def _names(self) -> dict[str, NDArray[Any]]:
        found: dict[str, NDArray[Any]] = {}
        put_column(found, "names", NameTables.join([segment.names for segment in self.segments]))
        return found

    def _index(
        self, name: str, column: Callable[[Segment], InvertedIndex], masks: Sequence[NDArray[np.bool_]]
    ) -> dict[str, Writable]:
        joined = JoinedIndex([column(segment) for segment in self.segments], _renumber(masks))
        return {f"{name}.{part}": getattr(joined, part) for part in ("keys", "starts", "owners", "counts")}


def _renumber(masks: Sequence[NDArray[np.bool_]]) -> list[NDArray[np.int32]]:
    """The new numbers of what is marked, counted through; -1 for the rest."""
    found, start = [], 0
    for mask in masks:
        numbers = np.cumsum(mask, dtype=np.int32) + np.int32(start - 1)
        numbers[~mask] = -1
        found.append(numbers)
        start += int(mask.sum())
    return found


def _runs(mask: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """The beginnings and ends of runs of marked numbers, each of at most ``_ROWS_AT_ONCE``."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8))).tolist()
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        for start in range(first, last, _ROWS_AT_ONCE):
            yield start, min(last, start + _ROWS_AT_ONCE)


def _named(name: str, parts: Mapping[str, Writable]) -> dict[str, Writable]:
    return {f"{name}.{part}": column for part, column in parts.items()}


def _whole(column: Writable) -> NDArray[Any]:
    if not isinstance(column, JoinedArray):
        return column
    found = list(column.parts())
    return np.concatenate(found) if found else np.zeros(column.shape, column.dtype)
