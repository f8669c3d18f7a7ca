"""Bounds on what callers of an engine may ask for."""

from __future__ import annotations

from contextls.errors import InvalidRequestError
from contextls.model import MAX_LISTED, MAX_QUERY_CHARS


def check_query(query: str) -> None:
    """Raise ``InvalidRequestError`` unless ``query`` has words, and not too many."""
    if not query.strip():
        raise InvalidRequestError("query", "a question of at least one word", query)
    if len(query) > MAX_QUERY_CHARS:
        raise InvalidRequestError("query", f"at most {MAX_QUERY_CHARS:,} characters", query)


def check_limit(limit: int) -> None:
    """Raise ``InvalidRequestError`` unless ``limit`` items can be listed at once."""
    if not 1 <= limit <= MAX_LISTED:
        raise InvalidRequestError("limit", f"a whole number from 1 to {MAX_LISTED}", limit)
