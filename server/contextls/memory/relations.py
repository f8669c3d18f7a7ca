"""Relations: typed, weighted edges between files and symbols, walked outwards from what a question is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from contextls.code.imports import PathIndex, resolve
from contextls.memory.snapshot import Snapshot

# A hub (a module that everything imports) would fill the walk with edges that say nothing.
MOST_EDGES_PER_NODE = 8
DECAY_PER_STEP = 0.5


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge from ``source`` to ``target`` (entity ids). ``weight`` in 0..1 falls with the distance from the start."""

    source: str
    target: str
    type: str
    weight: float

    @property
    def id(self) -> str:
        """Stable within a workspace."""
        return f"{self.source} {self.type} {self.target}"


class RelationGraph:
    """The imports between the files of one snapshot, resolved on demand and remembered."""

    def __init__(self, snapshot: Snapshot, before: RelationGraph | None = None) -> None:
        """Nothing is resolved before a walk asks for it.

        ``before`` is the graph of an earlier snapshot: while no file came or went, files whose outline is the same keep
        what was resolved for them.
        """
        self._snapshot = snapshot
        self._imports: dict[str, tuple[str, ...]] = {}
        self._importers: dict[str, list[str]] | None = None
        self._index: PathIndex
        if before is not None and before._snapshot.outlines.keys() == snapshot.outlines.keys():
            self._index = before._index
            old = before._snapshot.outlines
            self._imports = {
                path: targets
                for path, targets in before._imports.items()
                if snapshot.outlines[path] is old[path]
            }
        else:
            self._index = PathIndex(snapshot.outlines.keys())

    def imports(self, path: str) -> tuple[str, ...]:
        """The workspace files that ``path`` imports."""
        known = self._imports.get(path)
        if known is None:
            outline = self._snapshot.outlines.get(path)
            if outline is None:
                return ()
            targets: dict[str, None] = {}
            for item in outline.imports:
                for target in resolve(path, item, outline.language, self._index):
                    if target != path:
                        targets.setdefault(target)
            known = self._imports[path] = tuple(targets)
        return known

    def prepare(self) -> None:
        """Resolve every import now, so that no question waits for it."""
        self.importers("")

    def importers(self, path: str) -> tuple[str, ...]:
        """The workspace files that import ``path``."""
        if self._importers is None:
            importers: dict[str, list[str]] = {}
            for source in sorted(self._snapshot.outlines):
                for target in self.imports(source):
                    importers.setdefault(target, []).append(source)
            self._importers = importers
        return tuple(self._importers.get(path, ()))

    def walk(self, starts: Sequence[str], depth: int) -> list[Relation]:
        """Breadth first from entity ids ``starts``, ``depth`` steps far; each edge once, nearest first."""
        seen = set(starts)
        found: dict[str, Relation] = {}
        frontier = list(starts)
        for step in range(depth):
            following: list[str] = []
            for node in frontier:
                for relation in self._edges(node, DECAY_PER_STEP**step):
                    if relation.id not in found:
                        found[relation.id] = relation
                    other = relation.target if relation.source == node else relation.source
                    if other not in seen:
                        seen.add(other)
                        following.append(other)
            frontier = following
        return list(found.values())

    def _edges(self, node: str, weight: float) -> Iterable[Relation]:
        path, _, qualified = node.partition("#")
        if qualified:
            yield Relation(path, node, "defines", weight)
            yield from self._references(node, qualified, weight)
            return
        for target in self.imports(path)[:MOST_EDGES_PER_NODE]:
            yield Relation(path, target, "imports", 0.9 * weight)
        for source in self.importers(path)[:MOST_EDGES_PER_NODE]:
            yield Relation(source, path, "imports", 0.7 * weight)

    def _references(self, node: str, qualified: str, weight: float) -> Iterable[Relation]:
        """Files that use the name and can see its file: those that import it, or live in the same folder."""
        path = node.partition("#")[0]
        name = qualified.rsplit(".", 1)[-1]
        importers = set(self.importers(path))
        folder = path.rpartition("/")[0]
        users = [
            other
            for other, outline in self._snapshot.outlines.items()
            if other != path
            and name in outline.references
            and (other in importers or other.rpartition("/")[0] == folder)
        ]
        for user in sorted(users)[:MOST_EDGES_PER_NODE]:
            yield Relation(user, node, "references", 0.8 * weight)
