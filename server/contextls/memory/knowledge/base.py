"""Knowledge of a workspace beyond its text: entities and relations as one value that a question works on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from contextls.memory.index.query.places import Place
from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.knowledge.entities.catalogue import TASK_ID, Catalogue
from contextls.memory.knowledge.entities.event_stats import EventStatsReader
from contextls.memory.knowledge.entities.mentions import Mention, MentionFinder
from contextls.memory.knowledge.entities.model import Entity, EntityType
from contextls.memory.knowledge.entities.names import NameIndex
from contextls.memory.knowledge.entities.packages import Packages
from contextls.memory.knowledge.relations import evidence
from contextls.memory.knowledge.relations.graph import RelationGraph
from contextls.memory.knowledge.relations.imports import MAX_UNSETTLED
from contextls.memory.knowledge.relations.model import (
    MAX_EDGES,
    WEIGHTS,
    Relation,
    RelationType,
    cap_relations,
)
from contextls.memory.knowledge.relations.stored_table import StoredTable
from contextls.memory.knowledge.relations.walk import walk

if TYPE_CHECKING:
    from contextls.memory.events import EventLog
    from contextls.memory.vcs.commit_history import CommitHistory
    from contextls.model import TaskFrame


class Knowledge:
    """Entities and relations at one moment. Everything is read on demand; the same moment gives the same answers."""

    def __init__(self, catalogue: Catalogue, names: Callable[[], NameIndex]) -> None:
        self.catalogue = catalogue
        self.graph = catalogue.graph
        self._names = names

    def entity(self, entity_id: str) -> Entity | None:
        """The entity of an id; ``None`` for what is not there."""
        return self.catalogue.find(entity_id)

    def find_mentioned(
        self, words: Iterable[str], *, text: str = "", places: Sequence[Place] = (), loose: bool = False
    ) -> list[Mention]:
        """The entities that ``words``, ``text`` and ``places`` mention, surest first; see ``MentionFinder.find``."""
        return MentionFinder(self.catalogue, self._names()).find(words, text=text, places=places, loose=loose)

    def salient(self, types: Collection[str] | None, limit: int) -> list[Entity]:
        """The ``limit`` most salient entities of the given types (all without)."""
        found = (entity for entity in self.catalogue.everything() if not types or entity.type in types)
        return sorted(found, key=lambda entity: (-entity.salience, entity.id))[:limit]

    def edges(
        self, entity_id: str, types: Collection[str] | None = None, most: int = MAX_EDGES
    ) -> list[Relation]:
        """The relations at an entity: the ``most`` heaviest of each type and direction.

        ``types`` says which are asked for; others may be among them.
        """
        if entity_id in self.graph.snapshot.outlines:
            return self._file_edges(entity_id, frozenset(RelationType) if types is None else types, most)
        kind = entity_id.partition(":")[0]
        if kind in (EntityType.ERROR, EntityType.COMMAND):
            catalogue = self.catalogue
            return [*evidence.place_of(catalogue, entity_id), *evidence.fixes_of(catalogue, entity_id, most)]
        if kind == EntityType.PERSON:
            return evidence.files_of(self.catalogue, entity_id, most)
        if kind == EntityType.PACKAGE:
            return self._package_edges(entity_id, most)
        if entity_id.startswith(TASK_ID):
            return evidence.subtasks_of(self.catalogue, entity_id)
        located = self.catalogue.locate(entity_id)
        return self.graph.of_symbol(located.path, located.definition, most) if located else []

    def walk(
        self,
        starts: Sequence[str],
        depth: int,
        types: Collection[str] | None = None,
        through: Callable[[str], bool] | None = None,
    ) -> list[Relation]:
        """The relations up to ``depth`` steps from entity ids, nearest first; see ``relations.walk``."""
        return walk(starts, depth, lambda entity_id: self.edges(entity_id, types), types, through)

    def _file_edges(self, path: str, types: Collection[str], most: int) -> list[Relation]:
        catalogue = self.catalogue
        found = self.graph.of_file(path, most)
        if RelationType.CO_CHANGES in types:
            found += evidence.changed_with(catalogue, path, most)
        if RelationType.RAISED_IN in types:
            found += evidence.errors_in(catalogue, path, most)
        if RelationType.FIXED_BY in types:
            found += evidence.fixed_in(catalogue, path, most)
        if RelationType.AUTHORED in types:
            found += evidence.authors_of(catalogue, path, most)
        if RelationType.DEFINES in types:
            found += self._definitions(path)[:most]
        return found

    def _definitions(self, path: str) -> list[Relation]:
        """The definitions of a file, the most used names first."""
        symbols = self.graph.snapshot.symbols
        base = WEIGHTS[RelationType.DEFINES]
        definitions = self.graph.snapshot.outlines[path].definitions
        used = sorted(definitions, key=lambda item: (-symbols.uses(item.name), item.start_line))
        return [Relation(path, f"{path}#{item.qualified}", RelationType.DEFINES, base) for item in used]

    def _package_edges(self, entity_id: str, most: int) -> list[Relation]:
        packages = self.catalogue.packages()
        package = packages.all().get(entity_id.partition(":")[2].lower())
        if package is None:
            return []
        defines, imports = WEIGHTS[RelationType.DEFINES], WEIGHTS[RelationType.IMPORTS]
        return [
            *cap_relations(
                (Relation(path, entity_id, RelationType.DEFINES, defines) for path in package.manifests), most
            ),
            *cap_relations(
                (
                    Relation(path, entity_id, RelationType.IMPORTS, imports)
                    for path in packages.users(package)
                ),
                most,
            ),
        ]


class KnowledgeBase:
    """Makes the knowledge of each moment, and keeps what carries over from one to the next."""

    name = "knowledge"

    def __init__(
        self,
        root: Path,
        log: EventLog,
        history: CommitHistory,
        accepts: Callable[[str], bool],
        tasks: Callable[[], Sequence[TaskFrame]],
        table: StoredTable,
    ) -> None:
        """Nothing is read before the first question."""
        self._table = table
        self._tasks = tasks
        self._root = root
        self._event_stats = EventStatsReader(log)
        self._history = history
        self._accepts = accepts
        self._names = (SegmentSet(), NameIndex(SegmentSet()))
        self._packages: Packages | None = None
        self._guard = threading.Lock()
        self._graph = (Snapshot(), RelationGraph(Snapshot()))

    def at(self, snapshot: Snapshot, now: int) -> Knowledge:
        """The knowledge at ``now`` (ms) about ``snapshot``."""
        graph = self._graph_for(snapshot)
        catalogue = Catalogue(
            graph=graph,
            history=self._history.snapshot(),
            event_stats=self._event_stats.read(),
            packages=lambda: self._packages_of(graph),
            accepts=self._accepts,
            now=now,
            tasks=lambda: {frame.id: frame for frame in self._tasks()},
        )
        return Knowledge(catalogue, lambda: self._names_of(snapshot))

    def prepare(self, snapshot: Snapshot) -> None:
        """Read relations, names and manifests now, so that no question waits for them."""
        self.settle(snapshot)
        self._names_of(snapshot).alike("prepared")
        self._packages_of(self._graph_for(snapshot)).all()

    def settle(self, snapshot: Snapshot) -> None:
        """Resolve imports now and store them, where processes to come would have to resolve many."""
        graph = self._graph_for(snapshot)
        graph.prepare()
        if len(graph.table) and not graph.table.name:
            self._graph = (snapshot, RelationGraph(snapshot, None, self._table.write(graph.table)))

    def version(self) -> Hashable:
        """Always the same: index, events and history, which everything is derived from, have versions of their own."""
        return None

    def warnings(self) -> tuple[str, ...]:
        """None of its own: what is wrong is reported by the memories that it is derived from."""
        return ()

    def wipe(self) -> None:
        """Forget what carries over; the next question derives it again."""
        with self._guard:
            self._packages = None
        self._names = (SegmentSet(), NameIndex(SegmentSet()))
        self._graph = (Snapshot(), RelationGraph(Snapshot()))

    def close(self) -> None:
        """Let go of the snapshot; what it maps keeps its file open until nobody holds it."""
        self._names = (SegmentSet(), NameIndex(SegmentSet()))
        self._graph = (Snapshot(), RelationGraph(Snapshot()))

    def _graph_for(self, snapshot: Snapshot) -> RelationGraph:
        """The relations of ``snapshot``; the newest graph is kept, and builds on the one before it."""
        known, graph = self._graph
        if known is not snapshot:
            graph = RelationGraph(snapshot, graph, None if len(graph.table) else self._table.read())
            if graph.unsettled > MAX_UNSETTLED:
                other = self._table.read()  # another process may have made one of now
                if other is not None and other is not graph.table:
                    graph = min(graph, RelationGraph(snapshot, None, other), key=lambda each: each.unsettled)
            self._graph = (snapshot, graph)
        return graph

    def _names_of(self, snapshot: Snapshot) -> NameIndex:
        files, names = self._names
        if files is not snapshot.files:
            names = NameIndex(snapshot.files)
            self._names = (snapshot.files, names)
        return names

    def _packages_of(self, graph: RelationGraph) -> Packages:
        with self._guard:
            known = self._packages
            if known is None or known.outlines is not graph.snapshot.outlines:
                known = self._packages = Packages(self._root, graph.snapshot.outlines, known)
            return known
