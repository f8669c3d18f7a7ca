r"""A text as a person would read it: without terminal colours, with the escapes of string literals undone, in plain letters.

Rules look at views, so that ``\x1b[32mghp_…`` and ``"line\nghp_…"`` are found like the plain token.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate

from contextls.regex import compile_late
from contextls.text.look_alikes import AS_SEEN, INVISIBLE

# A text, and what turns a span in it into the span in the text that it is a view of.
View = tuple[str, Callable[[int, int], tuple[int, int]]]

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
# Escapes are everywhere in code; a long run with a digit, or of capitals, right after one is rare. The letters of the
# escape would make one word of it and the secret.
_GLUED = compile_late(
    r"(?:%(?!3[AaDd])[0-9A-Fa-f]{2}|\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[0abefv]))(?=(?=[\w-]*\d)[\w-]{12}|[A-Z0-9]{12})",
    re.ASCII,
)

_WRITTEN = r"\\(?<!\\\\)(?:x|u00)(?P<code>3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])"
# Greek, Cyrillic, Armenian and wide letters.
_PLAIN = {code: letter for code, letter in AS_SEEN.items() if 0x370 <= code < 0x600} | {
    0xFF00 + code - 0x20: chr(code) for code in range(0x41, 0x7B) if chr(code).isalpha()
}
_WRITTEN_LETTER = compile_late(_WRITTEN)
_DISGUISED = compile_late(rf"{_WRITTEN}|(?P<alike>[{''.join(map(chr, _PLAIN))}]+)|[{INVISIBLE}]+")
_NAMES = (
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "private_key",
)
# Those that most Cyrillic letters in a name pass for.
_OFTEN_ALIKE = str.maketrans(dict.fromkeys("aceopxy", "?"))


def _disguises(name: str) -> Iterator[str]:
    """The name as latin-1 has it when another letter passes for one of its own, or one that is not seen is in it."""
    yield name.translate(_OFTEN_ALIKE)
    for at in range(len(name)):
        yield f"{name[:at]}?{name[at + 1 :]}"
    for at in range(1, len(name)):
        yield f"{name[:at]}?{name[at:]}"


# One of these is in every text with an escape of a letter, or with a name that has such letters, in small letters and
# latin-1.
WRITTEN_LETTERS = (b"\\x", b"\\u00")
DISGUISED_NAMES = frozenset(word.encode() for name in _NAMES for word in _disguises(name))


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


def without_terminal_escapes(text: str) -> View:
    """The text without commands for a terminal."""
    return _rewrite(text, _ESCAPES, lambda _escape: "")


def has_disguised_letters(text: str, places: Mapping[bytes, object]) -> bool:
    """Whether a plain letter is written as an escape, or one in a name as another that passes for it.

    ``places`` has those of ``WRITTEN_LETTERS`` and ``DISGUISED_NAMES`` that occur.
    """
    if any(word in places for word in WRITTEN_LETTERS) and _WRITTEN_LETTER.search(text):
        return True
    return not text.isascii() and not DISGUISED_NAMES.isdisjoint(places)


def with_plain_letters(text: str) -> View:
    """The text with those letters as a reader takes them."""
    return _rewrite(text, _DISGUISED, _plain)


def _plain(disguised: re.Match[str]) -> str:
    if disguised["code"]:
        return chr(int(disguised["code"], 16))
    return disguised[0].translate(_PLAIN) if disguised["alike"] else ""


def _rewrite(text: str, pattern: re.Pattern[str], plain: Callable[[re.Match[str]], str]) -> View:
    """The view in which every match is replaced: by nothing, by one character or by as many as it had."""
    parts: list[str] = []
    places: list[tuple[int, int]] = []  # where each part begins and ends in the whole text
    at = 0
    for match in pattern.finditer(text):
        for part, place in ((text[at : match.start()], (at, match.start())), (plain(match), match.span())):
            if part:
                parts.append(part)
                places.append(place)
        at = match.end()
    parts.append(text[at:])
    places.append((at, len(text)))
    ends = list(accumulate(map(len, parts)))
    starts = [0, *ends][:-1]

    def span(start: int, end: int) -> tuple[int, int]:
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1
        return places[first][0] + start - starts[first], places[last][1] - (ends[last] - end)

    return "".join(parts), span
