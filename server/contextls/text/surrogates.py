"""Texts that can be encoded: editors may send halves of surrogate pairs."""

from __future__ import annotations


def repair_surrogates(text: str) -> str:
    """``text`` with halves of surrogate pairs joined, and lone halves replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
