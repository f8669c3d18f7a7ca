"""The imports between the files of one moment as columns: resolved once, mapped by every process, read where it looks.

A table says of what it was made. A reader with files of a later moment compares the two, and resolves what differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import Struct, field

from contextls.memory.index.segments.arrays import put_column, take_column
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.segments.recent_values import RecentValues
from contextls.memory.index.terms import hash_term
from contextls.store.inverted_index import InvertedIndex
from contextls.store.texts import TextColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from contextls.memory.index.snapshot.segment_set import SegmentSet

RECENT_FILES = 4096
Targets = tuple[str, ...]


class Spot(NamedTuple):
    """A file of a set: which of its segments holds it, the id of that (0 of one in memory alone), number and version."""

    at: int
    segment: int
    number: int
    version: int


class Difference(Struct, frozen=True, dict=True):
    """The difference of files from those of a table: ``fresh`` ones came or changed, others are gone or only moved."""

    fresh: Mapping[str, Spot]
    gone: frozenset[str]
    moved: Mapping[str, Spot]


class ImportTable(Struct, frozen=True, eq=False, dict=True):
    """The imports of files (n), which are numbered; ``path_order`` has the numbers in the order of the paths.

    File ``f`` was ``numbers[f]`` in the segment ``segment_ids[segments[f]]``, with the content that ``versions[f]`` tells.
    It imports ``targets[target_starts[f]:target_starts[f + 1]]``, in the order of its statements; ``importers`` and
    ``importer_starts`` are the same the other way round, in the order of the paths. ``ranks`` are how central files are.
    Owned by files, by their hashes: ``words`` of their imports, ``tails`` of their paths (the last part, the last two),
    ``homes`` (the folder), ``keys`` (what a test and its subject have in common). ``folders`` are those that hold files,
    owners of their last part in ``folder_names``.
    """

    paths: TextColumn
    path_order: NDArray[np.int32]
    versions: NDArray[np.int64]
    segment_ids: NDArray[np.int64]
    segments: NDArray[np.int32]
    numbers: NDArray[np.int32]
    target_starts: NDArray[np.int64]
    targets: NDArray[np.int32]
    importer_starts: NDArray[np.int64]
    importers: NDArray[np.int32]
    ranks: NDArray[np.float64]
    words: InvertedIndex
    tails: InvertedIndex
    homes: InvertedIndex
    keys: InvertedIndex
    folders: TextColumn
    folder_names: InvertedIndex
    name: str = ""  # of the file that it is mapped from; "" of one in memory alone
    _recent_targets: RecentValues[Targets] = field(default_factory=lambda: RecentValues(RECENT_FILES))

    def __len__(self) -> int:
        return len(self.versions)

    def find(self, path: str) -> int:
        """The number of a file, -1 for one that is not in the table."""
        found = self.paths.find(path.encode("utf-8", "replace"), self.path_order)
        return found[0] if found else -1

    def targets_of(self, number: int) -> Targets:
        """The files that a file imports, in the order of its import statements."""
        return self._recent_targets.get(number, self._read_targets)

    def importers_of(self, number: int) -> Targets:
        """The files that import a file, in alphabetical order."""
        return tuple(self.paths.some(self.importer_numbers(number)))

    def importer_numbers(self, number: int) -> NDArray[np.int32]:
        """The numbers of the files that import a file."""
        first, last = self.importer_starts[number : number + 2].tolist()
        return self.importers[first:last]

    def kinds_in(self, files: SegmentSet) -> NDArray[np.uint8]:
        """The kind of each file as a position in ``KINDS``; beyond these where it lies in no segment of ``files``."""
        kinds = np.full(len(self), len(KINDS), np.uint8)
        for segment in files.segments:
            mine = self._files_in.get(segment.id) if segment.id else None
            if mine is not None:
                kinds[mine] = segment.file_kinds[self.numbers[mine]]
        return kinds

    def owners(self, index: InvertedIndex, word: str) -> list[str]:
        """The paths of the files that own ``word`` in an index, and now and then of one that owns another word."""
        return self.paths.some(index.owners[index.run(hash_term(word))])

    def folders_called(self, name: str) -> list[str]:
        """The folders whose last part is ``name``, and now and then another one."""
        return self.folders.some(self.folder_names.owners[self.folder_names.run(hash_term(name))])

    def compare(self, files: SegmentSet) -> Difference:
        """Compare ``files`` with those of the table. Costs as much as differs, however many there are."""
        stale, fresh = self._split(files)
        before = {self.paths[number]: int(self.versions[number]) for number in stale}
        moved = {path: spot for path, spot in fresh.items() if before.get(path) == spot.version}
        changed = {path: spot for path, spot in fresh.items() if path not in moved}
        return Difference(changed, frozenset(before.keys() - fresh.keys()), moved)

    def _split(self, files: SegmentSet) -> tuple[list[int], dict[str, Spot]]:
        """The numbers of the files that are not where they were, and the files that lie where there was none."""
        stale: list[int] = []
        fresh: dict[str, Spot] = {}
        seen = set()
        for at, (segment, mask) in enumerate(zip(files.segments, files.alive, strict=True)):
            new = mask
            mine = self._files_in.get(segment.id) if segment.id else None
            if mine is not None:
                seen.add(segment.id)
                there = self.numbers[mine]
                same = mask[there] & (segment.versions[there] == self.versions[mine])
                stale += mine[~same].tolist()
                new = mask.copy()
                new[there[same]] = False
            for number in np.flatnonzero(new).tolist():
                fresh[segment.paths[number]] = Spot(at, segment.id, number, int(segment.versions[number]))
        for number, mine in self._files_in.items():
            if number not in seen:
                stale += mine.tolist()
        return stale, fresh

    @cached_property
    def _files_in(self) -> Mapping[int, NDArray[np.int64]]:
        """The files of each segment."""
        order = np.argsort(self.segments, kind="stable")
        bounds = np.searchsorted(self.segments[order], np.arange(len(self.segment_ids) + 1)).tolist()
        return {int(number): order[bounds[at] : bounds[at + 1]] for at, number in enumerate(self.segment_ids)}

    def _read_targets(self, number: int) -> Targets:
        first, last = self.target_starts[number : number + 2].tolist()
        return tuple(self.paths.some(self.targets[first:last]))


_COLUMNS = {
    name: kind
    for name, kind in ImportTable.__annotations__.items()
    if kind not in ("str", "RecentValues[Targets]")
}


def to_arrays(table: ImportTable) -> dict[str, NDArray[Any]]:
    """The columns of a table as named arrays."""
    arrays: dict[str, NDArray[Any]] = {}
    for name in _COLUMNS:
        put_column(arrays, name, getattr(table, name))
    return arrays


def from_arrays(arrays: Mapping[str, NDArray[Any]], name: str) -> ImportTable:
    """The table of these columns, which are those of the file ``name``.

    Raises ``LookupError`` or ``ValueError`` when they make no sense.
    """
    values: dict[str, Any] = {column: take_column(arrays, column, kind) for column, kind in _COLUMNS.items()}
    table = ImportTable(**values, name=name)
    per_file = (table.path_order, table.segments, table.numbers, table.ranks)
    ends = (table.target_starts, table.importer_starts)
    files = len(table.paths)
    if {files} != {len(column) for column in (table.versions, *per_file)} or {files + 1} != {
        len(column) for column in ends
    }:
        raise ValueError("its columns are of different lengths")
    return table


def empty_table() -> ImportTable:
    """A table of no files."""
    whole, long, starts = np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(1, np.int64)
    none = InvertedIndex.of(np.zeros(0, np.uint32), whole)
    return ImportTable(
        paths=TextColumn.of([]),
        path_order=whole,
        versions=long,
        segment_ids=long,
        segments=whole,
        numbers=whole,
        target_starts=starts,
        targets=whole,
        importer_starts=starts,
        importers=whole,
        ranks=np.zeros(0, np.float64),
        words=none,
        tails=none,
        homes=none,
        keys=none,
        folders=TextColumn.of([]),
        folder_names=none,
    )
