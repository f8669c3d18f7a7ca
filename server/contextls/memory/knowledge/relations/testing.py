"""Pairs tests with the files that they test: by how tests are named after these, and by what they import."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from contextls.memory.index.priors import FileKind
from contextls.memory.knowledge.relations.test_names import key_of

if TYPE_CHECKING:
    from contextls.memory.knowledge.relations.imports import ImportGraph

# How sure one can be that a test is about a file.
NAMED_AND_IMPORTED = 1.0
NAMED = 0.8
IMPORTED = 0.5
# A test that imports more files than these is about how they work together; each counts for less.
FEW_IMPORTS = 3
# When a test's name fits more files than these equally well, it tells none of them.
MAX_NAMESAKES = 3

_PLACES = frozenset(
    {"src", "lib", "app", "main", "test", "tests", "spec", "specs", "unit", "__tests__", "java"}
)

_SCRIPTS = frozenset({"js", "jsx", "ts", "tsx", "mjs", "mts", "cjs", "vue", "svelte"})

Pairs = tuple[tuple[str, float], ...]


class TestPairs:
    """Tests and their subjects among the files of one moment, paired when they are asked for."""

    __test__ = False  # its name means the product's word, not a case for pytest

    def __init__(self, imports: ImportGraph, kind: Callable[[str], FileKind | None]) -> None:
        """``kind`` tells what kind of file each is; ``None`` for one that is not there."""
        self._imports = imports
        self._kind = kind
        self._subjects: dict[str, Pairs] = {}

    def is_test(self, path: str) -> bool:
        """Whether ``path`` is a file of tests, judged by its place and name."""
        return self._kind(path) is FileKind.TEST

    def subjects(self, test: str) -> Pairs:
        """The files that the test file ``test`` tests, with how sure that is (0..1), most certain first."""
        found = self._subjects.get(test)
        if found is None:
            found = self._subjects[test] = self._read(test) if self.is_test(test) else ()
        return found

    def tests(self, path: str) -> Pairs:
        """The test files that test ``path``, most certain first."""
        if not self._is_subject(path):
            return ()
        named = filter(self.is_test, self._imports.paths.keyed(key_of(path)))
        near = {*self._imports.importing_tests(path), *named}
        found = [(test, dict(self.subjects(test)).get(path, 0.0)) for test in near]
        return tuple(sorted((pair for pair in found if pair[1]), key=lambda pair: (-pair[1], pair[0])))

    def _read(self, test: str) -> Pairs:
        imported = [path for path in self._imports.of(test) if self._is_subject(path)]
        named = self._namesakes(test)
        share = min(1.0, FEW_IMPORTS / len(imported)) if imported else 1.0
        # What every file imports, no test is about that is not named after it.
        found = {path: IMPORTED * share for path in imported if not self._imports.is_common(path)}
        for path in named:
            found[path] = (NAMED_AND_IMPORTED if path in imported else NAMED) / len(named)
        return tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))

    def _namesakes(self, test: str) -> list[str]:
        """The source files that the name of ``test`` fits, the nearest by folder only."""
        key, ending = key_of(test), _ending(test)
        alike = sorted(path for path in self._imports.paths.keyed(key) if self._is_subject(path))
        same = [path for path in alike if key_of(path) == key and _ending(path) == ending]
        nearness = {path: _nearness(test, path) for path in same}
        best = max(nearness.values(), default=0)
        nearest = [path for path in same if nearness[path] == best]
        return nearest if len(nearest) <= MAX_NAMESAKES else []

    def _is_subject(self, path: str) -> bool:
        return self._kind(path) in (FileKind.SOURCE, FileKind.LEGACY)


def _ending(path: str) -> str:
    """The family of a file's language: ``.ts`` and ``.js`` test one another, and the components of Vue and Svelte."""
    ending = path.rpartition(".")[2].lower()
    return "js" if ending in _SCRIPTS else ending


def _nearness(test: str, path: str) -> int:
    """The number of folder names that the two have in common, folders that only say "code" or "tests" left out."""
    ours, theirs = (
        [part.lower() for part in one.split("/")[:-1] if part.lower() not in _PLACES] for one in (test, path)
    )
    return len(set(ours) & set(theirs)) * 2 - len(set(theirs) - set(ours))
