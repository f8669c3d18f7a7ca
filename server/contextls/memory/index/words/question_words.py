"""The words of a question where they stand, told from code, paths and options in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import Enum
from operator import itemgetter

from msgspec import Struct

from contextls.memory.index.words.languages import HAN_OR_KANA
from contextls.regex import compile_late

_WIDE = f"[{HAN_OR_KANA}]"
_NARROW = f"[^\\W\\d_{HAN_OR_KANA}]"
_TOKEN = compile_late(rf"{_WIDE}+|{_NARROW}+(?:_*(?:{_NARROW}|\d)+)*")
_PLAIN = compile_late(r"\w?[^\W\d_A-Z]+|[A-Z][^\W\d_A-Z]*")
_SOLID = f"[^\\s`{HAN_OR_KANA}]"
_STEP = f"[^\\s`/\\\\{HAN_OR_KANA}]"
# Fenced code, paths, addresses, options, variables, names with a dot: they are what they are. Each begins where a run of
# its characters does, so that no run is read twice.
_FIXED = compile_late(
    rf"```.*?(?:```|\Z)|(?<!{_STEP}){_STEP}*+[/\\]{_SOLID}+|(?<![\w`])[-$@%]{_SOLID}+|(?<!\w)\w++(?:\.\w++)+",
    re.DOTALL,
)
_BACKTICKED = compile_late(r"`[^`\n]+`|(?<!\w)\w++\(\)")


class WordForm(Enum):
    """How a word stands in a question."""

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
        return self.form is WordForm.PROSE and re.match(_WIDE, self.word) is not None

    @property
    def folded(self) -> str:
        """The word in lower case."""
        return self.word.lower()


def read_tokens(text: str) -> list[Token]:
    """The words of ``text`` in order; numbers are none."""
    fixed = [match.span() for match in _FIXED.finditer(text)]
    names = [match.span() for match in _BACKTICKED.finditer(text)]
    found = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if _is_inside(start, fixed):
            form = WordForm.FIXED
        elif _is_inside(start, names) or not (
            re.match(_WIDE, match.group()) or _PLAIN.fullmatch(match.group())
        ):
            form = WordForm.NAME
        else:
            form = WordForm.PROSE
        found.append(Token(start, end, match.group(), form))
    return found


def _is_inside(place: int, spans: list[tuple[int, int]]) -> bool:
    at = bisect_right(spans, place, key=itemgetter(0)) - 1
    return at >= 0 and place < spans[at][1]
