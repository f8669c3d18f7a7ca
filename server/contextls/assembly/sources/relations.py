"""Relationships: how the files and symbols in question hang together."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from contextls.assembly.items import Item, Reason
from contextls.assembly.shapes.markdown import relation_line
from contextls.assembly.signals import Signals
from contextls.memory.entities import Entity
from contextls.memory.knowledge import Knowledge
from contextls.memory.relations import Relation, RelationType
from contextls.model import Section
from contextls.text.fence import inline

STARTING_ENTITIES = 4
STARTING_FILES = 3
FILES_LOOKED_AT = 12
MOST_BUNDLES = 8
MOST_OF_TYPE = 3
# An edge says where to look next; it must not crowd out code that answers.
WORTH = 0.5
# Whom to name is the user's question, not ours: authors come only when people are asked for.
_PEOPLE = re.compile(r"\b(who|whom|authors?|owners?|maintainers?|reviewers?)\b", re.IGNORECASE)
_SHOWN = frozenset(RelationType) - {RelationType.DEFINES, RelationType.AUTHORED}
# Which end several edges are read together by, where the walk did not begin at one of them.
_BY_TARGET = frozenset(
    {RelationType.REFERENCES, RelationType.TESTS, RelationType.RAISED_IN, RelationType.AUTHORED}
)


def relation_items(
    knowledge: Knowledge,
    entities: Sequence[tuple[Entity, float]],
    content: Sequence[Item],
    signals: Signals,
    depth: int,
    entity_types: Collection[str] | None = None,
    hides: Callable[[str], bool] = lambda _: False,
) -> list[Item]:
    """Edges of the mentioned entities and the best files; further steps only between files that the content is from.

    With ``entity_types`` only edges whose two ends are of these types; none with an end that ``hides`` speaks for.
    """
    mentioned = [entity.id for entity, relevance in entities if relevance == 1.0][:STARTING_ENTITIES]
    files = list(dict.fromkeys(path for item in content for path in item.paths))[:FILES_LOOKED_AT]
    starts = list(dict.fromkeys([*mentioned, *files[:STARTING_FILES]]))
    types = _SHOWN | {RelationType.AUTHORED} if _PEOPLE.search(signals.question.text) else _SHOWN
    bundles: dict[tuple[str, str, bool], list[Relation]] = {}
    shown = frozenset(files)
    found = knowledge.walk(starts, depth, types, lambda end: _path(end) in shown)
    for relation in _telling(found):
        inside = _path(relation.source) in shown and _path(relation.target) in shown
        if entity_types and not _are(relation, entity_types, knowledge):
            continue
        if hides(relation.source) or hides(relation.target):
            continue
        if inside or relation.source in starts or relation.target in starts:
            bundles.setdefault(_bundle(relation, starts), []).append(relation)
    best = sorted(bundles.items(), key=lambda pair: (-pair[1][0].weight, pair[1][0].id))
    kept: list[Item] = []
    of_type: dict[str, int] = {}
    for (subject, kind, _), relations in best:
        of_type[kind] = of_type.get(kind, 0) + 1
        if of_type[kind] <= MOST_OF_TYPE and len(kept) < MOST_BUNDLES:
            names = _names(relations, knowledge)
            why = partial(_why, relations, names, mentioned, starts)
            kept.append(_item(subject, relations, names, why))
    return kept


def _telling(relations: Sequence[Relation]) -> list[Relation]:
    """The relations without those that another one says better: a test imports what it tests, an error has a symbol."""
    tested = {(one.source, one.target) for one in relations if one.type is RelationType.TESTS}
    placed = {
        (one.source, _path(one.target))
        for one in relations
        if one.type is RelationType.RAISED_IN and "#" in one.target
    }
    return [
        one
        for one in relations
        if not (one.type is RelationType.IMPORTS and (one.source, one.target) in tested)
        and not (one.type is RelationType.RAISED_IN and (one.source, one.target) in placed)
    ]


def _are(relation: Relation, types: Collection[str], knowledge: Knowledge) -> bool:
    ends = map(knowledge.entity, (relation.source, relation.target))
    return all(end is not None and end.type in types for end in ends)


def _bundle(relation: Relation, starts: Collection[str]) -> tuple[str, str, bool]:
    """The end by which the edge is read together with others, its type, and whether that end is the source."""
    if relation.type is RelationType.CO_CHANGES:
        return relation.source, relation.type, True
    ends = [end for end in (relation.source, relation.target) if end in starts]
    subject = ends[0] if len(ends) == 1 else relation.source
    if len(ends) != 1 and relation.type in _BY_TARGET:
        subject = relation.target
    return subject, relation.type, subject == relation.source


def _why(
    relations: Sequence[Relation], names: Mapping[str, str], mentioned: Sequence[str], starts: Sequence[str]
) -> str:
    """Where the walk that met these edges began."""
    ends = {end for relation in relations for end in (relation.source, relation.target)}
    for start in starts:
        if start in ends:
            name = inline(names.get(start, start.rpartition("#")[2] or start))
            return f"{name} is named in the question" if start in mentioned else f"of {name}, which was found"
    return "joins files that were found"


def _item(subject: str, relations: Sequence[Relation], names: Mapping[str, str], why: Reason) -> Item:
    ends = dict.fromkeys(end for relation in relations for end in (relation.source, relation.target))
    return Item(
        section=Section.RELATION,
        source=relations[0].id,
        text=relation_line(subject, relations, names),
        relevance=WORTH * relations[0].weight,
        paths=tuple(dict.fromkeys(_path(end) for end in ends if end not in names)),
        why=why,
    )


def _names(relations: Sequence[Relation], knowledge: Knowledge) -> dict[str, str]:
    """What ends are called that are no path and no symbol."""
    ends = dict.fromkeys(end for relation in relations for end in (relation.source, relation.target))
    outlines = knowledge.graph.snapshot.outlines
    found = {}
    for end in ends:
        if _path(end) not in outlines and (entity := knowledge.entity(end)) is not None:
            found[end] = entity.name
    return found


def _path(entity_id: str) -> str:
    return entity_id.partition("#")[0]
