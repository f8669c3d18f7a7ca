"""Relationships: how the files and symbols in question hang together."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.assembly.items import Item
from contextls.assembly.shapes.markdown import relation_line
from contextls.memory.entities import Entity
from contextls.memory.relations import RelationGraph
from contextls.model import Section

STARTING_ENTITIES = 4
STARTING_FILES = 3


def relation_items(
    graph: RelationGraph, entities: Sequence[tuple[Entity, float]], content: Sequence[Item], depth: int
) -> list[Item]:
    """Edges around the mentioned entities and the best files, nearest first."""
    mentioned = [entity.id for entity, relevance in entities if relevance == 1.0][:STARTING_ENTITIES]
    files = list(dict.fromkeys(path for item in content for path in item.paths))[:STARTING_FILES]
    starts = list(dict.fromkeys([*mentioned, *files]))
    return [
        Item(
            section=Section.RELATION,
            source=relation.id,
            text=relation_line(relation),
            relevance=relation.weight,
            paths=(relation.source.partition("#")[0], relation.target.partition("#")[0]),
        )
        for relation in graph.walk(starts, depth)
        if relation.type != "defines"
    ]
