"""Make ahead the tables that every process would otherwise read for itself.

usage: python tools/update_tables.py

Writes ``plain_words.json``, whose words are stemmed, and of secrets the rules (``rules.json``) and names (``names.json``).
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct, json

from contextls.memory.index.words.plain_words import STEMMED, TABLE, parse_plain_words
from contextls.text.secrets import names, rules


def write_table(path: Path, table: Struct, order: Literal["deterministic"] | None = None) -> None:
    """Write ``table``, an entry a line."""
    path.write_bytes(json.format(json.encode(table, order=order), indent=1) + b"\n")


if __name__ == "__main__":
    write_table(STEMMED, parse_plain_words(TABLE.read_text("utf-8")))
    write_table(rules.STORED, rules.read_rules())
    write_table(names.STORED, names.read_name_lists(), "deterministic")
