"""One line of gitignore's pattern language, read as git reads it and matched in linear time.

git tries a star at every place and starts again for each star after it, which takes time exponential in their number.
Here what stands between two stars has one length, so that its leftmost place leaves most to what follows: when the rest
fails there, it fails at every later place too, and none is tried. The same holds for whole folders between two ``**``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from contextls.regex import compile_late

MAX_LINE_CHARS = 4_096  # characters; no path that a system takes is longer
_RANGE = compile_late(
    r"(?<=\[)[^]\\[]-[^]\\[](?=\])|(?<=\[[!^])[^]\\[]-[^]\\[](?=\])"
)  # as the whole of a class
_SPECIAL = compile_late(r"[*?\[\\]")
_SIMPLE = compile_late(r"!?/?(?:\*?[^*?\[\\/]*|[^*?\[\\/]*\*|[^*?\[\\]*)/?\s*")
_STAR = ""  # in a list of expressions, each of which takes one byte; never equal to one of them
_ANY_BYTE = "[^/]"
_ANY_FOLDERS = "(?:[^/]++/)*?"
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \t",
    "cntrl": "\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "\x21-\x7e",
    "lower": "a-z",
    "print": "\x20-\x7e",
    "punct": "\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": " \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


class BadPatternError(ValueError):
    """The reason why a line can match nothing, in words for a user."""


class GlobPattern(NamedTuple):
    """One line of patterns. Exactly one of ``literal``, ``ending``, ``beginning`` and ``expression`` is not None.

    ``is_name`` when it is compared with the last part of a path alone. ``literal`` is all of that, ``ending`` and
    ``beginning`` are what it ends or begins with (``*.c``, ``a*``), ``expression`` is a regular expression for all of it.
    One character stands for one byte of UTF-8. ``doubt`` says what was surely meant otherwise.
    """

    ignores: bool
    folders_only: bool
    is_name: bool
    literal: str | None = None
    ending: str | None = None
    beginning: str | None = None
    expression: str | None = None
    doubt: str = ""


def by_bytes(text: str) -> str:
    """One character for each byte of UTF-8: git's ``?`` and ``[…]`` match bytes."""
    return text if text.isascii() else text.encode("utf-8", "surrogatepass").decode("latin-1")


def is_simple(line: str) -> bool:
    """Whether the line surely asks for a name or a path, or for what a name ends or begins with."""
    return _SIMPLE.fullmatch(line) is not None


def read_pattern(line: str) -> GlobPattern | None:
    """Read a line; None for a comment and for one that asks for nothing. Raises ``BadPatternError``."""
    if not line or line[0] == "#":
        return None
    if len(line) > MAX_LINE_CHARS:
        raise BadPatternError(f"longer than {MAX_LINE_CHARS:,} characters")
    line = _without_trailing_blanks(by_bytes(line.partition("\0")[0]))
    ignores = not line.startswith("!")
    line = line[not ignores :]
    folders_only = line.endswith("/")
    line = line[: len(line) - folders_only]
    if not line:
        return None
    is_name = "/" not in line
    line = line.removeprefix("/")
    if not _SPECIAL.search(line):
        if "//" in line or line.endswith("/") or not line:
            raise BadPatternError("a folder without a name")
        return GlobPattern(ignores, folders_only, is_name, literal=line)
    if is_name and line[0] == "*" and len(line) > 1 and not _SPECIAL.search(line, 1):
        # What most such lines are, read fast.
        return GlobPattern(ignores, folders_only, is_name=True, ending=line[1:])
    parts = [_part(text) for text in _split(line)]
    backwards = next((found for found in _RANGE.findall(line) if found[0] > found[2]), "")
    if parts[0] is None and not is_name and len(parts) == 2 and parts[1] is not None:
        parts, is_name = parts[1:], True  # in any folder, which is how names are looked up anyway
    pattern = _pattern(parts, ignores, folders_only, is_name)
    return pattern._replace(doubt=f"the range {backwards} runs backwards") if backwards else pattern


def _pattern(parts: list[_Part | None], ignores: bool, folders_only: bool, is_name: bool) -> GlobPattern:
    literals = [part.literal for part in parts if part is not None and part.literal is not None]
    if len(literals) == len(parts):
        return GlobPattern(ignores, folders_only, is_name, literal="/".join(literals))
    if is_name and parts[0] is not None:
        ending, beginning = parts[0].ending, parts[0].beginning
        if ending is not None or beginning is not None:
            return GlobPattern(ignores, folders_only, is_name=True, ending=ending, beginning=beginning)
    return GlobPattern(ignores, folders_only, is_name, expression=_expression(parts))


class _Part(Struct, frozen=True):
    """The part between two slashes: as an expression and, where it is as simple as that, as a text."""

    expression: str
    literal: str | None = None
    ending: str | None = None
    beginning: str | None = None


def _part(text: str) -> _Part | None:
    """One part of a pattern; None for ``**``, any number of folders."""
    if len(text) > 1 and not text.strip("*"):
        return None
    units = list(_units(text))
    if not units:
        raise BadPatternError("a folder without a name")
    bare = "".join(unit[1] for unit in units)
    stars = [place for place, unit in enumerate(units) if unit[0] == _STAR]
    expression = _linear("".join(unit[0] or "\0" for unit in units).split("\0"))
    if any(unit[0] and not unit[1] for unit in units) or len(stars) > 1:
        return _Part(expression)
    if not stars:
        return _Part(expression, literal=bare)
    if stars == [0]:
        return _Part(expression, ending=bare)
    return _Part(expression, beginning=bare if stars == [len(units) - 1] else None)


def _linear(between: list[str]) -> str:
    """An expression for what stands between the stars of a part, none of which ever tries again but the last."""
    if len(between) == 1:
        return between[0]
    first, *middle, last = between
    return first + "".join(f"(?>[^/]*?{part})" for part in middle if part) + "[^/]*" + last


def _expression(parts: list[_Part | None]) -> str:
    """An expression for a whole path."""
    whole, group, anywhere = "", "", False
    for place, part in enumerate(parts):
        is_last = place == len(parts) - 1
        if part is not None:
            group += part.expression if is_last else f"(?>{part.expression}/)"
        if part is None or is_last:
            if group and anywhere:
                whole += _ANY_FOLDERS + group if part is not None else f"(?>{_ANY_FOLDERS}{group})"
            else:
                whole += group
            group, anywhere = "", True
    return whole + (".+" if parts[-1] is None else "")


def _split(line: str) -> Iterator[str]:
    """The parts between slashes; one in brackets ends no part, as it can match nothing anyway."""
    start = place = 0
    while place < len(line):
        sign = line[place]
        if sign == "\\":
            if line[place + 1 : place + 2] == "/":  # the same as without the backslash
                yield line[start:place]
                start = place + 2
            place += 1
        elif sign == "[":
            place = _class(line, place)[1] - 1
        elif sign == "/":
            yield line[start:place]
            start = place + 1
        place += 1
    yield line[start:]


def _units(text: str) -> Iterator[tuple[str, str]]:
    """An expression for each byte that a part takes, with that byte where it is certain; ``_STAR`` for stars in a row."""
    place = 0
    while place < len(text):
        sign = text[place]
        if sign == "*":
            while text[place + 1 : place + 2] == "*":
                place += 1
            yield _STAR, ""
        elif sign == "?":
            yield _ANY_BYTE, ""
        elif sign == "[":
            expression, place = _class(text, place)
            yield expression, ""
            continue
        else:
            if sign == "\\":
                place += 1
                if place == len(text):
                    raise BadPatternError("a backslash at the end")
            yield re.escape(text[place]), text[place]
        place += 1


def _class(text: str, start: int) -> tuple[str, int]:
    """The expression for the brackets that open at ``start``, and where what follows them begins."""
    place = start + 1
    negated = text[place : place + 1] in ("!", "^")
    place += negated
    allowed: set[str] = set()
    before = ""  # what a range would begin with
    first = True
    while first or text[place : place + 1] != "]":
        first = False
        sign = text[place : place + 1]
        if sign == "-" and before and text[place + 1 : place + 2] not in ("", "]"):
            place += 1 + (text[place + 1] == "\\")
            allowed.update(_range(before, text[place : place + 1]))  # of one that runs backwards, nothing
            before = ""
        elif sign == "[" and text[place + 1 : place + 2] == ":" and (end := text.find("]", place + 2)) >= 0:
            name = text[place + 2 : end - 1]
            if text[end - 1] != ":" or end - 1 < place + 2:
                allowed.add("[")  # an ordinary bracket
                before = "["
            elif name in _CLASSES:
                allowed.update(_members(_CLASSES[name]))
                place, before = end, ""
            else:
                raise BadPatternError(f"no class of characters is called [:{name}:]")
        else:
            if sign == "\\":
                place += 1
                sign = text[place : place + 1]
            allowed.add(sign)
            before = sign
        place += 1
        if place >= len(text):
            raise BadPatternError("a [ without its ]")
    return _set(allowed, negated), place + 1


def _range(first: str, last: str) -> Iterator[str]:
    return map(chr, range(ord(first), ord(last or "\0") + 1))


def _members(ranges: str) -> Iterator[str]:
    """The characters of a table's entry such as ``a-z_``."""
    place = 0
    while place < len(ranges):
        if ranges[place + 1 : place + 2] == "-" and place + 2 < len(ranges):
            yield from _range(ranges[place], ranges[place + 2])
            place += 3
        else:
            yield ranges[place]
            place += 1


def _set(allowed: set[str], negated: bool) -> str:
    """An expression for one byte of the set, or for one outside of it; never for a slash."""
    if negated:
        return "[^/" + "".join(re.escape(sign) for sign in sorted(allowed)) + "]"
    kept = sorted(allowed - {"/"})
    if not kept:
        raise BadPatternError("brackets that no character fits")
    return "[" + "".join(re.escape(sign) for sign in kept) + "]"


def _without_trailing_blanks(line: str) -> str:
    """The line as git trims it: a blank after a backslash stays."""
    if not line.endswith(" "):
        return line
    end = len(line.rstrip(" "))
    backslashes = end - len(line[:end].rstrip("\\"))
    return line[: end + 1] if backslashes % 2 else line[:end]
