"""Take secrets out of text before it is stored or shown.

The formats are public facts about how services build their keys (prefix, alphabet, length). Every rule has
keywords that its matches always contain, so that text without any of them costs only the search for those.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from contextls.text.secret_rules import MARK, RULES, Rule, assignment_values

_LINE_BREAK = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# One replacement can uncover another secret beside it; more rounds than this were never seen to find
# anything.
_MAX_ROUNDS = 8
_KEYWORDS = frozenset(keyword for rule in RULES for keyword in rule.keywords)


@dataclass(frozen=True, slots=True)
class Redacted:
    """``text`` with secrets replaced, and how many of each kind were ``found``."""

    text: str
    found: Mapping[str, int]


def redact(text: str) -> Redacted:
    """Replace every secret by ``[redacted:<kind>]``.

    Line breaks inside a secret are kept (with the mark on its first and last line), so line numbers stay
    exact. Redacting the result again changes nothing.
    """
    found: Counter[str] = Counter()
    for _ in range(_MAX_ROUNDS):
        spans = _without_overlaps(_secrets(text))
        if not spans:
            break
        text = _replaced(text, spans)
        found.update(kind for _, _, kind in spans)
    return Redacted(text, dict(found))


def _secrets(text: str) -> Iterator[tuple[int, int, str]]:
    present = {keyword for keyword in _KEYWORDS if keyword in text}
    for rule in RULES if present else ():
        if not present.isdisjoint(rule.keywords):
            yield from _matches(rule, text)
    for start, end in assignment_values(text):
        yield start, end, "secret"


def _matches(rule: Rule, text: str) -> Iterator[tuple[int, int, str]]:
    for match in rule.pattern.finditer(text):
        value = match.group("secret")
        if MARK not in value and rule.is_secret(value):
            yield *match.span("secret"), rule.kind


def _without_overlaps(spans: Iterator[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """In order of position; of two that overlap, the one that begins first and reaches further."""
    kept: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, kind))
    return kept


def _replaced(text: str, spans: list[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end, kind in spans:
        breaks = _LINE_BREAK.findall(text, start, end)
        mark = f"{MARK}{kind}]"
        # Marked at both ends, so that its last line is not an empty one, which some ways of counting leave
        # out.
        parts += (text[done:start], mark, *breaks, mark if breaks else "")
        done = end
    parts.append(text[done:])
    return "".join(parts)
