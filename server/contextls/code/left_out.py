"""Marks in the place of lines that are not shown: how many of a function or a table come before, and how many follow.

Where the bodies of functions are comes packed as ``code.skeleton`` describes. Tables are other definitions, as the first
and the last line of each: constants of many lines, and types that hold no functions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from contextls.code.language_facts import LanguageFacts
from contextls.code.languages import default_languages

Tables = tuple[tuple[int, int], ...]


class _Block(NamedTuple):
    """A function or a table, by its first and last line; its signature ends ``signature`` lines after the first."""

    first: int
    last: int
    signature: int

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands in the order of a file: after what ends before it, and after what is around it."""
        return self.first, -self.last


def mark_rest(
    language: str,
    bodies: str,
    last_line: int,
    next_line: int | None = None,
    *,
    tables: Tables = (),
    end_line: int = 0,
) -> str:
    """A line of comment that says how many lines of a function or a table follow on ``last_line`` of its file; or nothing.

    Where it goes on at ``next_line``, those before it count. With ``end_line``, what follows up to that was cut off: it is
    told even of a single line, and of text in no language.
    """
    opened = _opened_before(last_line + 1, language, bodies, tables)
    around = [block.last for block in opened if last_line < block.last]
    cut = max(0, end_line - last_line)
    if next_line is not None and last_line < next_line <= max([end_line + 1, *around]):
        return _tell_lines(next_line - last_line - 1, "", language, always=cut > 0)
    # The rest of the innermost that says something; one line, such as a bracket, does not.
    rest = next((last - last_line for last in reversed(around) if last - last_line > 1), 0)
    return _tell_lines(max(rest, cut), "more ", language, always=cut > 0)


def mark_before(language: str, bodies: str, first_line: int, tables: Tables = ()) -> str:
    """A line of comment that says how many lines come before ``first_line`` in its function or table; or nothing.

    Those of its signature do not count.
    """
    block = _around(language, bodies, first_line, tables)
    if block is None:
        return ""
    return _tell_lines(first_line - block.first - block.signature, "", language)


def open_header(header: str, language: str, bodies: str, first_line: int, tables: Tables = ()) -> str:
    """The signature in ``header`` with the brace after it, where ``first_line`` is of its body, as one would read it."""
    header = header.rstrip()
    is_open = not header or header.endswith(("{", "(", "[", "=", ":", "…"))
    if is_open or not _has_braces(language) or _around(language, bodies, first_line, tables) is None:
        return header
    return f"{header} {{"


def write_comment(words: str, facts: LanguageFacts | None) -> str:
    """``words`` as a comment within a line; as they are where nobody knows comments."""
    if facts is not None and facts.comments.block:
        opening, closing = facts.comments.block[0]
        return f"{opening} {words} {closing}"
    if facts is not None and facts.comments.line:
        return f"{facts.comments.line[0]} {words}"
    return words


def _around(language: str, bodies: str, line: int, tables: Tables) -> _Block | None:
    """The innermost that goes on in ``line``."""
    opened = _opened_before(line, language, bodies, tables)
    return next((block for block in reversed(opened) if line <= block.last), None)


def _opened_before(line: int, language: str, bodies: str, tables: Tables) -> Sequence[_Block]:
    """The blocks that begin before ``line``."""
    blocks = _blocks(language, bodies, tables)
    return blocks[: bisect_left(blocks, line, key=attrgetter("first"))]


# Cached, as several pieces of one file are written, and each asks more than once.
@lru_cache(maxsize=64)
def _blocks(language: str, bodies: str, tables: Tables) -> Sequence[_Block]:
    """All blocks, in the order of the file, an outer one before those in it."""
    numbers = bodies.split()
    # A brace stands on the line of the signature, anything else on the one below it.
    signature = 1 if _has_braces(language) else 0
    bounds = zip(map(int, numbers[::4]), map(int, numbers[2::4]), strict=True)
    functions = (_Block(first, last, signature) for first, last in bounds)
    return tuple(sorted([*functions, *(_Block(*bounds, 1) for bounds in tables)], key=attrgetter("place")))


def _has_braces(language: str) -> bool:
    facts = default_languages().facts(language)
    return facts is not None and facts.elision.startswith("{ ")


def _tell_lines(count: int, kind: str, language: str, *, always: bool = False) -> str:
    """A line of comment in the place of ``count`` lines.

    Unless ``always``, none for less than two, and none where nobody knows comments.
    """
    facts = default_languages().facts(language)
    if count < 1 or (not always and (count < 2 or facts is None)):
        return ""
    words = f"… ({count:,} {kind}{'line' if count == 1 else 'lines'})"
    if language == "markdown":  # whose comments are those of HTML: prose needs none
        return words
    line = facts.comments.line if facts is not None else ()
    return f"{line[0]} {words}" if line else write_comment(words, facts)
