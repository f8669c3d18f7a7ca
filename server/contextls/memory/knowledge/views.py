"""Entities and relations as they cross the engine's border, for people and clients who want to look at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from contextls.code.kinds import NOT_DEFINITIONS, Kind
from contextls.errors import InvalidRequestError
from contextls.memory.index.query.traces import places_in
from contextls.memory.knowledge.base import Knowledge
from contextls.memory.knowledge.entities.model import Entity, EntityType
from contextls.memory.knowledge.relations.model import Relation
from contextls.memory.knowledge.relations.uses import MAX_USERS
from contextls.memory.knowledge.relations.walk import walk
from contextls.model import (
    MAX_LISTED,
    MAX_STEPS,
    EntityView,
    GraphView,
    OmittedRelations,
    RelationView,
)

# In all, unless more of one kind are asked for.
MAX_RELATIONS = 200
MAX_NAME_CHARS = 1_000

ENTITY_TYPES = tuple(
    sorted({*map(str, EntityType), *(str(kind) for kind in Kind if kind not in NOT_DEFINITIONS)})
)


def list_entities(
    knowledge: Knowledge, query: str | None, types: Collection[str] | None, limit: int
) -> tuple[EntityView, ...]:
    """The entities that ``query`` mentions, surest first; without one, the most salient of the workspace.

    Raises ``InvalidRequestError`` for a type that does not exist.
    """
    for kind in types or ():
        if kind not in ENTITY_TYPES:
            raise InvalidRequestError("types", "one of " + ", ".join(ENTITY_TYPES), kind)
    if query is None:
        return tuple(_entity_view(entity) for entity in knowledge.salient(types, limit))
    words = [query[:MAX_NAME_CHARS], *query.split()]
    found = knowledge.find_mentioned(words, text=query, places=places_in(query), loose=True)
    kept = [one for one in found if not types or one.entity.type in types]
    return tuple(_entity_view(one.entity, one.match.name.lower()) for one in kept[:limit])


def graph_around(knowledge: Knowledge, name: str, depth: int, limit: int) -> GraphView | None:
    """The entity called ``name`` (an id, a name, a path, ``path:line``) and its neighbours, ``depth`` steps far.

    Of each kind of relation at an entity, the ``limit`` heaviest are in it, and the others are counted. ``None`` when
    nothing is called so. Raises ``InvalidRequestError`` for a depth that is out of range.
    """
    if not 1 <= depth <= MAX_STEPS:
        raise InvalidRequestError("depth", f"a whole number from 1 to {MAX_STEPS}", depth)
    entity, others = _find_called(knowledge, name)
    if entity is None:
        return None
    edges = _CountedEdges(knowledge, entity.id, limit)
    relations = walk([entity.id], depth, edges)[: max(MAX_RELATIONS, limit)]
    ends = dict.fromkeys(end for one in relations for end in (one.source, one.target) if end != entity.id)
    around = [met for end in ends if (met := knowledge.entity(end)) is not None]
    known = {entity.id, *(met.id for met in around)}
    return GraphView(
        start=_entity_view(entity),
        alternatives=tuple(other.id for other in others),
        entities=tuple(_entity_view(met) for met in around),
        relations=tuple(
            _relation_view(one) for one in relations if one.source in known and one.target in known
        ),
        omitted=edges.count_others(relations, known),
    )


def _find_called(knowledge: Knowledge, name: str) -> tuple[Entity | None, Sequence[Entity]]:
    """The entity called ``name``, and others that are called so as well."""
    if (entity := knowledge.entity(name)) is not None:
        return entity, ()
    found = knowledge.find_mentioned([name[:MAX_NAME_CHARS]], places=places_in(name), loose=True)
    if not found:
        return None, ()
    first = found[0]
    alike = [one.entity for one in found[1:] if one.match == first.match]
    return first.entity, [other for other in alike if other.path != first.entity.id]


class _CountedEdges:
    """The relations at the entities of a walk, each looked up once: the heaviest go on, the others are counted."""

    def __init__(self, knowledge: Knowledge, start: str, most: int) -> None:
        """``most`` of each kind go on. At ``start`` all others are counted."""
        self._knowledge = knowledge
        self._start = start
        self._most = most
        self._all: dict[str, list[Relation]] = {}

    def __call__(self, node: str) -> list[Relation]:
        """The ``most`` heaviest relations of each type and direction at an entity."""
        # To find each use of each entity on the way would take longer than the walk: a name has thousands of them.
        most = MAX_LISTED if node == self._start else max(self._most, MAX_USERS)
        self._all[node] = self._knowledge.edges(node, most=most)
        taken: Counter[tuple[str, bool]] = Counter()
        heaviest = []
        for one in self._all[node]:
            kind = one.type, one.source == node
            taken[kind] += 1
            if taken[kind] <= self._most:
                heaviest.append(one)
        return heaviest

    def count_others(self, shown: Sequence[Relation], known: Collection[str]) -> tuple[OmittedRelations, ...]:
        """The number of relations that were found at ``known`` entities and are not ``shown``."""
        met = {one.id for one in shown}
        counts: Counter[tuple[str, str | None, str | None]] = Counter()
        for node in filter(known.__contains__, self._all):
            for one in self._all[node]:
                if one.id not in met:
                    met.add(one.id)
                    counts[one.type, *((node, None) if one.source == node else (None, node))] += 1
        return tuple(
            OmittedRelations(source, target, kind, count) for (kind, source, target), count in counts.items()
        )


def _relation_view(relation: Relation) -> RelationView:
    return RelationView(
        source=relation.source,
        target=relation.target,
        type=relation.type,
        weight=round(relation.weight, 4),
        support=relation.support,
        applications=relation.applications,
        steps=relation.steps,
    )


def _entity_view(entity: Entity, match: str = "") -> EntityView:
    return EntityView(
        id=entity.id,
        type=str(entity.type),
        name=entity.name,
        path=entity.path or None,
        line=entity.line or None,
        signature=entity.signature,
        doc=entity.doc,
        salience=entity.salience,
        centrality=entity.centrality,
        activity=entity.activity,
        churn=entity.churn,
        properties=dict(entity.properties),
        match=match or None,
    )
