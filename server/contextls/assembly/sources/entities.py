"""Known entities: what the question mentions, and what the best chunks define."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.admission.exclusion import ExclusionFilter
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import CodeSpan, KnownEntity
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, Offer
from contextls.assembly.strategies import wants_pointers
from contextls.assembly.usefulness.prototypes import declares_alone, leave_out_declarations
from contextls.assembly.wording.name_questions import asks_for_users, speaks_of_names_alone
from contextls.assembly.wording.signals import Signals
from contextls.memory.index.query.places import Place
from contextls.memory.index.query.traces import places_in
from contextls.memory.index.ranking.initials import are_spelled_as
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.symbols import Located
from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.knowledge.base import Knowledge
from contextls.memory.knowledge.entities.mentions import SHAPED, Mention, MentionMatch
from contextls.memory.knowledge.entities.model import Entity, EntityType
from contextls.model import Section
from contextls.regex import compile_late

_REASONS: Mapping[MentionMatch, str] = {
    MentionMatch.SPLIT: "named in the question, in other words",
    MentionMatch.FUZZY: "nearly a name in the question",
}
_WORD = compile_late(r"\w+")
CHUNKS_LOOKED_AT = 12
NAMES_OF_FILE = 4
# What a mention is worth by how sure it is; a name that was guessed must not look like one that was written.
MENTIONED: Mapping[MentionMatch, float] = {
    MentionMatch.EXACT: 1.0,
    MentionMatch.FOLDED: 1.0,
    MentionMatch.QUALIFIED: 1.0,
    MentionMatch.SPLIT: 0.8,
    MentionMatch.FUZZY: 0.7,
}
SURE = frozenset({MentionMatch.EXACT, MentionMatch.FOLDED, MentionMatch.QUALIFIED})


class EntitySource:
    """Things worth naming."""

    name = "entities"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:
        """Those that the question mentions; those that the best chunks define only where the request asks for pointers."""
        types = question.request.filters.entity_types
        content = found.of("content").candidates
        looked_at = content if wants_pointers(question.request) else ()
        named = find_entities(question.signals, looked_at, memories.knowledge, types)
        near = {path for candidate in content for path in candidate.paths}
        telling = _without_prototypes(without_chance_names(named, near), memories.snapshot)
        if not wants_pointers(question.request):
            # What is called like some words of the question the search finds; no other of its names was of use.
            # Nor were 59 pointers to code that reports and pasted logs name: it is shown, or it is not.
            is_long = question.signals.query.is_long
            telling = [one for one in telling if not one.entity.path or (one.match in SURE and not is_long)]
        text, spelled = question.signals.text, question.signals.query.identifiers
        if spelled and asks_for_users(text) and speaks_of_names_alone(text, spelled):
            subjects = {_WORD.findall(name)[-1] for name in spelled}
            telling = [one for one in telling if _last_part(one) in subjects]
        return Offer(tuple(map(_candidate, _list_allowed(telling, memories.exclusion))))


class FoundEntity(Struct, frozen=True):
    """An entity, its relevance, and the kind of mention that found it; ``None`` where a chunk defines it."""

    entity: Entity
    relevance: float
    match: MentionMatch | None


def find_entities(
    signals: Signals, content: Sequence[Candidate], knowledge: Knowledge, types: Collection[str] | None
) -> list[FoundEntity]:
    """Entities with their relevance: by how they are mentioned, else half that of the chunk that defines them."""
    query, view = signals.query, knowledge.graph.snapshot.view
    mentions = knowledge.find_mentioned(
        signals.mentions, text="" if query.places or query.is_report else query.words, places=_places(signals)
    )
    found = {
        one.entity.id: FoundEntity(one.entity, MENTIONED[one.match], one.match)
        for one in mentions
        if query.is_symbol or not _is_another_word(one, query.identifiers, view)
    }
    for candidate in content[:CHUNKS_LOOKED_AT]:
        code = candidate.body
        outline = knowledge.graph.snapshot.outlines.get(code.path) if isinstance(code, CodeSpan) else None
        if not isinstance(code, CodeSpan) or outline is None:
            continue
        for definition in outline.beginning_in(code.start_line, code.end_line):
            located = Located(code.path, definition)
            if located.id not in found:
                symbol = knowledge.catalogue.symbol(located)
                found[located.id] = FoundEntity(symbol, candidate.scores.relevance / 2, None)
    entities = [one for one in found.values() if not types or one.entity.type in types]
    ordered = sorted(entities, key=lambda one: (-one.relevance, -one.entity.salience, one.entity.id))
    return [replace(one, entity=_with_names(one.entity, knowledge)) for one in ordered]


def _is_another_word(mention: Mention, asked: Collection[str], view: IndexView) -> bool:
    """Whether the question has initials, ``API``, and code is called ``Api`` or ``api`` that is not what they mean."""
    name = mention.entity.name.rpartition(".")[2]
    initials = name.upper()
    if mention.match is not MentionMatch.FOLDED or not mention.entity.path or initials not in asked:
        return False
    return not are_spelled_as(view, initials, name)


def without_chance_names(found: Sequence[FoundEntity], near: Collection[str]) -> list[FoundEntity]:
    """Without entities that the question does not write as they are called, or only by a plain word.

    "DPI", "the source property" and the "User" of a log are words before they are ``Bitmap.Dpi``, ``Image.SourceProperty``
    and a class; those in files ``near`` to the question, and what is in no file, are likely meant.
    """
    return [
        one for one in found if _is_written_as_called(one) or not one.entity.path or one.entity.path in near
    ]


def _without_prototypes(found: Sequence[FoundEntity], snapshot: Snapshot) -> list[FoundEntity]:
    """Without functions that a header declares and another file defines."""
    by_id = {one.entity.id: one for one in found}
    names = {key: one.entity.name for key, one in by_id.items()}
    kept = leave_out_declarations(names, lambda key: _is_prototype(by_id[key], snapshot))
    return [one for one in found if one.entity.id in kept]


def _is_prototype(found: FoundEntity, snapshot: Snapshot) -> bool:
    ref = snapshot.view.chunk_at(found.entity.path, found.entity.line) if found.entity.line else None
    return ref is not None and declares_alone(ref, _last_part(found), snapshot)


def _is_written_as_called(found: FoundEntity) -> bool:
    if found.match is MentionMatch.EXACT and found.entity.id != found.entity.path:
        return bool(SHAPED.search(_last_part(found)))
    return found.match in (None, MentionMatch.EXACT, MentionMatch.QUALIFIED)


def _last_part(found: FoundEntity) -> str:
    return found.entity.name.rpartition(".")[2]


def _list_allowed(found: Sequence[FoundEntity], exclusion: ExclusionFilter) -> Iterator[FoundEntity]:
    for one in found:
        for entity in exclusion.entities([one.entity]):
            yield replace(one, entity=entity)


def _candidate(found: FoundEntity) -> Candidate:
    entity = found.entity
    why = "defined in code that was found"
    if found.match is not None:
        why = _REASONS.get(found.match, "named in the question")
    return Candidate(
        section=Section.ENTITY,
        id=entity.id,
        body=KnownEntity(entity, mentioned=found.match in SURE),
        scores=Scores(found.relevance, salience=entity.salience),
        paths=(entity.path,) if entity.path else (),
        symbols=(entity.id,) if entity.path and entity.id != entity.path else (),
        why=why,
    )


def _places(signals: Signals) -> tuple[Place, ...]:
    query = signals.query
    if query.places:
        return query.places
    return tuple(place for place in places_in(query.text) if place.line is not None)


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
