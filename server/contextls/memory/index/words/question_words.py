"""The words of a question where they stand, told from code, paths and options in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum
from operator import itemgetter

from msgspec import Struct

from contextls.memory.index.hex_ids import find_hex_ids
from contextls.memory.index.words.languages import HAN_OR_KANA
from contextls.regex import compile_late

_WIDE = compile_late(f"[{HAN_OR_KANA}]")
_PLAIN = compile_late(r"\w?[^\W\d_A-Z]+|[A-Z][^\W\d_A-Z]*")
_BACKTICKED = compile_late(r"`[^`\n]+`|(?<!\w)\w++\(\)")


class _Patterns(Struct, frozen=True):
    """A ``word``, and what is ``fixed``: fenced code, paths, addresses, options, variables, names with a dot.

    Each of these begins where a run of its characters does, so that no run is read twice.
    """

    word: re.Pattern[str]
    fixed: re.Pattern[str]

    @classmethod
    def beside(cls, wide: str) -> _Patterns:
        """The patterns for text in which characters of ``wide``, written without spaces, are words of their own."""
        narrow, solid, step = f"[^\\W\\d_{wide}]", f"[^\\s`{wide}]", f"[^\\s`/\\\\{wide}]"
        spaceless = f"[{wide}]+|" if wide else ""
        return cls(
            compile_late(rf"{spaceless}(?:(?<!\w)\d(?={narrow}{{2}}\b))?{narrow}+(?:_*(?:{narrow}|\d)+)*"),
            compile_late(
                rf"```.*?(?:```|\Z)|(?<!{step}){step}*+[/\\]{solid}+|(?<![\w`])[-$@%]{solid}+|(?<!\w)\w++(?:\.\w++)+",
                re.DOTALL,
            ),
        )


# Large sets of characters take milliseconds to compile, and most questions have none of them.
_OF_ASCII, _OF_ANY = _Patterns.beside(""), _Patterns.beside(HAN_OR_KANA)


class WordForm(Enum):
    """A word as it stands in a question."""

    PROSE = "prose"
    NAME = "name"  # a name of code: may be misspelt, is never of another language
    FIXED = "fixed"


class Token(Struct, frozen=True):
    """A word, where it stands and how."""

    start: int
    end: int
    word: str
    form: WordForm

    @property
    def is_wide(self) -> bool:
        """Whether it is a run of Chinese or Japanese, which writes no spaces."""
        return self.form is WordForm.PROSE and _is_wide(self.word)

    @property
    def folded(self) -> str:
        """The word in lower case."""
        return self.word.lower()


def read_tokens(text: str) -> list[Token]:
    """The words of ``text`` in order, "2FA" among them; numbers are none, nor are ids in hexadecimal."""
    patterns = _OF_ASCII if text.isascii() else _OF_ANY
    ids = list(find_hex_ids(text))
    fixed = [match.span() for match in patterns.fixed.finditer(text)]
    names = [match.span() for match in _BACKTICKED.finditer(text)]
    found = []
    for match in patterns.word.finditer(text):
        start, end = match.span()
        if _is_inside(start, ids):
            continue
        if _is_inside(start, fixed):
            form = WordForm.FIXED
        elif _is_inside(start, names) or not (_is_wide(match.group()) or _PLAIN.fullmatch(match.group())):
            form = WordForm.NAME
        else:
            form = WordForm.PROSE
        found.append(Token(start, end, match.group(), form))
    return found


def _is_wide(word: str) -> bool:
    return not word.isascii() and _WIDE.match(word) is not None


def _is_inside(place: int, spans: list[tuple[int, int]]) -> bool:
    at = bisect_right(spans, place, key=itemgetter(0)) - 1
    return at >= 0 and place < spans[at][1]
