r"""A text as a person would read it: without terminal colours, with the escapes of string literals undone.

Rules look at views, so that ``\x1b[32mghp_…`` and ``"line\nghp_…"`` are found like the plain token.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

from contextls.regex import compile_late

_ESCAPES = compile_late(
    r"(?:\x1b|\x9b|\\u001[bB]|\\x1[bB]|\\033|\\e)"
    r"(?:\[[0-9;:?]{0,20}[A-Za-z]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|\(B)"
)
# One of these is in every text that holds such commands, in small letters; the first are single characters.
_ESCAPE_CHARACTERS = ("\x1b", "\x9b")
WRITTEN_ESCAPES = (b"1b[", b"033[", b"\\e[")
# Each is replaced by as many characters, so that places stay the same.
_BACKSLASHED = {"n": " \n", "r": "  ", "t": "  ", '"': ' "', "'": " '"}
_UNICODE = {"u0022": '     "', "u003d": "     =", "u0026": "     &", "u0027": "     '"}
_ENTITIES = {"quot;": '     "', "#34;": '    "', "apos;": "     '", "amp;": "    &"}
# Escapes are everywhere in code; a long run with a digit, or of capitals, right behind one is rare. The letters of the
# escape would make one word of it and the secret.
_GLUED = compile_late(
    r"(?:%(?!3[AaDd])[0-9A-Fa-f]{2}|\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[0abefv]))(?=(?=[\w-]*\d)[\w-]{12}|[A-Z0-9]{12})",
    re.ASCII,
)


def unescape(text: str) -> str:
    """The text with the escapes of string literals and of markup undone, every other character in its place."""
    if "\\" in text:
        first, *rest = text.split("\\")
        text = first + "".join([_after_backslash(part) for part in rest])
    if "\\" in text or "%" in text:
        text = _unglue(text)
    if "&" in text and ";" in text:
        for entity, plain in _ENTITIES.items():
            text = text.replace(f"&{entity}", plain)
    return text


def _unglue(text: str) -> str:
    """Every ``_GLUED`` as blanks; most texts have none, and to look where one may begin takes a third of the time."""
    spans = []
    for sign in "\\%":
        at = text.find(sign)
        while at >= 0:
            if (found := _GLUED.match(text, at)) is not None:
                spans.append(found.span())
            at = text.find(sign, at + 1)
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        parts += (text[done:start], " " * (end - start))
        done = end
    return "".join(parts) + text[done:] if spans else text


def _after_backslash(part: str) -> str:
    if (plain := _BACKSLASHED.get(part[:1])) is not None:
        return plain + part[1:]
    if (plain := _UNICODE.get(part[:5])) is not None:
        return plain + part[5:]
    return "\\" + part


def has_terminal_escapes(text: str, *, written: bool) -> bool:
    """Whether the text holds colours or other commands for a terminal; ``written`` if one of ``WRITTEN_ESCAPES`` occurs."""
    return (written or any(sign in text for sign in _ESCAPE_CHARACTERS)) and bool(_ESCAPES.search(text))


def without_terminal_escapes(text: str) -> tuple[str, Callable[[int, int], tuple[int, int]]]:
    """The text without commands for a terminal, and what turns a span in it into the span in the whole text."""
    matches = list(_ESCAPES.finditer(text))
    parts: list[str] = []
    kept: list[int] = []  # where each part begins in the whole text
    at = 0
    for match in matches:
        parts.append(text[at : match.start()])
        kept.append(at)
        at = match.end()
    parts.append(text[at:])
    kept.append(at)
    starts = [0, *accumulate(map(len, parts))][:-1]

    def span(start: int, end: int) -> tuple[int, int]:
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1
        return kept[first] + start - starts[first], kept[last] + end - starts[last]

    return "".join(parts), span
