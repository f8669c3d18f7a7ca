"""Lines of programs that print JSON: the text that each holds of what would have been printed."""

from __future__ import annotations

import json
from collections.abc import Iterable

from contextls.text.terminal_text import plain_text

# A longer line is data.
MAX_JSON_CHARS = 20_000
# What Go and Cargo call the kind of a line.
_KINDS = frozenset(("Action", "reason"))


def lines_said(line: str) -> Iterable[str]:
    """The lines that a line stands for: of one in JSON, as Go and Cargo can print them, those of the text that it holds."""
    if not line.startswith('{"') or len(line) > MAX_JSON_CHARS:
        return (line,)
    try:
        said = json.loads(line)
        if _KINDS.isdisjoint(said):
            return (line,)
        text = said.get("Output") or (said.get("message") or {}).get("rendered") or ""
        return plain_text(str(text)).splitlines()
    except (ValueError, TypeError, AttributeError, RecursionError):
        return (line,)
