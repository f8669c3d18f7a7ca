"""Relationships: how the files and symbols in question hang together."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.assembly.items import Item
from contextls.assembly.shapes.markdown import relation_line
from contextls.memory.entities import Entity
from contextls.memory.relations import Relation, RelationGraph
from contextls.model import Section

STARTING_ENTITIES = 4
STARTING_FILES = 3
FILES_LOOKED_AT = 12
MOST_BUNDLES = 8
# An edge says where to look next; it must not crowd out code that answers.
WORTH = 0.5


def relation_items(
    graph: RelationGraph, entities: Sequence[tuple[Entity, float]], content: Sequence[Item], depth: int
) -> list[Item]:
    """Edges of the mentioned entities and the best files; further steps only between files that the content is from."""
    mentioned = [entity.id for entity, relevance in entities if relevance == 1.0][:STARTING_ENTITIES]
    files = list(dict.fromkeys(path for item in content for path in item.paths))[:FILES_LOOKED_AT]
    starts = list(dict.fromkeys([*mentioned, *files[:STARTING_FILES]]))
    bundles: dict[tuple[str, str], list[Relation]] = {}
    for relation in graph.walk(starts, depth):
        inside = relation.source.partition("#")[0] in files and relation.target.partition("#")[0] in files
        if relation.type != "defines" and (inside or {relation.source, relation.target} & set(starts)):
            bundles.setdefault(_bundle(relation), []).append(relation)
    best = sorted(bundles.values(), key=lambda bundle: (-bundle[0].weight, bundle[0].id))[:MOST_BUNDLES]
    return [_item(bundle) for bundle in best]


def _bundle(relation: Relation) -> tuple[str, str]:
    """Uses of one symbol are read together by the symbol, imports by the file that imports."""
    return (relation.target if relation.type == "references" else relation.source), relation.type


def _item(bundle: Sequence[Relation]) -> Item:
    ends = dict.fromkeys(end for relation in bundle for end in (relation.source, relation.target))
    return Item(
        section=Section.RELATION,
        source=bundle[0].id,
        text=relation_line(bundle),
        relevance=WORTH * bundle[0].weight,
        paths=tuple(dict.fromkeys(end.partition("#")[0] for end in ends)),
    )
