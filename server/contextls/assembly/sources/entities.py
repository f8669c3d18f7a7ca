"""Known entities: what the question mentions, and what the best chunks define."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from contextls.assembly.items import Item
from contextls.assembly.shapes.markdown import entity_line
from contextls.assembly.signals import Signals
from contextls.memory.content.traces import Place, places_in
from contextls.memory.entities.mentions import Match
from contextls.memory.entities.model import Entity, EntityType
from contextls.memory.knowledge import Knowledge
from contextls.memory.symbols import Located
from contextls.model import Section

_REASONS: Mapping[Match, str] = {
    Match.SPLIT: "named in the question, in other words",
    Match.FUZZY: "nearly a name in the question",
}
CHUNKS_LOOKED_AT = 12
NAMES_OF_FILE = 4
# What a mention is worth by how sure it is; a name that was guessed must not look like one that was written.
MENTIONED: Mapping[Match, float] = {
    Match.EXACT: 1.0,
    Match.FOLDED: 1.0,
    Match.QUALIFIED: 1.0,
    Match.SPLIT: 0.8,
    Match.FUZZY: 0.7,
}


def find_entities(
    signals: Signals, content: Sequence[Item], knowledge: Knowledge, types: Collection[str] | None
) -> list[tuple[Entity, float]]:
    """Entities with their relevance: by how they are mentioned, else half that of the chunk that defines them."""
    question = signals.question
    mentions = knowledge.mentioned(
        signals.mentions, text="" if question.places else question.text, places=_places(signals)
    )
    found = {one.entity.id: (one.entity, MENTIONED[one.match]) for one in mentions}
    for item in content[:CHUNKS_LOOKED_AT]:
        code = item.code
        outline = knowledge.graph.snapshot.outlines.get(code.path) if code else None
        if code is None or outline is None:
            continue
        for definition in outline.definitions:
            if code.start_line <= definition.start_line <= code.end_line:
                located = Located(code.path, definition)
                if located.id not in found:
                    found[located.id] = (knowledge.catalogue.symbol(located), item.relevance / 2)
    entities = [pair for pair in found.values() if not types or pair[0].type in types]
    ordered = sorted(entities, key=lambda pair: (-pair[1], -pair[0].salience, pair[0].id))
    return [(_with_names(entity, knowledge), relevance) for entity, relevance in ordered]


def entity_items(entities: Sequence[tuple[Entity, float]]) -> list[Item]:
    """Items for entities, in their order."""
    return [
        Item(
            section=Section.ENTITY,
            source=entity.id,
            text=entity_line(entity),
            relevance=relevance,
            salience=entity.salience,
            paths=(entity.path,) if entity.path else (),
            lines=(entity.path, entity.line) if entity.path and entity.id != entity.path else None,
            why=_why(relevance),
        )
        for entity, relevance in entities
    ]


def _why(relevance: float) -> str:
    """How the entity came up, which its relevance tells; see ``find_entities``."""
    for match, worth in MENTIONED.items():
        if relevance == worth:
            return _REASONS.get(match, "named in the question")
    return "defined in code that was found"


def _places(signals: Signals) -> tuple[Place, ...]:
    question = signals.question
    if question.places:
        return question.places
    return tuple(place for place in places_in(question.text) if place.line is not None)


def _with_names(entity: Entity, knowledge: Knowledge) -> Entity:
    """A file with the most used names that it defines: a bare path says little."""
    if entity.id != entity.path or entity.type not in (EntityType.FILE, EntityType.TEST):
        return entity
    symbols = knowledge.graph.snapshot.symbols
    top = [
        item
        for item in knowledge.graph.snapshot.outlines[entity.path].definitions
        if "." not in item.qualified
    ]
    top.sort(key=lambda item: (-symbols.uses(item.name), item.start_line))
    names = ", ".join(item.name for item in top[:NAMES_OF_FILE])
    return replace(entity, properties=(("defines", names),)) if names else entity
