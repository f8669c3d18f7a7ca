"""Reads TOML. Most commands meet none, as tables of ours are made ahead, and load no reader of it."""

from __future__ import annotations

from typing import Any


def parse_toml(text: str) -> dict[str, Any]:
    """The table in ``text``. Raises ``ValueError``, and ``RecursionError`` where it is nested too deeply."""
    import tomllib

    return tomllib.loads(text)
