"""Take secrets out of text before it is stored or shown.

The formats are public facts about how services build their keys (prefix, alphabet, length). What is cheap to find comes
first: runs of characters as long as a key, words that names of secrets hold, a few literals; only around those does
anything look closer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain

from msgspec import Struct

from contextls.regex import compile_late
from contextls.text.secrets.assignments import assigned_values
from contextls.text.secrets.cookies import KEYWORD, cookie_values
from contextls.text.secrets.forms import form_keywords, form_values
from contextls.text.secrets.keywords import KeywordFinder
from contextls.text.secrets.names import STEMS, Strength, strength_of
from contextls.text.secrets.passphrases import is_passphrase
from contextls.text.secrets.private_keys import ARMOUR, BODIES, private_key_spans
from contextls.text.secrets.tokens import named_starts, named_token_spans, token_spans
from contextls.text.secrets.values import MARK, is_password, is_strong_token, is_token
from contextls.text.secrets.views import (
    DISGUISED_NAMES,
    WRITTEN_ESCAPES,
    WRITTEN_LETTERS,
    View,
    has_disguised_letters,
    has_terminal_escapes,
    unescape,
    with_plain_letters,
    without_terminal_escapes,
)

Span = tuple[int, int, str]

_LINE_BREAK = compile_late("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# One replacement can uncover another secret next to it; more rounds than this were never seen to find
# anything.
_MAX_ROUNDS = 8
# Short texts of words, such as names of fields, hold no secret; events are full of them.
_MIN_CHARS = 20
_PLAIN = compile_late(r"[A-Za-z_. ]*+\d{0,6}")


class Redacted(Struct, frozen=True):
    """``text`` with secrets replaced, and how many of each kind were ``found``."""

    text: str
    found: Mapping[str, int]


def redact(text: str) -> Redacted:
    """Replace every secret by ``[redacted:<kind>]``.

    Line breaks inside a secret are kept (with the mark on its first and last line), so line numbers stay
    exact. Redacting the result again changes nothing.
    """
    if len(text) < _MIN_CHARS and _PLAIN.fullmatch(text):
        return Redacted(text, {})
    found: Counter[str] = Counter()
    for _ in range(_MAX_ROUNDS):
        spans = _merge_spans(_secrets(text))
        if not spans:
            break
        text = _replace_spans(text, spans)
        found.update(kind for _, _, kind in spans)
    return Redacted(text, dict(found))


def redact_part(text: str, start: int, end: int) -> str:
    """``text[start:end]`` as it stands in ``redact(text)``; a secret that it touches is replaced whole.

    A secret may be known by nothing but what stands around it.
    """
    for _ in range(_MAX_ROUNDS):
        spans = _merge_spans(_secrets(text))
        if not spans:
            break
        touched = [span for span in spans if span[0] < end and start < span[1]]
        if touched:
            start, end = min(start, touched[0][0]), max(end, touched[-1][1])
        before = _replace_spans(text[:start], [span for span in spans if span[1] <= start])
        part = _replace_spans(text[start:end], [(a - start, b - start, kind) for a, b, kind in touched])
        after = _replace_spans(text[end:], [(a - end, b - end, kind) for a, b, kind in spans if a >= end])
        text, start, end = before + part + after, len(before), len(before) + len(part)
    return text[start:end]


def is_secret_field(name: str, value: str) -> bool:
    """Whether the name of a field says that this value is a secret: ``{"password": "…"}``."""
    strength = strength_of(name)
    return (
        (strength == Strength.PASSWORD and is_password(value, lenient=True))
        or (strength == Strength.TOKEN and is_token(value))
        or (strength == Strength.WEAK and is_strong_token(value))
        or (" " in value and is_passphrase(value, name, strength, plain=True))
    )


def _secrets(text: str) -> Iterator[Span]:
    places = yield from _secrets_in_view(text)
    if has_terminal_escapes(text, written=any(word in places for word in WRITTEN_ESCAPES)):
        yield from _secrets_in(without_terminal_escapes(text))
    if has_disguised_letters(text, places):
        yield from _secrets_in(with_plain_letters(text))


def _secrets_in(view: View) -> Iterator[Span]:
    plain, whole_span = view
    for start, end, kind in _secrets_in_view(plain):
        yield *whole_span(start, end), kind


def _secrets_in_view(text: str) -> Generator[Span, None, dict[bytes, list[int]]]:
    """All secrets, in no order. Returns where the keywords are."""
    raw = text.encode("latin-1", "replace")
    text = unescape(text)
    places = _finder().places(raw.lower())

    yield from token_spans(text, raw)
    if places:
        yield from _secrets_at_keywords(text, places)
    return places


def _secrets_at_keywords(text: str, places: Mapping[bytes, list[int]]) -> Iterator[Span]:
    def merged(words: Iterable[bytes]) -> list[int]:
        return sorted(chain.from_iterable(places[word] for word in words if word in places))

    yield from private_key_spans(text, armour=merged(ARMOUR), bodies=merged(BODIES))
    yield from named_token_spans(text, places)
    yield from form_values(text, places)
    if KEYWORD in places:
        yield from cookie_values(text, places[KEYWORD])
    for start, end in assigned_values(text, merged(STEMS)):
        yield start, end, "secret"


@cache
def _finder() -> KeywordFinder:
    return KeywordFinder(
        [
            *STEMS,
            *ARMOUR,
            *BODIES,
            KEYWORD,
            *WRITTEN_ESCAPES,
            *WRITTEN_LETTERS,
            *DISGUISED_NAMES,
            *form_keywords(),
            *named_starts(),
        ]
    )


def _merge_spans(spans: Iterator[Span]) -> list[Span]:
    """In order of position; those that overlap become one, of the kind of the one that begins first and reaches further."""
    kept: list[Span] = []
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, kind))
        elif end > kept[-1][1]:
            kept[-1] = (kept[-1][0], end, kept[-1][2])
    return kept


def _replace_spans(text: str, spans: list[Span]) -> str:
    parts: list[str] = []
    done = 0
    for start, end, kind in spans:
        mark = f"{MARK}{kind}]"
        breaks: list[str] = []
        for found in _LINE_BREAK.findall(text, start, end):
            if found == "\n" and breaks and breaks[-1] == "\r":
                breaks.append(mark)  # two line ends with something between them must not become one
            breaks.append(found)
        # Marked at both ends, so that its last line is not an empty one, which some ways of counting leave
        # out.
        parts += (text[done:start], mark, *breaks, mark if breaks else "")
        done = end
    parts.append(text[done:])
    return "".join(parts)
