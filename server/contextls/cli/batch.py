"""Answers many queries with one line of results for each, as benchmarks need it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from contextls.cli.arguments import readable
from contextls.cli.output import emit, json_text
from contextls.errors import InvalidRequestError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from contextls.engine import Engine

_EXPECTED = 'a JSON object like {"query": "..."}'


def queries_in(file: Path) -> Iterator[str]:
    """Read the queries of a JSON-lines file (``-`` is standard input); blank lines are passed over.

    Raises ``InvalidRequestError`` that names ``file:line`` of a malformed line, or the unreadable file.
    """
    name = "<stdin>" if str(file) == "-" else str(file)
    with readable(file, "--batch") as source:
        for number, line in enumerate(source, start=1):
            if line.strip():
                yield _query(line, f"{name}:{number}")


def answer_all(engine: Engine, queries: Iterator[str], limit: int, scope: tuple[str, ...] | None) -> None:
    """Write one JSON line per query as soon as it is known; ``ms`` is the engine's own time."""
    for query in queries:
        result = engine.search(query, limit, scope)
        places = [[hit.path, hit.start_line, hit.end_line] for hit in result.hits]
        emit(json_text({"query": query, "results": places, "ms": round(result.ms, 3)}))


def _query(line: bytes, place: str) -> str:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise InvalidRequestError(place, _EXPECTED, line.decode("utf-8", "replace").strip()) from None
    if not isinstance(value, dict) or "query" not in value:
        raise InvalidRequestError(place, _EXPECTED, value)
    query = value["query"]
    if not isinstance(query, str) or not query.strip():
        raise InvalidRequestError(f"{place}: query", "a string that is not empty", query)
    return query
