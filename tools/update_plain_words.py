"""Stem the table of plain words ahead, so that no process has to.

usage: python tools/update_plain_words.py

Reads ``plain_words.txt`` and writes ``plain_words.json`` beside it.
"""

from __future__ import annotations

from msgspec import json

from contextls.memory.index.words.plain_words import STEMMED, TABLE, parse_plain_words


def stem_table() -> bytes:
    """The content of ``plain_words.json``, an entry a line."""
    return json.format(json.encode(parse_plain_words(TABLE.read_text("utf-8"))), indent=1) + b"\n"


if __name__ == "__main__":
    STEMMED.write_bytes(stem_table())
