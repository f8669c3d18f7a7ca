"""Looking things up: ``context/search``, ``entities``, ``graph``, ``patterns``, ``feedback`` and ``archetypes``."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.model import (
    DEFAULT_RELATIONS,
    MAX_LISTED,
    MAX_STEPS,
    Archetype,
    EntityView,
    Pattern,
    is_pattern_id,
)
from contextls.requests.common import DEFAULT_LISTED, FilledText, GivenScope, Limit, RootUri
from contextls.schema.rules import Bounds, Doc, StringForm

DEFAULT_HITS = 10
MAX_HITS = 1_000
PatternId = Annotated[str, StringForm("id of a pattern", "the id of a pattern", is_pattern_id)]


class SearchParams(Struct, frozen=True, kw_only=True):
    """A query for chunks."""

    query: Annotated[FilledText, Doc("what is searched for")]
    limit: Annotated[
        int,
        Bounds(1, MAX_HITS),
        Doc(f"at most so many, 1 to {MAX_HITS:,}; {DEFAULT_HITS} when absent"),
    ] = DEFAULT_HITS
    scope: GivenScope = None
    root_uri: RootUri = None


class EntitiesParams(Struct, frozen=True, kw_only=True):
    """Which entities are listed."""

    query: Annotated[
        FilledText | None, Doc("those that this text mentions, surest first; all, by salience, when absent")
    ] = None
    types: Annotated[tuple[str, ...] | None, Doc("only these types")] = None
    limit: Limit = DEFAULT_LISTED
    root_uri: RootUri = None


class EntityList(Struct, frozen=True):
    """The entities that were asked for."""

    entities: tuple[EntityView, ...]


class GraphParams(Struct, frozen=True, kw_only=True):
    """An entity whose surroundings are asked for."""

    name: Annotated[FilledText, Doc("its id, or a name, `Class.method`, path or `path:line`")]
    depth: Annotated[int, Bounds(1, MAX_STEPS), Doc(f"1 to {MAX_STEPS} steps; 1 when absent")] = 1
    limit: Annotated[
        int,
        Bounds(1, MAX_LISTED),
        Doc(f"so many relations of a kind at an entity, the heaviest; {DEFAULT_RELATIONS} when absent"),
    ] = DEFAULT_RELATIONS
    root_uri: RootUri = None


class PatternsParams(Struct, frozen=True, kw_only=True):
    """Which habits are listed."""

    limit: Limit = DEFAULT_LISTED
    path: Annotated[str | None, Doc("only those that name this file")] = None
    root_uri: RootUri = None


class PatternList(Struct, frozen=True):
    """The habits of a workspace, surest first."""

    patterns: tuple[Pattern, ...]


class FeedbackParams(Struct, frozen=True, kw_only=True):
    """Whether a piece of a prompt helped."""

    source: Annotated[FilledText | None, Doc("the piece, as in `components`. Either this or `id`")] = None
    id: Annotated[PatternId | None, Doc("the `id` of a pattern, as `context/patterns` answers")] = None
    helpful: Annotated[bool, Doc("whether it helped")]
    context_id: Annotated[
        str | None,
        Doc(
            "the `id` of the context that it was in. It is kept as it is given: the server knows those of its last answers "
            "alone"
        ),
    ] = None
    root_uri: RootUri = None

    def __post_init__(self) -> None:
        if self.source is not None and self.id is not None:
            raise InvalidRequestError("id", "either source or id, not both")
        if self.source is None and self.id is None:
            raise InvalidRequestError("source", "a string; it is missing")


class FeedbackGiven(Struct, frozen=True):
    """The judgement that was kept."""

    source: str
    helpful: bool


class NoParams(Struct, frozen=True):
    """No parameters."""


class ArchetypeList(Struct, frozen=True):
    """The named strategies."""

    archetypes: tuple[Archetype, ...]
