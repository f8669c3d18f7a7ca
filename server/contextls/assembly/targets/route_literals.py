"""Reads where code registers the route of an HTTP request.

Frameworks write routes in many ways, and agree on this: a literal with the path, or the end of it, next to a word for the
method or for routing (``@app.post("/login")``, ``m.Post("/login", signIn)``, ``path("login/", LoginView.as_view())``,
``resources :songs``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from contextls.memory.index.query.http_requests import METHODS, HttpRequest, fixed_segments, varies_at_its_end
from contextls.regex import compile_late

# Routes are declared in groups: the segment before a route is looked for in this many literals above it.
MAX_GROUP = 40
_LITERAL = compile_late(
    r"(?:\b[rbuf]{1,2})?[\"'`](?:(?P<method>GET|POST|PUT|PATCH|DELETE) )?(?P<path>[^\"'`\s]{1,200})[\"'`]"
    r"|(?<![\w:]):(?P<symbol>\w{1,80})\b"
)
_METHOD = compile_late(
    rf"(?<![A-Za-z])(?:http|map|method)?({'|'.join(METHODS)})(?:mapping|func|async)?(?![A-Za-z])",
    re.IGNORECASE,
)
_ROUTING = compile_late(
    r"\b(?:path|re_path|url|any|all|match|register|map|resources?|apiResources?|\w*routes?|handle\w*)\s*\("
    r"|@\w*route|@RequestMapping|Route::|\b(?:live|match|resources?)\s+$",
    re.IGNORECASE,
)
# Code that sends such a request instead of answering it.
_SENDS = compile_late(
    r"\baxios\b|\bfetch\w*\(|\$\.|\bajax\b|[Cc]lient\b|\b(?:http|requests?)\.(?i:get|post|put|patch|delete)\b"
)
# Where a handler is written in place, or the statement ends.
_BODY = compile_late(r"\bdo\b|\)\s*=>|\{\s*$|\b(?:function|lambda|async)\b|\bfunc\s*\(|;", re.MULTILINE)
# Behind a literal that is a key: ``"GET /songs": listSongs``.
_IS_KEY = compile_late(r"\s*(?::|=>)")
_GOES_ON = compile_late(r"[,(\[]\s*$|^\s*$")


class Fit(NamedTuple):
    """The fit of a literal for a request; the first field that differs decides.

    How many segments it spells, whether the method is next to it, how near above the segment before is spelled, and
    whether it ends as the request does.
    """

    spelled: int
    says_method: bool
    nearness: int
    ends_alike: bool


class Registration(Struct, frozen=True):
    """A literal that registers a route, and the ``handler`` as the statement names it."""

    fit: Fit
    handler: str


def registrations_in(text: str, request: HttpRequest) -> Iterator[Registration]:
    """The literals of a chunk that register the route of ``request``."""
    lines = text.split("\n")
    above: list[str] = []
    for number, line in enumerate(lines):
        for match in _LITERAL.finditer(line):
            literal = match["path"] or match["symbol"]
            segments = fixed_segments(literal)
            spelled = _count_spelled(segments, request.segments)
            # A statement may have its literal on a line of its own.
            head = line[: match.start()].lstrip() or "".join(lines[max(0, number - 1) : number])
            behind = line[match.end() :]
            methods = _find_methods(match, head, behind)
            if spelled and _registers(head, methods, request.method):
                near = _nearness(above, request.segments[-spelled - 1 : -spelled])
                fit = Fit(spelled, bool(methods), near, varies_at_its_end(literal) == request.varies)
                if _GOES_ON.search(behind):
                    behind = "\n".join([behind, *lines[number + 1 : number + 3]])
                named = _read_handler(behind, request.method)
                # Rails: ``resources :parcels`` are handled by the ParcelsController.
                named = f"{literal.title().replace('_', '')}Controller {named}" if match["symbol"] else named
                yield Registration(fit, named)
            above.extend(segments[-1:])


def _count_spelled(literal: Sequence[str], segments: Sequence[str]) -> int:
    """The number of segments that both end with, where one of them is the end of the other."""
    count = min(len(literal), len(segments))
    return count if count and tuple(literal[-count:]) == tuple(segments[-count:]) else 0


def _nearness(above: Sequence[str], before: Sequence[str]) -> int:
    """The nearness of the segment ``before`` to the end of ``above``, 0 where it is not among the last ``MAX_GROUP``."""
    last = list(reversed(above[-MAX_GROUP:]))
    return max((MAX_GROUP - last.index(each) for each in before if each in last), default=0)


def _find_methods(literal: re.Match[str], head: str, behind: str) -> set[str]:
    """The methods that a literal, or else what stands around it, names, in lower case: Go writes ``"GET /songs"``."""
    if literal["method"]:
        routes = _ROUTING.search(head) or _IS_KEY.match(behind)
        return {literal["method"].lower()} if routes else set()
    return {name.lower() for name in _METHOD.findall(head) or _METHOD.findall(behind)}


def _registers(head: str, methods: Collection[str], method: str) -> bool:
    """Whether a literal with ``head`` before it, for these ``methods``, registers a route for ``method``."""
    if _SENDS.search(head):
        return False
    if methods:
        return not method or method in methods
    return bool(_ROUTING.search(head))


def _read_handler(statement: str, method: str) -> str:
    """The part of a statement after its literal that names the handler for ``method``."""
    body = _BODY.search(statement)
    named = statement[: body.start()] if body else statement
    parts = _METHOD.split(named)
    of_method = [part for name, part in zip(parts[1::2], parts[2::2], strict=True) if name.lower() == method]
    return of_method[0] if of_method else parts[0]
