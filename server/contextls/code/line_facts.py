"""The patterns that tell the definitions of a language from its lines, where there is no grammar for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from contextls.code.kinds import Kind
from contextls.regex import compile_late

# What stands before brackets in most languages, and calls nothing.
_KEYWORDS = frozenset((
    *("if", "else", "elseif", "elsif", "elif", "for", "foreach", "while", "until", "switch", "case", "catch", "match"),
    *("return", "throw", "and", "or", "not", "in", "is", "do", "when", "with", "unless", "assert", "typeof", "sizeof"),
    *("function", "func", "def", "fn", "sub", "proc", "let", "var", "val", "new", "require", "use", "import"),
))  # fmt: skip
_CALL = r"\b([^\W\d]\w*+)[ \t]*\("
_CODE_QUOTES = ('"', "'")


class LineFacts:
    """A ``lines.toml``, compiled when a text of the language is read.

    Patterns of ``definitions`` and ``regions`` have one group, the name, and match at the start of a line, after its
    indentation; of the groups of others, one matches.
    """

    def __init__(self, table: Mapping[str, Any], comments: Sequence[tuple[str, str]]) -> None:
        """``comments`` are pairs of marks; one without a closing mark reaches to the end of its line.

        Raises ``KeyError`` or ``ValueError`` where the table is wrong.
        """
        self.closers: tuple[str, ...] = tuple(table.get("closers", ()))
        self.keywords = _KEYWORDS | frozenset(table.get("keywords", ()))
        self.bare = bool(table.get("bare", False))
        self.whole_names = bool(table.get("whole_names", False))
        self.any_case = bool(table.get("any_case", False))
        case = re.IGNORECASE if self.any_case else 0
        self._flags = re.MULTILINE | case
        self.calls = compile_late(table.get("calls", _CALL), case)
        self.refs = compile_late(table["refs"], case) if "refs" in table else None
        self.imports = tuple(compile_late(each, self._flags) for each in table.get("imports", ()))
        self.goes_on = compile_late(table["goes_on"], case) if "goes_on" in table else None
        self.attach, self.region_end, self.docs_below = (
            compile_late(rf"^[ \t]*+(?:{table[key]})", case) if key in table else None
            for key in ("attach", "region_end", "docs_below")
        )
        self._regions = _by_kind(table.get("regions", {}))
        self._definitions = _by_kind(table["definitions"])
        self._margin = "" if table.get("at_left") else "[ \t]*"
        self.comments = tuple(opening for opening, _ in comments)
        self._comments = comments
        self._quotes: tuple[str, ...] = tuple(table.get("strings", _CODE_QUOTES))
        self._long_strings = bool(table.get("long_strings", False))
        self._escapes = not table.get("no_escapes")
        self._silent: tuple[str, ...] = tuple(table.get("silent", ()))

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of what each group of ``starts`` names."""
        return tuple(kind for kind, _ in (*self._regions, *self._definitions))

    @property
    def region_groups(self) -> int:
        """So many first groups of ``starts`` name regions."""
        return len(self._regions)

    @cached_property
    def starts(self) -> re.Pattern[str]:
        """Finds the lines that begin a region or a definition; ``lastindex`` tells which."""
        parts = "|".join(pattern for _, pattern in (*self._regions, *self._definitions))
        return re.compile(f"^{self._margin}(?:{parts})", self._flags)

    @cached_property
    def silent(self) -> re.Pattern[str]:
        """Finds comments and strings. What is not closed reaches to the end: of its line, or of the text."""
        escapes = [r"\\."] if self._escapes else []
        parts = [*escapes, *self._silent, *(_enclosed(*marks) for marks in self._comments)]
        parts += [
            _enclosed(quote, quote)
            if len(quote) > 1
            else _quoted(quote, over_lines=self._long_strings, escapes=self._escapes)
            for quote in self._quotes
        ]
        return re.compile("|".join(parts), re.MULTILINE)


def _enclosed(opening: str, closing: str) -> str:
    mark = re.escape(opening)
    if closing:
        return rf"{mark}(?s:.*?)(?:{re.escape(closing)}|\Z)"
    # `$#list` is no comment, and letters and products begin one at the left margin only.
    before = r"(?<![^\s;])" if opening == "#" else "^" if opening[0].isalpha() or opening == "*" else ""
    return rf"{before}{mark}[^\n]*"


def _quoted(quote: str, *, over_lines: bool, escapes: bool) -> str:
    line, end = ("", r"\Z") if over_lines else (r"\n", r"(?=\\?\n)|\Z")
    if not escapes:
        return rf"{quote}[^{quote}{line}]*+(?:{quote}|{end})"
    return rf"{quote}(?>(?:[^{quote}\\{line}]|\\{'(?s:.)' if over_lines else '.'})*)(?:{quote}|{end})"


def _by_kind(table: Mapping[str, Sequence[str]]) -> list[tuple[Kind, str]]:
    return [(Kind(kind), pattern) for kind, patterns in table.items() for pattern in patterns]
