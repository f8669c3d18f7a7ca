"""The imports between files at one moment: read from a table of an earlier one, resolved where something changed since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from contextls.code.imports import Found, resolve
from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.memory.index.snapshot.stored_outlines import outline_at
from contextls.memory.knowledge.relations.import_table import Difference, ImportTable, Targets
from contextls.memory.knowledge.relations.import_words import (
    NAMELESS,
    is_front,
    may_lead_to,
    words_for,
)
from contextls.memory.knowledge.relations.known_paths import KnownPaths

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The files that each process resolves again, in a hundredth of a second, before a new table is worth writing.
MAX_UNSETTLED = 64
# A file imported by at least MIN_COMMON others (tests aside) and by this share of all files is common to the workspace and
# ties no two files together.
MIN_COMMON, COMMON = 20, 0.2


class ImportGraph:
    """The imports between the files of one moment. Nothing is resolved before it is asked for."""

    def __init__(
        self,
        files: SegmentSet,
        outlines: Mapping[str, Outline],
        table: ImportTable,
        before: ImportGraph | None = None,
    ) -> None:
        """``before`` is the graph of an earlier moment: what cannot have changed since is taken from it."""
        self.table = table
        self.difference: Difference = table.compare(files)
        self._files = files
        self._outlines = outlines
        fresh, gone = self.difference.fresh, self.difference.gone
        came = {path for path in fresh if table.find(path) < 0} if len(table) else fresh.keys()
        if before is not None and before.table is not table:
            before = None
        self.paths: KnownPaths = KnownPaths(table, gone, came, before.paths if before is not None else None)
        self.unsettled: frozenset[str] = frozenset(fresh.keys() | self._find_touched() - gone)
        self._resolved: dict[str, Targets] = {}
        self._found: Found = {}
        if before is not None and (before.paths.came, before.difference.gone) == (self.paths.came, gone):
            known = before.difference.fresh
            self._resolved = {
                path: targets
                for path, targets in before._resolved.items()
                if path in self.unsettled and _version(known, path) == _version(fresh, path)
            }

    def of(self, path: str) -> Targets:
        """The workspace files that ``path`` imports, in the order of its import statements."""
        known = self._resolved.get(path)
        if known is not None:
            return known
        if path in self.unsettled:
            found = self._resolved[path] = self._resolve(path)
            return found
        return self._stored(path)

    def importers(self, path: str) -> Targets:
        """The workspace files that import ``path``, in alphabetical order."""
        number = self.table.find(path)
        stored = self.table.importers_of(number) if number >= 0 else ()
        if not (self.unsettled or self.difference.gone):
            return stored
        gone = self.difference.gone
        kept = [other for other in stored if other not in self.unsettled and other not in gone]
        return tuple(sorted([*kept, *self._resolved_importers.get(path, ())]))

    def importing_tests(self, path: str) -> list[str]:
        """The ``importers`` that are tests; a header may have thousands of others, which are not read."""
        number = self.table.find(path)
        stored = self._stored_tests(number) if number >= 0 else []
        if not (self.unsettled or self.difference.gone):
            return stored
        gone = self.difference.gone
        kept = [other for other in stored if other not in self.unsettled and other not in gone]
        return [*kept, *filter(self._is_test, self._resolved_importers.get(path, ()))]

    def _stored_tests(self, number: int) -> list[str]:
        importers = self.table.importer_numbers(number)
        kinds = self._kinds[importers]
        tests = importers[kinds == KINDS.index(FileKind.TEST)]
        # Where these lie now is not known to the table; a path is of one kind wherever its file lies.
        moved = map(self.table.paths.__getitem__, importers[kinds == len(KINDS)].tolist())
        return [*map(self.table.paths.__getitem__, tests.tolist()), *filter(self._is_test, moved)]

    def _is_test(self, path: str) -> bool:
        return self._files.kind(path) is FileKind.TEST

    @cached_property
    def _kinds(self) -> NDArray[np.uint8]:
        return self.table.kinds_in(self._files)

    def known_importers(self, path: str) -> Targets | None:
        """As ``importers``; ``None`` where they are not known and the imports of many files would have to be resolved."""
        if len(self.unsettled) > MAX_UNSETTLED and "_resolved_importers" not in vars(self):
            return None
        return self.importers(path)

    def is_common(self, path: str) -> bool:
        """Whether nearly every file imports ``path``, as the one header of a program in C."""
        importers = self.known_importers(path) or ()
        least = max(MIN_COMMON, COMMON * len(self._files.paths))
        return len(importers) >= least and len(importers) - len(self.importing_tests(path)) >= least

    def visible(self, user: str) -> Iterator[str]:
        """The files that ``user`` imports, by itself or through a file that stands for a package; some may come twice."""
        for path in self.of(user):
            yield path
            if is_front(path):
                yield from self.of(path)

    def fronts_to(self, user: str, path: str) -> Iterator[str]:
        """The files standing for a package that ``user`` imports and that import ``path``."""
        for front in filter(is_front, self.of(user)):
            if path in self.of(front):
                yield front

    @cached_property
    def drift(self) -> int:
        """The number of files that came, went or import something else than the table says."""
        known = (
            path for path in self.unsettled if path in self.paths.came or self.of(path) != self._stored(path)
        )
        return len(self.difference.gone) + sum(1 for _ in known)

    @cached_property
    def _resolved_importers(self) -> Mapping[str, list[str]]:
        """The importers of each file, among the files that the table does not know."""
        found: dict[str, list[str]] = {}
        for source in self.unsettled:
            for target in self.of(source):
                found.setdefault(target, []).append(source)
        return found

    def _stored(self, path: str) -> Targets:
        number = self.table.find(path)
        return () if number < 0 or path in self.difference.gone else self.table.targets_of(number)

    def outline_of(self, path: str) -> Outline:
        """The outline of a file that is there."""
        spot = self.difference.fresh.get(path)  # spares the search among tens of thousands
        return (
            self._outlines[path] if spot is None else outline_at(self._files.segments[spot.at], spot.number)
        )

    def _resolve(self, path: str) -> Targets:
        outline = self.outline_of(path)
        paths = self.paths.quickest
        found: dict[str, None] = {}
        for item in outline.imports:
            for target in resolve(path, item, outline.language, paths, found_before=self._found):
                if target != path:
                    found.setdefault(target)
        return tuple(found)

    def _find_touched(self) -> set[str]:
        """Files of the table whose imports may mean something else now that files came and went."""
        table = self.table
        touched: set[str] = set()
        if not len(table):
            return touched
        words: set[str] = set()
        for folder, inside in _by_folder(self.difference.gone).items():
            for path in inside:
                touched.update(table.importers_of(table.find(path)))
            if not self.paths.files_of(folder):
                words.update(words_for(inside[0], "", alone=True))
        for folder, inside in _by_folder(self.paths.came).items():
            alone = not table.owners(table.homes, folder)
            for path in inside:
                words.update(words_for(path, self.outline_of(path).language, alone=alone))
        for word in words:
            touched.update(table.owners(table.words, word))
        if self.paths.came:
            nameless = table.owners(table.words, NAMELESS)
            touched.update(
                other for other in nameless if any(may_lead_to(other, path) for path in self.paths.came)
            )
        return touched


def _by_folder(paths: Iterable[str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(path.rpartition("/")[0], []).append(path)
    return found


def _version(fresh: Mapping[str, object], path: str) -> object:
    return getattr(fresh.get(path), "version", None)
