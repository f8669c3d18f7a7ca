"""What somebody excluded, kept out of everything that a prompt could be made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from contextls.assembly.items import Item
from contextls.assembly.overlap import beside
from contextls.memory.entities import Entity
from contextls.memory.outlines import Outline
from contextls.memory.working_set.exclusions import Exclusions
from contextls.model import Event, EventType, Omission, Section
from contextls.text.tokens import Tokenizer

# What is said in a line of our own: a file is named there only when it is meant.
_LINES = frozenset({Section.ENTITY, Section.RELATION, Section.PATTERN})
_OUTPUTS = frozenset({"stdout", "stderr", "stack"})
LEFT_OUT = "(left out: it speaks of an excluded file)"
_RANGE = re.compile(r"(.+):(\d{1,9})-(\d{1,9})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Excluding:
    """The exclusions of a workspace with the files as they are."""

    exclusions: Exclusions = field(default_factory=Exclusions)
    outlines: Mapping[str, Outline] = field(default_factory=dict)

    def hides(self, entity: str) -> bool:
        """Whether the entity with this id (``path`` or ``path#symbol``) is excluded."""
        return self.exclusions.hides_entity(entity)

    def lines(self, path: str) -> frozenset[int]:
        """The lines of a file that belong to excluded symbols."""
        return self.exclusions.lines(self.outlines.get(path))

    def content(self, items: Sequence[Item]) -> list[Item]:
        """Items of code without excluded lines."""
        if not self.exclusions.symbols:
            return list(items)
        return [
            piece
            for item in items
            for piece in (beside(item, self.lines(item.paths[0])) if item.code else [item])
        ]

    def events(self, events: Iterable[Event]) -> list[Event]:
        """``events`` without those about what is excluded; of others only what speaks of something else.

        A note stays: it is somebody's own words.
        """
        if not self.exclusions:
            return list(events)
        shown = (self._symbols_left_out(event) for event in events)
        told = (event if event is None else self._outputs_left_out(event) for event in shown)
        return [event for event in told if event is not None]

    def _symbols_left_out(self, event: Event) -> Event | None:
        """``event`` without the names of excluded symbols that were changed; ``None`` when it tells of no others."""
        path, symbols = event.content.get("path"), event.content.get("symbols")
        if not (self.exclusions.symbols and isinstance(path, str) and isinstance(symbols, list)):
            return event
        hidden = [name for name in symbols if self.exclusions.hides_symbol(path, str(name))]
        if not hidden:
            return event
        told = {name: value for name, value in event.content.items() if name not in ("summary", "symbols")}
        return replace(event, content=told) if len(hidden) < len(symbols) else None

    def _outputs_left_out(self, event: Event) -> Event | None:
        """``event`` without an output that speaks of excluded files; ``None`` when it does so itself."""
        if event.type == EventType.NOTE:
            return event
        named = {
            name
            for name, value in event.content.items()
            if isinstance(value, str) and self.exclusions.named_in(value, f"{event.id} {name} {len(value)}")
        }
        if not named <= _OUTPUTS:
            return None
        if not named:
            return event
        return replace(event, content={**event.content, **dict.fromkeys(named, LEFT_OUT)})

    def entities(self, found: Iterable[tuple[Entity, float]]) -> list[tuple[Entity, float]]:
        """The entities that are not excluded; a file does not list its excluded symbols."""
        return [(self._told(entity), worth) for entity, worth in found if not self._hidden(entity)]

    def allowed(self, items: Iterable[Item], tokenizer: Tokenizer) -> tuple[list[Item], list[Omission]]:
        """The items that speak of nothing excluded, and the others."""
        kept: list[Item] = []
        out: list[Omission] = []
        for item in items:
            if self._speaks_of_hidden(item) or self._changes_hidden(item):
                out.append(Omission(item.section, item.source, "excluded", tokenizer.count(item.text)))
            else:
                kept.append(item)
        return kept, out

    def cleared(self, items: Iterable[Item]) -> tuple[Item, ...]:
        """Of what was chosen before other things were excluded: what surely speaks of nothing that is excluded now.

        What an event or an edge without a path was made from cannot be told any more; it goes.
        """
        return tuple(item for item in items if self._surely_clear(item))

    def _surely_clear(self, item: Item) -> bool:
        if item.section in (Section.TASK, Section.CUSTOM):
            return True
        if not item.paths or any(map(self.exclusions.hides, item.paths)):
            return False
        if item.excerpt is not None:
            return self.lines(item.paths[0]).isdisjoint(item.excerpt.shown)
        if item.code is not None:
            lines = range(item.code.start_line, item.code.end_line + 1)
            return self.lines(item.paths[0]).isdisjoint(lines)
        return not any(path in self.exclusions.symbols for path in item.paths)

    def _speaks_of_hidden(self, item: Item) -> bool:
        if any(map(self.exclusions.hides, item.paths)):
            return True
        return item.section in _LINES and self.exclusions.named_in(item.text)

    def _hidden(self, entity: Entity) -> bool:
        return self.hides(entity.id) or (entity.path is not None and self.exclusions.hides(entity.path))

    def _told(self, entity: Entity) -> Entity:
        names = self.exclusions.symbols.get(entity.path or "")
        if not names:
            return entity
        properties = tuple(
            (key, ", ".join(name for name in value.split(", ") if name not in names))
            for key, value in entity.properties
        )
        return replace(entity, properties=tuple((key, value) for key, value in properties if value))

    def _changes_hidden(self, item: Item) -> bool:
        """Whether the item is an uncommitted change of excluded lines."""
        if item.section is not Section.RECENT or not self.exclusions.symbols:
            return False
        found = _RANGE.fullmatch(item.source)
        if found is None:
            return False
        lines = self.lines(found[1])
        return any(line in lines for line in range(int(found[2]), int(found[3]) + 1))
