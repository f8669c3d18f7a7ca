"""Cut text to a number of tokens at line borders, saying in its place what was left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct

from contextls.text.tokens import Tokenizer

# Where whole lines fill less of the room than this, the line after them is a long one.
LINES_ARE_ENOUGH = 0.7


class Keep(StrEnum):
    """The part of a text that stays."""

    HEAD = "head"
    TAIL = "tail"
    ENDS = "ends"  # the middle goes, most of what stays is from the beginning


class Truncated(Struct, frozen=True):
    """``text`` with ``omitted`` lines left out; 0 when it was not cut."""

    text: str
    omitted: int


def truncate(text: str, max_tokens: int, tokenizer: Tokenizer, keep: Keep = Keep.HEAD) -> Truncated:
    """Keep as many whole lines as fit in ``max_tokens``, with ``… (12 lines omitted)`` in place of the others.

    The result never counts more than ``max_tokens``. Where not even the marker fits with a line, the marker
    stands alone; where it does not fit at all, the text is empty.
    """
    if tokenizer.count(text) <= max_tokens:
        return Truncated(text, 0)
    lines = text.splitlines(keepends=True)
    build = _BUILDERS[keep]

    def fits(kept: int) -> bool:
        return tokenizer.count(build(lines, kept)) <= max_tokens

    # Counts grow with the number of kept lines, but for a token or two where a cut joins differently: the
    # search lands near the border, the loop after it makes sure.
    kept = bisect_right(range(len(lines)), False, key=lambda count: not fits(count)) - 1
    while kept >= 0 and not fits(kept):
        kept -= 1
    if kept < 0:
        return Truncated("", len(lines))
    return Truncated(build(lines, kept), len(lines) - kept)


def cut_to_head(text: str, max_tokens: int, tokenizer: Tokenizer) -> str:
    """The beginning of ``text`` in ``max_tokens``: whole lines, but a line that would take most of it is cut inside.

    ``… (1,200 characters omitted)`` stands for what is missing then; empty where not even that fits.
    """
    whole = truncate(text, max_tokens, tokenizer)
    if not whole.omitted or tokenizer.count(whole.text) >= LINES_ARE_ENOUGH * max_tokens:
        return whole.text

    def cut(length: int) -> str:
        return f"{text[:length].rstrip()}… ({len(text) - length:,} characters omitted)\n"

    length = len(tokenizer.prefix(text, max_tokens - tokenizer.count(cut(0))))
    while length > 0 and tokenizer.count(cut(length)) > max_tokens:
        length -= 1  # the mark joins differently with each character before it
    return cut(length) if length > 0 else whole.text


def _marker(omitted: int) -> str:
    return f"… ({omitted} {'line' if omitted == 1 else 'lines'} omitted)\n"


def keep_head(lines: list[str], kept: int) -> str:
    """The first ``kept`` of ``lines``, and how many are missing."""
    return "".join(lines[:kept]) + _marker(len(lines) - kept)


def _tail(lines: list[str], kept: int) -> str:
    return _marker(len(lines) - kept) + "".join(lines[len(lines) - kept :])


def _ends(lines: list[str], kept: int) -> str:
    first = -(-kept * 2 // 3)
    last = kept - first
    return "".join(lines[:first]) + _marker(len(lines) - kept) + "".join(lines[len(lines) - last :])


_BUILDERS: dict[Keep, Callable[[list[str], int], str]] = {
    Keep.HEAD: keep_head,
    Keep.TAIL: _tail,
    Keep.ENDS: _ends,
}
