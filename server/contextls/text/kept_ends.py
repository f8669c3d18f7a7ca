"""Keeps the beginning, or both ends, of what is too long: the beginning says what ran, the end how it ended."""

from __future__ import annotations


def keep_beginning(text: str, most: int) -> str:
    """``text`` as it is, or its beginning with an ellipsis, in at most ``most`` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def keep_both_ends(text: str, each: int) -> str:
    """``text`` as it is, or its first and its last ``each`` characters."""
    left_out = len(text) - 2 * each
    return text if left_out <= 0 else join_ends(text[:each], text[-each:], left_out)


def join_ends(head: str, tail: str, left_out: int, unit: str = "characters") -> str:
    """Two ends, with a line between them that says how much is missing."""
    return f"{head}\n[{left_out:,} {unit} left out]\n{tail}"
