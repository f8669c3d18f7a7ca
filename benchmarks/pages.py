"""Put measured figures into a page: what stands after an HTML comment, up to the next blank line, is theirs."""

from __future__ import annotations

import re
from pathlib import Path


def replace_figures(page: Path, name: str, text: str) -> None:
    """Write ``text`` after ``<!-- measured: NAME -->`` in ``page``; raises ``LookupError`` where the comment is missing."""
    marker = f"<!-- measured: {name} -->\n"
    before = page.read_text(encoding="utf-8")
    place = re.compile(re.escape(marker) + r"(?:\n(?:(?!<!--|#).+\n)+)?")
    after, found = place.subn(lambda _: f"{marker}\n{text.rstrip()}\n", before)
    if not found:
        raise LookupError(f"{page}: no comment {marker.strip()!r} to write after")
    page.write_text(after, encoding="utf-8")
