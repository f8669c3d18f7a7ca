"""Searches: the chunks that answer a query, without a prompt around them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from contextls.engine.bounds import check_limit, check_query
from contextls.model import SearchResult
from contextls.text.gate import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contextls.memory.memories import Memories


def search_chunks(memories: Memories, query: str, limit: int, scope: Sequence[str] | None) -> SearchResult:
    """See ``Engine.search``."""
    started = time.perf_counter()
    check_query(query)
    check_limit(limit)
    query = clean(query)
    memories.look_for(query, scope)
    # Taken before the search: what is indexed meanwhile may not be in it.
    was_complete, extent = memories.content.is_complete, memories.content.extent
    snapshot = memories.current()
    limited = memories.scope.find(scope, snapshot.outlines.keys())
    hits = memories.content.find(limited.searchable(snapshot), query, limit)
    return SearchResult(
        query=query,
        hits=hits,
        ms=round((time.perf_counter() - started) * 1000, 3),
        index_complete=was_complete and memories.content.is_complete,
        scope=limited.folders or (),
        index_extent=extent,
    )
