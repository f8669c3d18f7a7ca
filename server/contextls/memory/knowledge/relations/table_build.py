"""From the imports of one moment to a table of them; what an earlier table has of files that stayed is taken over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.memory.index.terms import invert_words
from contextls.memory.knowledge.relations.centrality import file_centrality
from contextls.memory.knowledge.relations.import_table import Difference, ImportTable
from contextls.memory.knowledge.relations.import_words import words_of
from contextls.memory.knowledge.relations.imports import ImportGraph
from contextls.memory.knowledge.relations.test_names import key_of
from contextls.store.inverted_index import InvertedIndex
from contextls.store.joined_index import JoinedIndex
from contextls.store.texts import TextColumn, offsets_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


class _Numbering(Struct, frozen=True, eq=False):
    """The numbers of the files in the new table: first those that stay, in their order, then the fresh ones by path.

    ``stays`` says of each file of the ``old`` table whether it does, ``kept`` is its new number then, else -1.
    """

    old: ImportTable
    stays: NDArray[np.bool_]
    kept: NDArray[np.int32]
    fresh: Mapping[str, int]

    @staticmethod
    def of(old: ImportTable, change: Difference) -> _Numbering:
        """Number the files that ``old`` has after ``change``."""
        stays = np.ones(len(old), np.bool_)
        for path in chain(change.gone, change.fresh):
            if (number := old.find(path)) >= 0:
                stays[number] = False
        kept = np.where(stays, np.cumsum(stays, dtype=np.int32) - 1, -1).astype(np.int32)
        first = int(stays.sum())
        return _Numbering(
            old, stays, kept, {path: first + at for at, path in enumerate(sorted(change.fresh))}
        )

    def find(self, path: str) -> int:
        """The new number of a file."""
        number = self.fresh.get(path)
        return int(self.kept[self.old.find(path)]) if number is None else number

    def renumber_all(self) -> NDArray[np.int32]:
        """As ``kept``, with the files that have other content now."""
        numbers = self.kept.copy()
        for path, number in self.fresh.items():
            if (before := self.old.find(path)) >= 0:
                numbers[before] = number
        return numbers

    def extend(self, index: InvertedIndex, owned: Iterable[Iterable[str]]) -> InvertedIndex:
        """``index`` by the new numbers, with what the fresh files own."""
        fresh = np.fromiter(self.fresh.values(), np.int32, len(self.fresh))
        return JoinedIndex([index, invert_words(owned)], [self.kept, fresh]).whole()


def build_table(graph: ImportGraph) -> ImportTable:
    """The table of the files of ``graph``: first those that its own table has, then the others."""
    old, change = graph.table, graph.difference
    numbering = _Numbering.of(old, change)
    fresh = list(numbering.fresh)
    paths = TextColumn.join([_select(old.paths, numbering.stays), TextColumn.of(fresh)])
    order = paths.sort()
    words = []
    for path in fresh:
        graph.of(path)  # while its outline is at hand
        words.append(words_of(graph.outline_of(path)))
    versions = _longs(change.fresh[path].version for path in fresh)
    segment_ids, segments, places = _places(graph, numbering)
    sources, targets = _edges(graph, numbering)
    importers, ranks = _importers_and_ranks(order, sources, targets)
    folders = sorted({_folder(path) for path in paths})
    return ImportTable(
        paths=paths,
        path_order=order,
        versions=np.concatenate([old.versions[numbering.stays], versions]),
        segment_ids=segment_ids,
        segments=segments,
        numbers=places,
        target_starts=_starts(sources, len(paths)),
        targets=targets,
        importer_starts=_starts(targets, len(paths)),
        importers=importers,
        ranks=ranks,
        words=numbering.extend(old.words, words),
        tails=numbering.extend(old.tails, map(_tails, fresh)),
        homes=numbering.extend(old.homes, [(_folder(path),) for path in fresh]),
        keys=numbering.extend(old.keys, [(key_of(path),) for path in fresh]),
        folders=TextColumn.of(folders),
        folder_names=invert_words([(folder.rpartition("/")[2],) for folder in folders]),
    )


def _importers_and_ranks(
    order: NDArray[np.int32], sources: NDArray[np.int32], targets: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The importing files, those of one file side by side and in the order of their paths; how central each file is."""
    places = np.zeros(len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    ranks = np.zeros(len(order), np.float64)
    ranks[order] = file_centrality(len(order), places[sources], places[targets])
    return sources[np.lexsort((places[sources], targets))], ranks


def _places(
    graph: ImportGraph, numbering: _Numbering
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """The ids of the segments, and for each file which of them holds it, and at which number."""
    old, change = graph.table, graph.difference
    stays = numbering.stays
    spots = [change.fresh[path] for path in numbering.fresh]
    ids = np.concatenate([old.segment_ids[old.segments[stays]], _longs(spot.segment for spot in spots)])
    numbers = np.concatenate([old.numbers[stays], _longs(spot.number for spot in spots)]).astype(np.int32)
    for path, spot in change.moved.items():
        at = numbering.find(path)
        ids[at], numbers[at] = spot.segment, spot.number
    segment_ids, segments = np.unique(ids, return_inverse=True)
    return segment_ids, segments.astype(np.int32), numbers


def _edges(graph: ImportGraph, numbering: _Numbering) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The imports by the new numbers: sources ascend, the targets of each are in the order of its statements."""
    old, find, numbers = graph.table, numbering.find, numbering.renumber_all()
    settled = numbers.copy()
    for path in graph.unsettled:
        if (number := old.find(path)) >= 0:
            settled[number] = -1
    sources = np.repeat(settled, np.diff(old.target_starts))
    stays = sources >= 0
    pairs = [(find(path), find(target)) for path in graph.unsettled for target in graph.of(path)]
    newer = np.array(pairs, np.int32).reshape(-1, 2)
    sources = np.concatenate([sources[stays], newer[:, 0]])
    targets = np.concatenate([numbers[old.targets[stays]], newer[:, 1]])
    order = np.argsort(sources, kind="stable")
    return sources[order], targets[order]


def _starts(owners: NDArray[np.int32], count: int) -> NDArray[np.int64]:
    return offsets_of(np.bincount(owners, minlength=count).astype(np.int64))


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _tails(path: str) -> tuple[str, ...]:
    parts = path.rsplit("/", 2)
    return parts[-1], "/".join(parts[-2:])


def _select(texts: TextColumn, mask: NDArray[np.bool_]) -> TextColumn:
    lengths = np.diff(texts.offsets)
    return TextColumn(texts.data[np.repeat(mask, lengths)], offsets_of(lengths[mask]))


def _longs(values: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(values, np.int64)
