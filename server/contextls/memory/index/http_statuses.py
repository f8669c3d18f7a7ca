"""The names of HTTP statuses, which people give by number and code by name: 413, ``StatusRequestEntityTooLarge``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus

from contextls.memory.index.terms import STOP_WORDS

# RFC 9110 renamed some, and frameworks have either name.
_OTHER_NAMES = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("PayloadTooLarge", "ContentTooLarge"),
    HTTPStatus.REQUEST_URI_TOO_LONG: ("URITooLong",),
    HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE: ("RangeNotSatisfiable",),
    HTTPStatus.UNPROCESSABLE_ENTITY: ("UnprocessableContent",),
}
_BEFORE = ("", "http", "status", "httpstatus", "sc")
_BEHIND = ("", "error", "exception")
# Errors, and what caches ask for: a number below is seldom a status. Neither is what counts something ("500 files",
# "404 ms") or names a line.
_NUMBER = re.compile(
    r"(?<![\w.,:/#$-])(?<!\bline )(?<!\blines )(?<!\bport )"
    r"(304|[45]\d\d)"
    r"(?![\w%]|[.,:/-]\w)(?!\s*(?:[kmg]i?b|m?s|px|bytes)\b)",
    re.IGNORECASE,
)
_NEXT_WORD = re.compile(r"\s*([A-Za-z]+)")
_COUNTED_STATUSES = frozenset({"always", "codes", "errors", "pages", "replies", "responses", "statuses"})


def status_names(text: str) -> Iterator[str]:
    """How code may write the statuses whose numbers ``text`` gives, as whole identifiers in lower case."""
    for number in dict.fromkeys(_numbers(text)):
        try:
            status = HTTPStatus(number)
        except ValueError:
            continue
        for name in (status.name.replace("_", ""), *_OTHER_NAMES.get(status, ())):
            yield from (f"{before}{name.lower()}{behind}" for before in _BEFORE for behind in _BEHIND)


def _numbers(text: str) -> Iterator[int]:
    for found in _NUMBER.finditer(text):
        behind = _NEXT_WORD.match(text, found.end())
        word = behind[1].lower() if behind else ""
        if not word.endswith("s") or word in STOP_WORDS | _COUNTED_STATUSES:
            yield int(found[1])
