"""Keeps excluded files and symbols out of prompts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.assembly.pieces.bodies import (
    Body,
    CodeSpan,
    Habit,
    KnownEntity,
    PinnedSpan,
    RelationBundle,
    TaskLine,
)
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.overlap import beside, code_of
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.knowledge.entities import Entity
from contextls.memory.scope.scope import EVERYTHING, Scope
from contextls.memory.working_set.exclusions import Exclusions
from contextls.model import Event, EventType, Section

_OUTPUTS = frozenset({"stdout", "stderr", "stack"})
LEFT_OUT = "(left out: it speaks of an excluded file)"


class ExclusionFilter(Struct, frozen=True):
    """The exclusions of a workspace with the files as they are, and the scope of a question."""

    exclusions: Exclusions = field(default_factory=Exclusions)
    outlines: Mapping[str, Outline] = field(default_factory=dict)
    scope: Scope = EVERYTHING

    def hides(self, ref: str) -> bool:
        """Whether the file or symbol with this id (``path`` or ``path#symbol``) is excluded, or outside of the scope."""
        return self.exclusions.hides_entity(ref) or self._is_outside(ref)

    def is_named_in(self, text: str) -> bool:
        """Whether ``text`` mentions something excluded."""
        return self.exclusions.named_in(text)

    def hides_candidate(self, candidate: Candidate) -> bool:
        """Whether a candidate mentions something excluded, or is outside the scope; pins are in every scope."""
        if any(map(self.exclusions.hides_entity, candidate.refs)):
            return True
        if self.scope and candidate.section is not Section.WORKING_SET and self._leaves_out(candidate):
            return True
        # A tick ends each: after a bare word (`docs`), it says that a name is meant.
        spoken = "`\n".join(_phrases(candidate.body))
        return bool(spoken) and self.exclusions.named_in(f"{spoken}`")

    def lines(self, path: str) -> frozenset[int]:
        """The lines of a file that belong to excluded symbols."""
        return self.exclusions.lines(self.outlines.get(path))

    def symbols_at(self, path: str, start_line: int, end_line: int) -> tuple[str, ...]:
        """The ids of the symbols around or within some lines; none are looked for where none is excluded."""
        outline = self.outlines.get(path)
        if outline is None or path not in self.exclusions.symbols:
            return ()
        return tuple(f"{path}#{each.qualified}" for each in outline.touching(start_line, end_line))

    def trim(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Candidates without excluded lines of code."""
        if not self.exclusions.symbols:
            return list(candidates)
        return [
            piece
            for one in candidates
            for piece in (
                beside(one, one.body, self.lines(one.body.path)) if isinstance(one.body, CodeSpan) else [one]
            )
        ]

    def events(self, events: Iterable[Event]) -> list[Event]:
        """``events`` of the scope that are not about excluded files, without outputs that mention such files.

        A note stays: a person wrote it.
        """
        events = [event for event in events if self.scope.concerns(event.content)]
        if not self.exclusions:
            return events
        shown = (self._without_symbols(event) for event in events)
        left = (event if event is None else self._without_outputs(event) for event in shown)
        return [event for event in left if event is not None]

    def entities(self, found: Iterable[Entity]) -> list[Entity]:
        """The entities that are not excluded; a file does not list its excluded symbols."""
        return [self._without_names(entity) for entity in found if not self._hides_entity(entity)]

    def clear(self, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
        """Those of the candidates, chosen before exclusions changed, that surely mention nothing that is excluded now.

        What an event or an edge without a path was made from cannot be told any more; it goes.
        """
        return tuple(one for one in candidates if self._is_clear(one))

    def _is_outside(self, ref: str) -> bool:
        """Whether it is of a file that the scope leaves out; an entity that is no file never is."""
        path = ref.partition("#")[0]
        return bool(self.scope) and path in self.outlines and not self.scope.includes(path)

    def _leaves_out(self, candidate: Candidate) -> bool:
        """Whether no file of an event or a change is in the scope, or some file of anything else is outside it."""
        if not candidate.paths:
            return False
        inside = map(self.scope.includes, candidate.paths)
        return not (any(inside) if candidate.section is Section.RECENT else all(inside))

    def _is_clear(self, candidate: Candidate) -> bool:
        body, code = candidate.body, code_of(candidate)
        if isinstance(body, TaskLine) or candidate.section is Section.CUSTOM:
            return True
        if not candidate.paths or any(map(self.hides, candidate.refs)):
            return False
        if isinstance(body, PinnedSpan):
            return self.lines(body.path).isdisjoint(body.numbers)
        if code is not None:
            return self.lines(code.path).isdisjoint(range(code.start_line, code.end_line + 1))
        return not any(path in self.exclusions.symbols for path in candidate.paths)

    def _without_symbols(self, event: Event) -> Event | None:
        """``event`` without the names of excluded symbols that were changed; ``None`` when it tells of no others."""
        path, symbols = event.content.get("path"), event.content.get("symbols")
        if not (self.exclusions.symbols and isinstance(path, str) and isinstance(symbols, list)):
            return event
        hidden = [name for name in symbols if self.exclusions.hides_symbol(path, str(name))]
        if not hidden:
            return event
        left = {name: value for name, value in event.content.items() if name not in ("summary", "symbols")}
        return replace(event, content=left) if len(hidden) < len(symbols) else None

    def _without_outputs(self, event: Event) -> Event | None:
        """``event`` without an output that mentions excluded files; ``None`` when the event itself mentions one."""
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

    def _hides_entity(self, entity: Entity) -> bool:
        return self.hides(entity.id) or (entity.path is not None and self.exclusions.hides(entity.path))

    def _without_names(self, entity: Entity) -> Entity:
        names = self.exclusions.symbols.get(entity.path or "")
        if not names:
            return entity
        properties = tuple(
            (key, ", ".join(name for name in value.split(", ") if name not in names))
            for key, value in entity.properties
        )
        return replace(entity, properties=tuple((key, value) for key, value in properties if value))


def _phrases(body: Body) -> Iterator[str]:
    """The words of a pointer, in which a file may be named without being its subject."""
    match body:
        case KnownEntity(entity):
            yield from (entity.name, entity.signature, entity.doc, *(value for _, value in entity.properties))
        case RelationBundle(subject, relations, names):
            yield subject
            for relation in relations:
                yield from (relation.source, relation.target)
            yield from names.values()
        case Habit(pattern):
            yield pattern.description
