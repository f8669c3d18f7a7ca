"""Known entities: files and symbols that the question mentions, and what the best chunks define."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.assembly.items import Item
from contextls.assembly.shapes.markdown import entity_line
from contextls.assembly.signals import Signals
from contextls.memory.entities import Entity, mentioned, symbol_entity
from contextls.memory.snapshot import Snapshot
from contextls.memory.symbols import Located
from contextls.model import Section

CHUNKS_LOOKED_AT = 12


def find_entities(
    signals: Signals, content: Sequence[Item], snapshot: Snapshot, types: tuple[str, ...] | None
) -> list[tuple[Entity, float]]:
    """Entities with their relevance: 1 when mentioned, else that of the chunk that defines them, halved."""
    found = {entity.id: (entity, 1.0) for entity in mentioned(signals.mentions, snapshot)}
    for item in content[:CHUNKS_LOOKED_AT]:
        code = item.code
        outline = snapshot.outlines.get(code.path) if code else None
        if code is None or outline is None:
            continue
        for definition in outline.definitions:
            if code.start_line <= definition.start_line <= code.end_line:
                entity = symbol_entity(Located(code.path, definition), snapshot)
                found.setdefault(entity.id, (entity, item.relevance / 2))
    entities = [pair for pair in found.values() if not types or pair[0].type in types]
    return sorted(entities, key=lambda pair: (-pair[1], -pair[0].salience, pair[0].id))


def entity_items(entities: Sequence[tuple[Entity, float]]) -> list[Item]:
    """Items for entities, in their order."""
    return [
        Item(
            section=Section.ENTITY,
            source=entity.id,
            text=entity_line(entity),
            relevance=relevance,
            salience=entity.salience,
            paths=(entity.path,),
            lines=(entity.path, entity.line) if entity.type != "file" else None,
        )
        for entity, relevance in entities
    ]
