"""Which files import which: resolved on demand, remembered for files that stayed the same, both ways round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from contextls.code.imports import PathIndex, resolve
from contextls.memory.outlines import Outline

# When more files than these come at once, every import is looked at again: the sieve below would cost as much.
MOST_NEWCOMERS = 50
# Files that stand for their folder: who means them writes the name of the folder.
_FOLDER_FILES = frozenset({"__init__", "index", "mod", "lib", "main", "package", "init"})
_FRONTS = frozenset({"__init__", "index", "mod", "lib"})

Targets = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Basis:
    """The importers of an earlier graph, and what the files that may have changed imported there."""

    importers: Mapping[str, Targets]
    targets: Mapping[str, Targets]
    other: frozenset[str]  # files that came or went


class ImportGraph:
    """The imports between the files of one moment. Nothing is resolved before it is asked for."""

    def __init__(self, outlines: Mapping[str, Outline], before: ImportGraph | None = None) -> None:
        """``before`` is the graph of an earlier moment: what cannot have changed is taken from there."""
        self._outlines: Mapping[str, Outline] = outlines
        self._targets: dict[str, Targets] = {}
        self._importers: Mapping[str, Targets] | None = None
        self._basis: _Basis | None = None
        self.moved: frozenset[str] | None = None  # files whose imports differ from ``before``'s, once known
        if before is None:
            self.paths = PathIndex(sorted(outlines))
            return
        old = before._outlines
        gone, came = old.keys() - outlines.keys(), outlines.keys() - old.keys()
        self.paths = before.paths.replaced(sorted(gone), sorted(came)) if gone or came else before.paths
        redo = {path for path, outline in outlines.items() if old.get(path) is not outline}
        if gone or came:
            redo |= before._touched(gone, came)
        known = before._targets
        self._targets = {path: known[path] for path in known.keys() - redo - gone}
        if before._importers is not None:
            self._basis = _Basis(
                before._importers,
                {path: known.get(path, ()) for path in sorted(redo | gone)},
                frozenset(gone | came),
            )

    def of(self, path: str) -> Targets:
        """The workspace files that ``path`` imports, in the order of its import statements."""
        known = self._targets.get(path)
        if known is None:
            outline = self._outlines.get(path)
            if outline is None:
                return ()
            found: dict[str, None] = {}
            for item in outline.imports:
                for target in resolve(path, item, outline.language, self.paths):
                    if target != path:
                        found.setdefault(target)
            known = self._targets[path] = tuple(found)
        return known

    def importers(self, path: str) -> Targets:
        """The workspace files that import ``path``, in alphabetical order."""
        return self.settled().get(path, ())

    def sees(self, user: str, path: str) -> bool:
        """Whether ``user`` imports ``path``, by itself or through the file that stands for a package."""
        imported = self.of(user)
        return path in imported or any(_is_front(other) and path in self.of(other) for other in imported)

    def viewers(self, path: str) -> Iterable[str]:
        """The files that see ``path``, nearest first; some may come twice."""
        importers = self.importers(path)
        yield from importers
        for front in filter(_is_front, importers):
            yield from self.importers(front)

    def settled(self) -> Mapping[str, Targets]:
        """The importers of every file that has any."""
        if self._importers is None:
            basis, self._basis = self._basis, None
            self._importers = self._anew() if basis is None else self._updated(basis)
        return self._importers

    def _anew(self) -> Mapping[str, Targets]:
        importers: dict[str, list[str]] = {}
        for source in sorted(self._outlines):
            for target in self.of(source):
                importers.setdefault(target, []).append(source)
        return {target: tuple(sources) for target, sources in importers.items()}

    def _updated(self, basis: _Basis) -> Mapping[str, Targets]:
        importers = dict(basis.importers)
        moved = set(basis.other)
        for source, before in basis.targets.items():
            now = self.of(source)
            if now == before:
                continue
            moved.add(source)
            for target in set(before) - set(now):
                importers[target] = tuple(path for path in importers.get(target, ()) if path != source)
            for target in set(now) - set(before):
                importers[target] = tuple(sorted({*importers.get(target, ()), source}))
        self.moved = frozenset(moved)
        return {target: sources for target, sources in importers.items() if sources}

    def _touched(self, gone: Iterable[str], came: Iterable[str]) -> set[str]:
        """Files whose imports may mean something else when ``gone`` are no longer there and ``came`` are."""
        lost = set(gone)
        touched = {path for path, targets in self._targets.items() if not lost.isdisjoint(targets)}
        newcomers = list(came)
        if len(newcomers) > MOST_NEWCOMERS:
            return set(self._outlines)
        words = {word for path in newcomers for word in _called(path)}
        folders = {path.rpartition("/")[0] for path in newcomers}
        for path, outline in self._outlines.items() if newcomers else ():
            if path.rpartition("/")[0] in folders:
                touched.add(path)
                continue
            text = "\n".join(f"{item.module} {' '.join(item.names)}" for item in outline.imports)
            folded = text.lower().replace("_", "")
            if any(word in folded for word in words):
                touched.add(path)
        return touched


def _is_front(path: str) -> bool:
    """Whether a file stands for its folder and passes on what it imports."""
    return path.rpartition("/")[2].partition(".")[0] in _FRONTS


def _called(path: str) -> set[str]:
    """How an import may call a file: by its name or by its folder's, case and underscores left out."""
    folders, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    named = {folders.rpartition("/")[2]}
    if stem not in _FOLDER_FILES:
        named.add(stem)
    return {word.lower().replace("_", "") for word in named if word}
