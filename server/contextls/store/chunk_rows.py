"""One chunk as it is stored, and where it lies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """One chunk as stored, without its vector and terms."""

    path: str
    language: str
    kind: str
    symbol: str
    start_line: int
    end_line: int
    text: str
    header: str


@dataclass(frozen=True, slots=True)
class ChunkLines:
    """The place of a chunk: 1-based, inclusive lines of a file."""

    path: str
    start_line: int
    end_line: int
