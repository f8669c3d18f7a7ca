"""One chunk as it is stored, and where it lies."""

from __future__ import annotations

from msgspec import Struct


class ChunkRow(Struct, frozen=True):
    """One chunk as stored, without its vector and terms."""

    path: str
    language: str
    kind: str
    symbol: str
    start_line: int
    end_line: int
    text: str
    header: str


class ChunkLines(Struct, frozen=True):
    """The place of a chunk: 1-based, inclusive lines of a file."""

    path: str
    start_line: int
    end_line: int
