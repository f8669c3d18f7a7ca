"""Tells programs from other files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from contextls.isolation import program_endings


def is_program(path: Path, endings: Sequence[str] | None = None) -> bool:
    """Whether the system runs ``path``, or a file whose name has one of its ``endings`` more (``.EXE``).

    Raises ``OSError`` and ``ValueError`` for what cannot be looked at.
    """
    added = filter(None, program_endings() if endings is None else endings)
    return any(path.with_name(path.name + ending).is_file() for ending in added) or bool(
        path.stat().st_mode & 0o111
    )
