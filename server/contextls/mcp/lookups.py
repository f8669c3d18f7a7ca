"""Looks up pieces of code and entities, and what is connected with one entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.mcp.answers import (
    EntityAnswer,
    EntityItem,
    Hit,
    OmittedItem,
    RelatedAnswer,
    RelationItem,
    SearchAnswer,
)
from contextls.mcp.budget import Listing
from contextls.requests.lookup import MAX_HITS

if TYPE_CHECKING:
    from contextls.mcp.call import Call
    from contextls.mcp.params import FindEntity, Related, SearchCode
    from contextls.model import EntityView, GraphView

# The numbers that are looked up for one page, which seldom has room for all.
_HITS = 60
_ENTITIES = 300


async def search(call: Call, params: SearchCode) -> Listing[Hit]:
    """The pieces of code that answer a query."""
    start = _read_place(params.cursor, MAX_HITS)
    workspace, warnings = await call.indexed(params.root)
    limit = min(start + _HITS, MAX_HITS)
    found = await workspace.ask(lambda engine: engine.search(params.query, limit, params.scope))
    if found.scope:
        warnings = (*warnings, f"scope: only {', '.join(found.scope)}")
    hits = [Hit(one.path, one.start_line, one.end_line, one.symbol, one.text) for one in found.hits[start:]]
    return Listing(
        hits,
        lambda page, cursor: SearchAnswer(page, found.index_complete, warnings, cursor),
        lambda count: str(start + count),
        more=len(found.hits) == limit < MAX_HITS,
    )


async def find_entities(call: Call, params: FindEntity) -> Listing[EntityItem]:
    """The entities that a query mentions, or that matter most."""
    start = _read_place(params.cursor, MAX_HITS)
    workspace, _ = await call.indexed(params.root)
    limit = start + _ENTITIES
    found = await workspace.ask(lambda engine: engine.entities(params.query, params.types or None, limit))
    return Listing(
        [_entity(one) for one in found[start:]],
        EntityAnswer,
        lambda count: str(start + count),
        more=len(found) == limit < MAX_HITS,
    )


async def find_related(call: Call, params: Related) -> Listing[RelationItem]:
    """List the relations of an entity, strongest first."""
    start = _read_place(params.cursor)
    workspace, _ = await call.indexed(params.root)
    graph = await workspace.ask(lambda engine: engine.graph(params.name, params.depth, params.limit))
    if graph is None:
        raise InvalidRequestError(
            "name", "something that the workspace knows; find_entity lists it", params.name
        )
    described, alternatives, omitted = _entity(graph.start), graph.alternatives, _omitted(graph)
    return Listing(
        _relations(graph)[start:],
        lambda page, cursor: RelatedAnswer(described, alternatives, page, omitted, cursor),
        lambda count: str(start + count),
    )


def _relations(graph: GraphView) -> list[RelationItem]:
    places = {one.id: one for one in (graph.start, *graph.entities)}
    items = []
    for edge in graph.relations:
        other = places.get(edge.source if edge.target == graph.start.id else edge.target)
        path, line = (other.path, other.line) if other else (None, None)
        items.append(
            RelationItem(edge.type, edge.source, edge.target, path, line, round(edge.weight, 3), edge.steps)
        )
    return items


def _omitted(graph: GraphView) -> tuple[OmittedItem, ...]:
    start = graph.start.id
    return tuple(
        OmittedItem(one.type, one.source, one.target, one.count)
        for one in graph.omitted
        if start in (one.source, one.target)
    )


def _entity(view: EntityView) -> EntityItem:
    return EntityItem(
        view.id, view.type, view.name, view.path, view.line, view.signature, view.doc, round(view.salience, 3)
    )


def _read_place(cursor: str | None, most: int | None = None) -> int:
    """How many items earlier pages have shown. Raises ``InvalidRequestError``."""
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 10) or (most and int(cursor) >= most):
        raise InvalidRequestError("cursor", "the nextCursor of the answer before", cursor)
    return int(cursor)
