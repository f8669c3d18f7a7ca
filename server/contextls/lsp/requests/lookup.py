"""``context/search``, ``entities``, ``graph``, ``patterns``, ``feedback`` and ``archetypes``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.live.first_index import wait_for_first_index
from contextls.standalone import list_archetypes

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer
    from contextls.model import GraphView, SearchResult
    from contextls.requests.lookup import (
        ArchetypeList,
        EntitiesParams,
        EntityList,
        FeedbackGiven,
        FeedbackParams,
        GraphParams,
        NoParams,
        PatternList,
        PatternsParams,
        SearchParams,
    )


async def search(ls: ContextServer, params: SearchParams) -> SearchResult:
    """Answer with the chunks that answer a query."""
    workspace = ls.workspaces.choose(params.root_uri)
    await wait_for_first_index(workspace)
    return await workspace.ask(lambda engine: engine.search(params.query, params.limit, params.scope))


async def entities(ls: ContextServer, params: EntitiesParams) -> EntityList:
    """Answer with what a query mentions, or what matters most in a workspace right now."""
    from contextls.requests.lookup import EntityList

    workspace = ls.workspaces.choose(params.root_uri)
    found = await workspace.ask(lambda engine: engine.entities(params.query, params.types, params.limit))
    return EntityList(tuple(found))


async def graph(ls: ContextServer, params: GraphParams) -> GraphView | None:
    """Answer with what hangs together with an entity; null when nothing is called so."""
    workspace = ls.workspaces.choose(params.root_uri)
    return await workspace.ask(lambda engine: engine.graph(params.name, params.depth, params.limit))


async def patterns(ls: ContextServer, params: PatternsParams) -> PatternList:
    """Answer with the surest habits; with ``path``, those that name this file."""
    from contextls.requests.lookup import PatternList

    workspace = ls.workspaces.choose(params.root_uri)
    found = await workspace.ask(lambda engine: engine.patterns(params.limit, params.path))
    return PatternList(tuple(found))


async def feedback(ls: ContextServer, params: FeedbackParams) -> FeedbackGiven:
    """Keep a judgement on a piece of a prompt; answered once it is durable."""
    from contextls.requests.lookup import FeedbackGiven

    workspace = ls.workspaces.choose(params.root_uri)
    source = params.source or params.id or ""
    await workspace.change(
        lambda engine: engine.feedback(source, helpful=params.helpful, context_id=params.context_id)
    )
    return FeedbackGiven(source, params.helpful)


async def archetypes(ls: ContextServer, _asked: NoParams) -> ArchetypeList:  # noqa: ARG001 - as all handlers
    """Answer with the named strategies, to offer them to a user."""
    from contextls.requests.lookup import ArchetypeList

    return ArchetypeList(list_archetypes())
