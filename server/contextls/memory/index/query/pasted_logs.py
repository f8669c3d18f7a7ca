"""Pasted logs: of a hundred lines alike, a question is about the few that are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from contextls.regex import compile_late

# Fewer lines are read one by one.
MIN_LINES = 12
# The most lines of a log that may stand out; where more do, none is taken to.
MAX_ODD = 20
_MAX_LINE_CHARS = 400
_MAX_ACCESS_CHARS = 3_000

# A process or a level may stand before the time, as in "[4711] 2026/08/02 10:14:03" and "(W) 2026-08-02T10:14:03";
# "E0802 10:14:03" is an error of Kubernetes.
_TIME = r"\d{4}[-/]\d\d[-/]\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:|\d\d:\d\d:\d\d|[DIWEF]\d{4} \d\d:"
STAMP = rf"(?:(?:\[\d{{1,7}}\]|[\[(][A-Za-z]{{1,8}}[\])]|[A-Z]{{3,8}}) +)?\W{{0,3}}(?:{_TIME})"
_LEVEL = (
    r".{0,60}?\b(?:TRACE|DEBUG|DBG|INFO|INF|NOTICE|WARN|WRN|WARNING|ERROR|ERR|FATAL|FTL|CRITICAL|SEVERE)\b"
)
_LOGGED = compile_late(
    rf"{STAMP}|\W{{0,3}}(?:\d{{9,13}}\b|\[ *\d+\.\d+\])|{_LEVEL}|(?:debug|info|warn(?:ing)?|error)\s*[:|\]]"
)
_STAMPED = compile_late(STAMP)
_SERIOUS = compile_late(
    r"\b(?:WARN(?:ING)?|WRN|ERROR|ERR|FATAL|FTL|CRITICAL|SEVERE|warn(?:ing)?|error|panic)\b"
)
_WORD = compile_late(r"[A-Za-z][A-Za-z_]{2,}")
# A served request, with its status before or after: ``"GET /carts HTTP/1.1" 200``.
_SERVED = compile_late(
    r"(?:\b(?P<before>\d{3})\b[\w ]{0,30})?[\"'](?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) (?P<path>/[^\s?\"']{0,300}+)"
    r"[^\"'\n]{0,2000}? HTTP/\d(?:\.\d)?[\"']\s{0,3}(?P<behind>\d{3}\b)?"
)
# The names of logfmt fields are the logger's; only their values say something of the line.
_FIELD = compile_late(r"(?<!\S)[A-Za-z][\w.]*=(?=\S)")


class LogLines(Struct, frozen=True):
    """The numbers of the lines of a text that a program logged: its ``routine``, and those that are ``odd``."""

    routine: frozenset[int] = frozenset()
    odd: frozenset[int] = frozenset()


def read_log(lines: Sequence[str]) -> LogLines:
    """Tell the odd lines of a log from its routine; neither in a text that is no log.

    A line is odd when most of its words stand in few other lines. What is logged as a warning or an error is odd unless
    it is what the log is full of. Requests that were served are routine in a log of any length.
    """
    served = find_served(lines)
    logged = [number for number, line in enumerate(lines) if _LOGGED.match(line[:_MAX_LINE_CHARS])]
    if len(logged) < MIN_LINES:
        return LogLines(routine=served)
    words = {number: set(_WORD.findall(lines[number][:_MAX_LINE_CHARS])) for number in logged}
    counts = Counter(word for found in words.values() for word in found)
    few = max(2, len(logged) // 20)
    serious = [number for number in logged if _SERIOUS.search(lines[number][:_MAX_LINE_CHARS])]
    rare = {
        number
        for number in logged
        if 2 * sum(counts[word] <= few for word in words[number]) > len(words[number])
    }
    odd = rare | set(serious if len(serious) <= few else ())
    if len(odd) > MAX_ODD:
        odd &= set(serious)
    odd -= served
    return LogLines(frozenset(logged) - odd | served, frozenset(odd))


def find_served(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines of access logs that tell of a success, where several requests succeeded.

    Of what a page asks for while something else goes wrong, nothing is meant; a single request may well be.
    """
    served: dict[int, str] = {}
    for number, line in enumerate(lines):
        found = _SERVED.search(line[:_MAX_ACCESS_CHARS]) if " HTTP/" in line else None
        status = found and (found["behind"] or found["before"])
        if found and status and status[0] in "123":
            served[number] = found["path"]
    return frozenset(served) if len(set(served.values())) > 1 else frozenset()


def without_served(text: str) -> str:
    """``text`` without the lines of ``find_served``."""
    lines = text.splitlines(keepends=True)
    served = find_served(lines)
    return "".join(line for number, line in enumerate(lines) if number not in served)


def is_logged(line: str) -> bool:
    """Whether ``line`` begins with the time at which a program wrote it."""
    return _STAMPED.match(line[:_MAX_LINE_CHARS]) is not None


def without_fields(text: str) -> str:
    """``text`` without the field names of logfmt lines: ``level=warn msg=late`` becomes ``warn late``."""
    if text.count("=") < 2:
        return text
    lines = text.splitlines(keepends=True)
    return "".join(_FIELD.sub("", line) if len(_FIELD.findall(line)) > 1 else line for line in lines)
