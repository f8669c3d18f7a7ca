"""Secrets that what surrounds them gives away: the rows of the folder ``forms``, tried near their keywords only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from contextls.text.secrets.rules import LOOKS, FormRule, compile_rule, form_rules
from contextls.text.secrets.values import MARK

# A match begins in the line of its keyword, or this many lines before, and ends at most so many after it.
_LINES_AFTER = 3
_MAX_BEFORE, _MAX_AFTER = 300, 2_000
_READ_ONCE = 1_000


@cache
def form_keywords() -> tuple[bytes, ...]:
    """The keywords of all rows."""
    return tuple({keyword.encode() for rule in form_rules() for keyword in rule.keywords})


def form_values(text: str, places: Mapping[bytes, list[int]]) -> Iterator[tuple[int, int, str]]:
    """Find the secrets that match a row, with their kinds. ``places`` are those of the keywords."""
    rules_by_keyword = _rules_by_keyword()
    for keyword in places:
        rules = rules_by_keyword.get(keyword, ())
        done = 0
        for at in places[keyword] if rules else ():
            if at < done:
                continue
            start, end = _window(text, at)
            # What begins late in the window of a long line is read again, in a window of its own.
            done = max(at + 1, min(end, start + _READ_ONCE))
            for rule in rules:
                yield from _matches(rule, text, start, end)


def _matches(rule: FormRule, text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    looks = LOOKS[rule.looks]
    for match in compile_rule(rule.pattern).finditer(text, start, end):
        value = match["secret"]
        if MARK not in value and looks(value):
            yield *match.span("secret"), rule.kind


def _window(text: str, at: int) -> tuple[int, int]:
    start = max(text.rfind("\n", max(0, at - _MAX_BEFORE), at) + 1, at - _MAX_BEFORE, 0)
    end = at
    for _ in range(_LINES_AFTER):
        end = text.find("\n", end + 1, at + _MAX_AFTER)
        if end < 0:
            return start, min(len(text), at + _MAX_AFTER)
    return start, end


@cache
def _rules_by_keyword() -> Mapping[bytes, tuple[FormRule, ...]]:
    return {
        keyword: tuple(rule for rule in form_rules() if keyword.decode() in rule.keywords)
        for keyword in form_keywords()
    }
