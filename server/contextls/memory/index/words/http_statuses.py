"""The names of HTTP statuses, which people give by number and code by name: 413, ``StatusRequestEntityTooLarge``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from contextls.memory.index.terms import STOP_WORDS
from contextls.regex import compile_late

# RFC 9110 renamed some: frameworks have any of these, Python the old ones or, from 3.13, the new.
_NAMES = {
    413: ("requestentitytoolarge", "payloadtoolarge", "contenttoolarge"),
    414: ("requesturitoolong", "uritoolong"),
    416: ("requestedrangenotsatisfiable", "rangenotsatisfiable"),
    422: ("unprocessableentity", "unprocessablecontent"),
}
_BEFORE = ("", "http", "status", "httpstatus", "sc")
_BEHIND = ("", "error", "exception")
_NUMBERED = ("status", "http", "httpstatus")
# Errors, and what caches ask for: a number below is seldom a status. Neither is what counts something ("500 files",
# "404 ms") or names a line.
_NUMBER = compile_late(
    r"(?<![\w.,:/#$-])(?<!\bline )(?<!\blines )(?<!\bport )"
    r"(304|[45]\d\d)"
    r"(?![\w%]|[.,:/-]\w)(?!\s*(?:[kmg]i?b|m?s|px|bytes)\b)",
    re.IGNORECASE,
)
_NEXT_WORD = compile_late(r"\s*([A-Za-z]+)")
_COUNTED_STATUSES = frozenset({"always", "codes", "errors", "pages", "replies", "responses", "statuses"})


def status_names(text: str) -> Iterator[str]:
    """The names that code may have for the statuses whose numbers ``text`` gives, as whole identifiers in lower case."""
    numbers = dict.fromkeys(_numbers(text))
    if not numbers:
        return
    # Most questions have none, and a command pays for each module.
    from http import HTTPStatus

    names = {status.value: (status.name.replace("_", "").lower(),) for status in HTTPStatus} | _NAMES
    for number in numbers:
        for name in names.get(number, ()):
            yield from (f"{before}{name}{behind}" for before in _BEFORE for behind in _BEHIND)
            # ASP.NET has `Status429TooManyRequests`, Django REST framework `HTTP_429_TOO_MANY_REQUESTS`.
            yield from (f"{before}{number}{name}" for before in _NUMBERED)


def _numbers(text: str) -> Iterator[int]:
    for found in _NUMBER.finditer(text):
        behind = _NEXT_WORD.match(text, found.end())
        word = behind[1].lower() if behind else ""
        if not word.endswith("s") or word in STOP_WORDS | _COUNTED_STATUSES:
            yield int(found[1])
