"""Names on the wire."""

from __future__ import annotations

from functools import cache


@cache
def wire_name(name: str) -> str:
    """``max_tokens`` -> ``maxTokens``."""
    head, *rest = name.split("_")
    return head + "".join(part.title() for part in rest)
