"""Files that come with the package: grammars, tables, scripts. They are trusted as the code is."""

from __future__ import annotations

from pathlib import Path


def read_packaged(path: Path) -> str:
    """The text of a file of the package. Raises ``OSError`` when it is missing."""
    return path.read_text("utf-8")
