"""Sets of words, written as people write words: apart by spaces."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of ``text``."""
    return frozenset(text.split())
