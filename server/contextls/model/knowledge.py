"""Answers to look-ups: hits, entities, relations, patterns."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from contextls.model.status import IndexExtent
from contextls.regex import compile_late
from contextls.schema.rules import Doc

MAX_LISTED = 10_000  # events, entities or patterns of one answer
MAX_STEPS = 5  # of a walk along relations
DEFAULT_RELATIONS = 8  # of one kind at one entity
_PATTERN_ID = compile_late(r"pattern-[0-9a-f]{10}")


class SearchHit(Struct, frozen=True):
    """One chunk found, best first."""

    path: str
    start_line: int
    end_line: int
    language: str
    kind: str
    symbol: str
    score: float
    text: str


class SearchResult(Struct, frozen=True):
    """The hits of a search and how long it took, in milliseconds."""

    query: str
    hits: tuple[SearchHit, ...]
    ms: float
    index_complete: bool
    scope: Annotated[tuple[str, ...], Doc("the folders that were searched; empty for all")] = ()
    index_extent: Annotated[
        IndexExtent | None,
        Doc("how much is indexed; null where `indexComplete` is true, or while files are still counted"),
    ] = None


class EntityView(Struct, frozen=True):
    """A thing worth naming: file, symbol (``type`` is its kind), package, person, command, error, test.

    ``salience``, and ``centrality``, ``activity`` and ``churn`` that it is made of, lie in 0..1. ``match`` says how a query
    means it: ``exact``, ``folded``, ``qualified``, ``split`` or ``fuzzy``.
    """

    id: str
    type: str
    name: str
    path: str | None
    line: int | None
    signature: str
    doc: str
    salience: float
    centrality: float
    activity: float
    churn: float
    properties: Mapping[str, str]
    match: str | None


class RelationView(Struct, frozen=True):
    """An edge between two entities, by their ids. ``weight`` in 0..1 falls with the ``steps`` from the start.

    Of ``applications`` occasions ``support`` spoke for it; both are 0 where nothing is counted.
    """

    source: str
    target: str
    type: str
    weight: float
    support: int
    applications: int
    steps: int


class OmittedRelations(Struct, frozen=True):
    """So many relations of a type that are left out, at one entity: it is their ``source`` or their ``target``."""

    source: str | None
    target: str | None
    type: str
    count: int


class GraphView(Struct, frozen=True):
    """The neighbourhood of ``start``. ``alternatives`` are ids of other entities that the name may have meant.

    ``omitted`` counts the relations that there are beside ``relations``: at ``start`` all, elsewhere those that were come
    by.
    """

    start: EntityView
    alternatives: tuple[str, ...]
    entities: tuple[EntityView, ...]
    relations: tuple[RelationView, ...]
    omitted: tuple[OmittedRelations, ...]


class PatternKind(StrEnum):
    """The sort of a habit."""

    TOGETHER = "together"
    TEST = "test"
    COMMAND = "command"
    FIX = "fix"
    SEQUENCE = "sequence"
    TASK = "task"


class PatternUnit(StrEnum):
    """Occasions that were counted."""

    TIMES = "times"
    COMMITS = "commits"


def is_pattern_id(text: str) -> bool:
    """Whether ``text`` has the form that the ids of patterns have."""
    return bool(_PATTERN_ID.fullmatch(text))


class Pattern(Struct, frozen=True):
    """A habit in words. ``files`` and ``words`` say when it applies, ``commands`` what it names to run.

    Of ``applications`` occasions it held in ``successes``; ``passed`` counts the runs that ended well where it is about a
    command. ``helpful`` and ``unhelpful`` are what people said about it. ``last_seen`` is in milliseconds since the epoch, 0
    where only commits speak for it.
    """

    id: str
    kind: PatternKind
    description: str
    files: tuple[str, ...]
    commands: tuple[str, ...]
    words: tuple[str, ...]
    applications: int
    successes: int
    passed: int | None
    unit: PatternUnit
    helpful: int
    unhelpful: int
    last_seen: int
    confidence: float
