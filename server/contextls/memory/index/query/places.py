"""Places in code that prose names: ``cart.py:12``, "cart.py on line 12", "line 12 of cart.py", "in function total"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from contextls.regex import compile_late

_PATH = compile_late(
    r"(?<![\w/.])(?P<path>(?:[A-Za-z]:[\\/]|[.~]{0,2}/)?(?>(?:[\w.@+-]{1,120}+[\\/]){0,40})"
    r"[\w@+-][\w.@+-]{0,120}\.[A-Za-z]\w{0,9})(?![\w/])"
)
# The address of a file in a repository, up to the path in it.
_REPOSITORY = compile_late(
    r"https?://[\w.-]+/[\w.-]+/[\w.-]+/(?:-/)?(?:blob|blame|edit|tree|raw|src)/(?:(?:branch|commit|tag)/)?[^/\s]+/"
)
# What leads from a path to the line right after it, whatever quotes stand between them.
_LINE_BEHIND = compile_late(
    r"[`\"'*]{0,2}(?::(?:line ?|L)?|#L|\(L?|[,;]? ?\(?(?:(?:on|at|in|near|around) )?(?:the )?(?:lines? ?|L)"
    # As fields of a log: `"file":"cart.go","line":59`.
    r"|, ?\"?line\"?: ?)"
    r"(?P<line>\d{1,7})\b",
    re.IGNORECASE,
)
_NAME_BEHIND = compile_late(
    r"[`\"'*)\]]{0,3}(?::\d{1,7})?[:,]? in (?:the )?(?:function |method )?[`\"'<]?(?P<name>[A-Za-z_]\w{0,100})\b(?![/.]\w)",
)
# A line that stands apart from its path. One digit after an L is a cache or a norm.
_LINE_APART = compile_late(
    r"\blines? (?P<line>\d{1,7})\b|(?<![\w:])#?L(?P<marked>\d{2,7})\b|(?:^|[\s(`]):(?P<bare>\d{1,7})\b(?![.:]\d)",
    re.IGNORECASE,
)
_FUNCTION = compile_late(
    r"\b(?:in|at|inside|within|from|of) (?:the )?"
    r"(?:(?:function|method|func|def|fn|routine|procedure|constructor|macro|callback) [`\"']?(?P<told>[A-Za-z_]\w{1,100})\b"
    r"|(?P<called>[A-Za-z_]\w{1,100})\(|`(?P<quoted>[A-Za-z_]\w{1,100})(?:\(\))?`)"
)
# The first word of `Shop.Cart` and `Shop\Cart` is no name alone.
_NO_PART = r"(?!(?:\.|::|\\)\w)"
_TYPE = (
    r"(?:class|struct|interface|trait|protocol|enum|type|record|component|function|method"
    r"|controller|entity|exception|mixin|model|serializer|service|table|widget)"
)
# Where a sentence begins, any word is written with a capital.
_TYPE_OR_EXPORTED = compile_late(
    rf"(?<![.!?:] )(?<!^)\b(?P<before>[A-Z]\w{{1,100}}) {_TYPE}\b|\b{_TYPE} (?P<behind>[A-Z]\w{{1,100}})\b{_NO_PART}"
)

# Only what is code is called.
_CALLABLE = r"(?:the (?:function|method|macro) )?[`\"']?"
_CALLED = compile_late(
    rf"\b(?:who|what)(?: else)? calls {_CALLABLE}(?P<callee>[A-Za-z_]\w{{2,100}})[`\"']?\s*(?:\?|$)"
    rf"|\bwhere (?:is|are) {_CALLABLE}(?P<function>[A-Za-z_]\w{{2,100}})[`\"']? (?:called|invoked|defined|declared)\b",
    re.IGNORECASE,
)
# What is implemented or extended is a type, and types are written with a capital.
_BASE = compile_late(
    r"\b(?:(?:[Ww]ho|[Ww]hat|[Ww]hich(?: [a-z]{1,20}){1,3})(?: else)? (?:implement|extend|subclasse|override)s?"
    r"|(?:inherit|derive)s? from|(?:[Ss]ubclasse|[Ss]ubtype|[Ii]mplementation|[Ii]mplement[eo]r)s? of)"
    rf" (?:the )?(?:(?:class|struct|interface|trait|protocol|type) )?[`\"']?(?P<base>[A-Z]\w{{2,100}})\b{_NO_PART}"
)


class Place(Struct, frozen=True):
    """A place that a text names. ``path`` as written, with ``/`` between parts; ``name`` is the function, if told.

    A frame may tell the function alone: then ``path`` is "".
    ``frame`` tells a frame of a stack trace from a mention in prose.
    """

    path: str
    line: int | None = None
    name: str = ""
    frame: bool = False


class _Mention(Struct):
    """A path in a line of prose, up to the ``end`` of what belongs to it; its ``line`` may yet be found apart from it."""

    path: str
    line: int | None
    name: str
    start: int
    end: int


def mentions_in(line: str) -> list[Place]:
    """The places that one line of prose names, those with a line first.

    A line that stands apart ("`cart.py` breaks on line 12") belongs to the nearest path, the one before it if there are
    two.
    """
    line = without_repositories(line)
    mentions = list(_find_mentions(line))
    for apart in _LINE_APART.finditer(line) if mentions else ():
        if any(each.start <= apart.start() < each.end for each in mentions):
            continue
        nearest = min(mentions, key=lambda each: _distance((each.start, each.end), apart.span()))
        if nearest.line is None:
            nearest.line = int(apart["line"] or apart["marked"] or apart["bare"])
    found = dict.fromkeys(Place(each.path, each.line, each.name) for each in mentions)
    told = {place.path for place in found if place.line is not None}
    return [
        *(place for place in found if place.line is not None),
        *(place for place in found if place.line is None and place.path not in told),
    ]


def _find_mentions(line: str) -> Iterator[_Mention]:
    for match in _PATH.finditer(line):
        behind = _LINE_BEHIND.match(line, match.end())
        end = behind.end() if behind else match.end()
        # "cart.total(" is a call, "user@host.org" and "key:value.x" are no files.
        if not behind and (line[end : end + 1] == "(" or line[: match.start()].endswith((":", "@"))):
            continue
        named = _NAME_BEHIND.match(line, end)
        at = int(behind["line"]) if behind else None
        yield _Mention(clean_path(match["path"]), at, named["name"] if named else "", match.start(), end)


def without_repositories(text: str) -> str:
    """``text`` with the path alone of each file that it gives by its address in a repository."""
    return _REPOSITORY.sub(" ", text) if "://" in text else text


def definitions_in(text: str) -> tuple[str, ...]:
    """Names that prose marks as functions or types, distinct: "in function total", "who calls total?", "the Cart class"."""
    patterns = (_FUNCTION, _CALLED, _BASE, _TYPE_OR_EXPORTED)
    found = [match for pattern in patterns for match in pattern.finditer(text)]
    return tuple(dict.fromkeys(match[match.lastgroup or 0] for match in found))


def clean_path(path: str) -> str:
    """``path`` with ``/`` between its parts, without a scheme and a host, a query or leading dots."""
    path = re.sub(r"^[\w-]+://[^/]*", "", path.replace("\\", "/").split("?")[0])
    return re.sub(r"^(\./|\.\./)+", "", path)


def _distance(path: tuple[int, int], line: tuple[int, int]) -> tuple[int, bool]:
    before = line[0] - path[1]
    return (before, False) if before >= 0 else (path[0] - line[1], True)
