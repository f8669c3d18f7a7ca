"""Searches: the chunks that answer a query, without a prompt around them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from contextls.engine.bounds import check_limit, check_query
from contextls.model import SearchHit, SearchResult
from contextls.text.gate import clean
from contextls.text.notebook import close_gaps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contextls.memory.memories import Memories
    from contextls.store.chunk_rows import ChunkRow


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
    searched, content = limited.searchable(snapshot), memories.content.memory
    ranked = content.search(searched, content.read_query(query), limit)
    return SearchResult(
        query=query,
        hits=tuple(_describe_hit(searched.view.row(item.ref), item.score) for item in ranked),
        ms=round((time.perf_counter() - started) * 1000, 3),
        index_complete=was_complete and memories.content.is_complete,
        scope=limited.folders or (),
        index_extent=extent,
    )


def _describe_hit(row: ChunkRow, score: float) -> SearchHit:
    return SearchHit(
        path=row.path,
        start_line=row.start_line,
        end_line=row.end_line,
        language=row.language,
        kind=row.kind,
        symbol=row.symbol,
        score=round(score, 4),
        text=close_gaps(row.path, row.text),
    )
