"""Which tests test which files: by how tests are named after what they test, and by what they import."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from contextls.memory.index.priors import FileKind, file_kind

# How sure one can be that a test is about a file.
NAMED_AND_IMPORTED = 1.0
NAMED = 0.8
IMPORTED = 0.5
# A test that imports more files than these is about how they work together; each counts for less.
FEW_IMPORTS = 3
# When a test's name fits more files than these equally well, it tells none of them.
MAX_NAMESAKES = 3

_MARKS = re.compile(r"^tests?(?=[-_.A-Z])|[-_.]?(?:tests?|specs?|unittest|testcase|it)$", re.IGNORECASE)
_CAMEL_MARK = re.compile(r"(?<=[a-z0-9])(?:Tests?|Spec|TestCase|IT)$")
_PLACES = frozenset(
    {"src", "lib", "app", "main", "test", "tests", "spec", "specs", "unit", "__tests__", "java"}
)

Pairs = tuple[tuple[str, float], ...]


class TestPairs:
    """Tests and their subjects among the files of one moment."""

    __test__ = False  # its name means the product's word, not a case for pytest

    def __init__(
        self,
        paths: Collection[str],
        imports: Callable[[str], tuple[str, ...]],
        moved: Callable[[], Collection[str] | None],
        before: TestPairs | None = None,
        kinds: Callable[[], Mapping[str, FileKind]] = dict,
    ) -> None:
        """``imports`` gives the workspace files that a file imports.

        ``moved`` gives the files that came, went or import something else since ``before``; ``None`` when that is not known.
        ``kinds`` gives those of the files that are told already.
        """
        self._imports = imports
        self._moved = moved
        # One that nobody asked anything has nothing to give, and would keep all before it alive.
        self._before: TestPairs | None = before if before is not None and before._before is None else None
        self._named: Mapping[str, list[str]] | None = None
        self._subjects: dict[str, Pairs] = {}
        self._tests: Mapping[str, Pairs] | None = None
        known: Mapping[str, FileKind] = before._kinds if before is not None else {}
        self._kinds: Mapping[str, FileKind] = known
        if known.keys() == set(paths):
            self._named = before._named if before is not None else None
        else:
            known = kinds() or known
            self._kinds = {path: known.get(path) or file_kind(path) for path in paths}

    def is_test(self, path: str) -> bool:
        """Whether ``path`` is a file of tests, judged by its place and name."""
        return self._kinds.get(path) is FileKind.TEST

    def subjects(self, test: str) -> Pairs:
        """The files that the test file ``test`` tests, with how sure that is (0..1), most certain first."""
        self._take_over()
        found = self._subjects.get(test)
        if found is None:
            found = self._subjects[test] = self._read(test) if self.is_test(test) else ()
        return found

    def tests(self, path: str) -> Pairs:
        """The test files that test ``path``, most certain first."""
        self._take_over()
        if self._tests is None:
            tests: dict[str, list[tuple[str, float]]] = {}
            for test in sorted(path for path in self._kinds if self.is_test(path)):
                for subject, certainty in self.subjects(test):
                    tests.setdefault(subject, []).append((test, certainty))
            self._tests = {
                subject: tuple(sorted(found, key=lambda pair: (-pair[1], pair[0])))
                for subject, found in tests.items()
            }
        return self._tests.get(path, ())

    def _take_over(self) -> None:
        """Keep the pairs of before that nothing since can have changed."""
        before, self._before = self._before, None
        moved = self._moved() if before is not None else None
        if before is None or moved is None:
            return
        if not moved:
            self._subjects, self._tests = before._subjects, before._tests
            return
        keys = {_key(path) for path in moved}
        self._subjects = {
            test: pairs
            for test, pairs in before._subjects.items()
            if test in self._kinds and test not in moved and _key(test) not in keys
        }

    def _read(self, test: str) -> Pairs:
        imported = [path for path in self._imports(test) if self._is_subject(path)]
        named = self._namesakes(test)
        share = min(1.0, FEW_IMPORTS / len(imported)) if imported else 1.0
        found = dict.fromkeys(imported, IMPORTED * share)
        for path in named:
            found[path] = (NAMED_AND_IMPORTED if path in found else NAMED) / len(named)
        return tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))

    def _namesakes(self, test: str) -> list[str]:
        """The source files that the name of ``test`` fits, the nearest by folder only."""
        if self._named is None:
            named: dict[str, list[str]] = {}
            for path in sorted(self._kinds):
                if self._is_subject(path):
                    named.setdefault(_key(path), []).append(path)
            self._named = named
        ending = _ending(test)
        same = [path for path in self._named.get(_key(test), ()) if _ending(path) == ending]
        nearness = {path: _nearness(test, path) for path in same}
        best = max(nearness.values(), default=0)
        nearest = [path for path in same if nearness[path] == best]
        return nearest if len(nearest) <= MAX_NAMESAKES else []

    def _is_subject(self, path: str) -> bool:
        return self._kinds.get(path) in (FileKind.SOURCE, FileKind.LEGACY)


def _key(path: str) -> str:
    """``tests/test_cart.py``, ``CartTest.java``, ``cart.spec.ts`` -> ``cart``; case and underscores left out."""
    stem = path.rpartition("/")[2].partition(".")[0]
    full = path.rpartition("/")[2].rpartition(".")[0] or stem
    bare = _CAMEL_MARK.sub("", full)
    if bare == full:
        bare = _MARKS.sub("", full) if full.lower() not in ("test", "tests", "spec") else full
    return (bare.partition(".")[0] or full).strip("-_").replace("_", "").replace("-", "").lower()


def _ending(path: str) -> str:
    """The family of a file's language: ``.ts``, ``.tsx``, ``.js`` and ``.jsx`` test one another."""
    ending = path.rpartition(".")[2].lower()
    return "js" if ending in {"js", "jsx", "ts", "tsx", "mjs", "mts", "cjs"} else ending


def _nearness(test: str, path: str) -> int:
    """How many folder names the two have in common, folders that only say "code" or "tests" left out."""
    ours, theirs = (
        [part.lower() for part in one.split("/")[:-1] if part.lower() not in _PLACES] for one in (test, path)
    )
    return len(set(ours) & set(theirs)) * 2 - len(set(theirs) - set(ours))
