"""Relationships: how the files and symbols of a question are connected."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import CodeSpan, KnownEntity, RelationBundle
from contextls.assembly.pieces.candidate import Candidate, Reason, Scores
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, Offer
from contextls.assembly.sources.authorship import asks_for_authors, find_authors
from contextls.assembly.strategies import wants_pointers
from contextls.assembly.wording.name_questions import speaks_of_names_alone
from contextls.memory.knowledge.base import Knowledge
from contextls.memory.knowledge.relations import Relation, RelationType
from contextls.model import Section
from contextls.regex import compile_cued, compile_late
from contextls.text.fence import inline

MAX_STARTING_ENTITIES = 4
MAX_STARTING_FILES = 3
MAX_FILES = 12
MAX_BUNDLES = 8
MAX_OF_TYPE = 3
# An edge says where to look next; it must not crowd out code that answers.
WORTH = 0.5
_TIES = (
    r"relat(ed?|es|ing) to|relat(ions?|ionships?) (of|between|to|with)|(is|are) (.{1,80} )?(related|connected|tied|coupled)"
    r"|hangs? together"
)
# "Import a board" is about data, "its dependencies are resolved" about what the program does.
_FILES = (
    r"(who|what|which|(?<!so )that) (\w+ ){0,3}imports?|imported by|import(ers|s) of"
    rf"|depend(s|ed|ent)? (up)?on|depend(enc(y|ies)|ents) (of|on|between)|{_TIES}"
)
# A question that asks how things hang together; to any other the code itself says more.
_ASKED = compile_cued(
    rf"\b({_FILES}|who (\w+ ){{0,2}}(calls?|uses?|used|tests?|raises?|throws?|reads?|writes?|needs?)"
    r"|callers|caller of|called by|what calls|us(ers?|es|ages?) of|usages|used by|how (is|are) .{1,80} used"
    r"|impact (of|on)|(who|what|which|is|are) (\w+ ){0,3}affect(s|ed)?"
    r"|(which|what) tests? (\w+ ){0,2}(covers?|checks?|fails?|uses?)|covered by|changes? together)\b",
    "import depend relat connect tied coupled hang who call use usag impact affect test cover chang",
    re.IGNORECASE,
)
# That one file imports another says little, but where it is files that are asked about.
_OF_FILES = compile_late(rf"\b({_FILES})\b", re.IGNORECASE)
# That two files change together tells who would understand code nothing: habits of a change are patterns.
_OF_COMPANY = compile_late(
    rf"\b(impact|affect(s|ed)?|{_TIES}|chang(e|es|ed|ing) (together|along))\b", re.IGNORECASE
)
# Whom to name is the user's question, not ours: authors come only when people are asked for.
_SHOWN = frozenset(RelationType) - {RelationType.DEFINES, RelationType.AUTHORED}
# Which end several edges are read together by, where the walk did not begin at one of them.
_BY_TARGET = frozenset({RelationType.REFERENCES, RelationType.TESTS, RelationType.RAISED_IN})


class RelationSource:
    """Relations between entities."""

    name = "relations"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:
        """Edges of the mentioned entities and the best files; further steps only between files that the content is from.

        Where the question asks for people, these alone; nothing where neither it nor the request's shares ask for edges.
        Where the request names entity types, both ends of an edge are of these.
        """
        asked, text = wants_pointers(question.request), question.signals.text
        # A report tells what happened: "related package" in it asks for nothing.
        if not (
            asked
            or (_ASKED.search(text) and not question.signals.query.is_report)
            or asks_for_authors(text, memories)
        ):
            return Offer()
        if asks_for_authors(text, memories) and (authors := find_authors(memories, found)):
            return Offer(authors)
        entities = [one.body for one in found.of("entities").candidates if isinstance(one.body, KnownEntity)]
        mentioned = [body.entity.id for body in entities if body.mentioned][:MAX_STARTING_ENTITIES]
        content = found.of("content").candidates
        files = list(dict.fromkeys(path for one in content for path in one.paths))[:MAX_FILES]
        # A question for a name and nothing else wants neither what else its files do nor what it needs itself; its users are
        # in the code that is shown.
        names = question.signals.query.identifiers
        alone = bool(mentioned or names) and speaks_of_names_alone(text, names)
        told = frozenset(_symbols(content)) if alone else ()
        starts = mentioned if alone else list(dict.fromkeys([*mentioned, *files[:MAX_STARTING_FILES]]))
        types = _SHOWN if asked else _types_asked_for(text)
        shown = frozenset(files)
        knowledge, hides = memories.knowledge, memories.exclusion.hides
        edges = knowledge.walk(starts, question.strategy.depth_limit, types, lambda end: _path(end) in shown)
        entity_types = question.request.filters.entity_types
        allowed = [
            edge
            for edge in _without_implied(edges)
            if not (alone and not (edge.target in starts and edge.source not in told))
            and not (entity_types and not _are(edge, entity_types, knowledge))
            and not (hides(edge.source) or hides(edge.target))
        ]
        return Offer(tuple(_candidates(allowed, starts, shown, mentioned, knowledge)))


def _symbols(candidates: Sequence[Candidate]) -> Iterator[str]:
    """The ids of what the code of ``candidates`` is called after."""
    for one in candidates:
        if isinstance(code := one.body, CodeSpan):
            yield from (f"{code.path}#{name}" for name in (code.symbol, *code.beside))


def _types_asked_for(text: str) -> frozenset[RelationType]:
    unasked = set()
    if not _OF_FILES.search(text):
        unasked.add(RelationType.IMPORTS)
    if not _OF_COMPANY.search(text):
        unasked.add(RelationType.CO_CHANGES)
    return _SHOWN - unasked


def _candidates(
    edges: Sequence[Relation],
    starts: Sequence[str],
    shown: Collection[str],
    mentioned: Sequence[str],
    knowledge: Knowledge,
) -> list[Candidate]:
    """The heaviest bundles of edges, few of each type."""
    bundles: dict[tuple[str, str, bool], list[Relation]] = {}
    for edge in edges:
        inside = _path(edge.source) in shown and _path(edge.target) in shown
        if inside or edge.source in starts or edge.target in starts:
            bundles.setdefault(_bundle(edge, starts), []).append(edge)
    best = sorted(bundles.items(), key=lambda pair: (-pair[1][0].weight, pair[1][0].id))
    kept: list[Candidate] = []
    of_type: dict[str, int] = {}
    for (subject, kind, _), relations in best:
        of_type[kind] = of_type.get(kind, 0) + 1
        if of_type[kind] <= MAX_OF_TYPE and len(kept) < MAX_BUNDLES:
            names = _names(relations, knowledge)
            why = partial(_why, relations, names, mentioned, starts)
            kept.append(_candidate(subject, relations, names, why))
    return kept


def _without_implied(relations: Sequence[Relation]) -> list[Relation]:
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
    """The reason for a bundle: where the walk that met its edges began."""
    ends = {end for relation in relations for end in (relation.source, relation.target)}
    for start in starts:
        if start in ends:
            name = inline(names.get(start, start.rpartition("#")[2] or start))
            return f"{name} is named in the question" if start in mentioned else f"of {name}, which was found"
    return "joins files that were found"


def _candidate(
    subject: str, relations: Sequence[Relation], names: Mapping[str, str], why: Reason
) -> Candidate:
    ends = dict.fromkeys(end for relation in relations for end in (relation.source, relation.target))
    placed = [end for end in ends if end not in names]
    return Candidate(
        section=Section.RELATION,
        id=relations[0].id,
        body=RelationBundle(subject, tuple(relations), names),
        scores=Scores(WORTH * relations[0].weight),
        paths=tuple(dict.fromkeys(map(_path, placed))),
        symbols=tuple(end for end in placed if "#" in end),
        why=why,
    )


def _names(relations: Sequence[Relation], knowledge: Knowledge) -> dict[str, str]:
    """Words for ends that are no path and no symbol."""
    ends = dict.fromkeys(end for relation in relations for end in (relation.source, relation.target))
    outlines = knowledge.graph.snapshot.outlines
    found = {}
    for end in ends:
        if _path(end) not in outlines and (entity := knowledge.entity(end)) is not None:
            found[end] = entity.name
    return found


def _path(entity_id: str) -> str:
    return entity_id.partition("#")[0]
