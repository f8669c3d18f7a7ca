"""Which files import which: resolved on demand, remembered for files that stayed the same, both ways round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from contextls.code.imports import PathIndex, resolve
from contextls.code.languages import default_languages
from contextls.memory.index.outlines import Outline
from contextls.memory.index.stored_outlines import changed_paths

# When more files than these come at once, every import is looked at again: the sieve below would cost as much.
MAX_NEWCOMERS = 50
# Files that stand for their folder: who means them writes its name, and they pass on what they import.
_FRONTS = frozenset({"__init__", "index", "mod", "lib", "main", "package", "init"})

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
        self._moved: frozenset[str] | None = None
        if before is None or not before._outlines:
            self.paths = PathIndex(sorted(outlines))
            return
        old = before._outlines
        changed = changed_paths(old, outlines)
        gone = {path for path in changed if path not in outlines}
        came = {path for path in changed if path not in old}
        self.paths = before.paths.replace(sorted(gone), sorted(came)) if gone or came else before.paths
        redo = changed - gone
        if gone or came:
            redo |= before._find_touched(gone, came, outlines)
        known = before._targets
        self._targets = dict(known)
        for path in redo | gone:
            self._targets.pop(path, None)
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
        return self.settle().get(path, ())

    def known_importers(self, path: str) -> Targets | None:
        """As ``importers``; ``None`` where they are not known and the imports of every file would have to be resolved."""
        if self._importers is None and self._basis is None:
            return None
        return self.importers(path)

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

    def find_changes(self) -> frozenset[str] | None:
        """The files that came, went or import something else than before; ``None`` when there is nothing to compare with."""
        self.settle()
        return self._moved

    def settle(self) -> Mapping[str, Targets]:
        """The importers of every file that has any."""
        if self._importers is None:
            basis, self._basis = self._basis, None
            self._importers = self._anew() if basis is None else self._update(basis)
        return self._importers

    def _anew(self) -> Mapping[str, Targets]:
        importers: dict[str, list[str]] = {}
        for source in sorted(self._outlines):
            for target in self.of(source):
                importers.setdefault(target, []).append(source)
        return {target: tuple(sources) for target, sources in importers.items()}

    def _update(self, basis: _Basis) -> Mapping[str, Targets]:
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
        self._moved = frozenset(moved)
        return {target: sources for target, sources in importers.items() if sources}

    def _find_touched(
        self, gone: Iterable[str], came: Iterable[str], outlines: Mapping[str, Outline]
    ) -> set[str]:
        """Files whose imports may mean something else when ``gone`` are no longer there and ``came`` are."""
        lost = set(gone)
        touched = {path for path, targets in self._targets.items() if not lost.isdisjoint(targets)}
        newcomers = list(came)
        if len(newcomers) > MAX_NEWCOMERS:
            return set(outlines)
        meant = _meaning([(path, outlines[path].language) for path in newcomers])
        fronts = {path.rpartition("/")[0] for path in newcomers if is_front(path)}
        for path, outline in outlines.items():
            if meant is None:
                break
            if path.rpartition("/")[0] in fronts:
                touched.add(path)
                continue
            text = "\n".join(f"{item.module} {' '.join(item.names)}" for item in outline.imports)
            if text and meant.search(text.lower().replace("_", "")):
                touched.add(path)
        return touched


def _meaning(files: Sequence[tuple[str, str]]) -> re.Pattern[str] | None:
    """The form of an import that may mean one of ``files`` (path and language), lower case and without underscores."""
    words = set()
    for path, language in files:
        folders, _, name = path.rpartition("/")
        facts = default_languages().facts(language)
        if is_front(path) or (facts is not None and facts.imports.whole_folder):
            words.add(folders.rpartition("/")[2])
        words.add(name.partition(".")[0])
    spelt = {re.escape(word.lower().replace("_", "")) for word in words} - {""}
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(sorted(spelt))})(?![a-z0-9])") if spelt else None


def is_front(path: str) -> bool:
    """Whether a file stands for its folder and passes on what it imports."""
    return path.rpartition("/")[2].partition(".")[0] in _FRONTS
