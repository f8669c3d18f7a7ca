"""Entities: the files and symbols of the workspace that a question may name, with a salience in 0..1."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from contextls.memory.snapshot import Snapshot
from contextls.memory.symbols import Located

# Names shorter than this are rarely meant as a mention ("a", "is").
SHORTEST_NAME = 3
MOST_PER_NAME = 4


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing worth naming. ``id`` is a path for a file and ``path#Qualified.name`` for a symbol."""

    id: str
    type: str
    name: str
    path: str
    line: int
    signature: str
    doc: str
    salience: float


def symbol_entity(item: Located, snapshot: Snapshot) -> Entity:
    """The entity of a definition; salient when many files refer to its name."""
    definition = item.definition
    return Entity(
        id=item.id,
        type=definition.kind,
        name=definition.qualified,
        path=item.path,
        line=definition.start_line,
        signature=definition.signature,
        doc=definition.doc,
        salience=_saturating(snapshot.symbols.uses(definition.name)),
    )


def file_entity(path: str, snapshot: Snapshot) -> Entity:
    """The entity of an indexed file; salient when it defines names that many files refer to."""
    outline = snapshot.outlines[path]
    uses = max((snapshot.symbols.uses(definition.name) for definition in outline.definitions), default=0)
    return Entity(path, "file", path, path, 1, "", "", _saturating(uses))


def mentioned(words: Iterable[str], snapshot: Snapshot) -> list[Entity]:
    """The files and symbols that ``words`` (names, dotted names, paths) mention, most salient first per word."""
    found: dict[str, Entity] = {}
    for word in words:
        for entity in [*_files_named(word, snapshot), *_symbols_named(word, snapshot)]:
            found.setdefault(entity.id, entity)
    return list(found.values())


def _files_named(word: str, snapshot: Snapshot) -> list[Entity]:
    if "/" not in word and "." not in word:
        return []
    asked = word.removeprefix("./")
    paths = [path for path in snapshot.outlines if path == asked or path.endswith("/" + asked)]
    return [file_entity(path, snapshot) for path in sorted(paths)[:MOST_PER_NAME]]


def _symbols_named(word: str, snapshot: Snapshot) -> list[Entity]:
    parts = word.replace("::", ".").replace("#", ".").replace("->", ".").split(".")
    last = parts[-1]
    if len(last) < SHORTEST_NAME:
        return []
    items = snapshot.symbols.named(last)
    if len(parts) > 1:
        suffix = ".".join(parts).lower()
        qualified = [item for item in items if item.definition.qualified.lower().endswith(suffix)]
        items = tuple(qualified) or items
    entities = [symbol_entity(item, snapshot) for item in items]
    return sorted(entities, key=lambda entity: (-entity.salience, entity.id))[:MOST_PER_NAME]


def _saturating(uses: int) -> float:
    """0 for no use, 0.5 at 7 files, towards 1 logarithmically at 63 and more."""
    return min(1.0, math.log2(1 + max(0, uses)) / 6)
