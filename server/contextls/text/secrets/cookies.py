"""Values of cookies, in headers and in what tools print of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from contextls.regex import compile_late
from contextls.text.secrets.names import strength_of
from contextls.text.secrets.randomness import is_random, is_scrambled
from contextls.text.secrets.values import MARK, is_placeholder, is_reference

_COOKIE = compile_late(
    r"cookie2?\\?[\"']?\s{0,4}[:=,]\s{0,4}[\[{]?\\?[\"'`]?|(?:-b|--cookie)[ =]{1,2}[\"']?", re.IGNORECASE
)
_PAIR = compile_late(
    r"[ \t]*(?P<name>[\w.$%-]{1,80})=\"?(?P<value>[^;\s\"'`,\\]{0,4000})\"?[ \t]*(?:;|(?P<last>))"
)
_SESSION = compile_late(
    r"sess|sid\b|auth|token|jwt|csrf|xsrf|remember|login|(?:^|[._-])s?id$|user", re.IGNORECASE
)
_MAX_PAIRS = 60
KEYWORD = b"cookie"


def cookie_values(text: str, places: Iterable[int]) -> Iterator[tuple[int, int, str]]:
    """Find cookie values that are credentials. ``places`` are those of ``KEYWORD``, in order."""
    end = 0
    for at in places:
        if at >= end and (head := _COOKIE.match(text, at)) is not None:
            end = head.end()
            for _ in range(_MAX_PAIRS):
                pair = _PAIR.match(text, end)
                if not pair:
                    break
                if _is_secret(pair["name"], pair["value"]):
                    yield *pair.span("value"), "cookie"
                end = pair.end()
                if pair["last"] is not None:
                    break


def _is_secret(name: str, value: str) -> bool:
    if len(value) < 10 or MARK in value or is_placeholder(value) or is_reference(value):
        return False
    if is_scrambled(value):
        return True
    return bool(_SESSION.search(name) or strength_of(name)) and (
        is_random(value) or is_scrambled(value, least=10)
    )
