"""HTTP requests that a question gives: ``POST /user/login``, ``"GET /api/songs HTTP/1.1" 500``, "the /songs endpoint"."""

from __future__ import annotations

import re

from msgspec import Struct

from contextls.regex import compile_late

METHODS = ("get", "post", "put", "patch", "delete")
# A pasted log holds many; each is looked for in the code.
MAX_REQUESTS = 3
_PATH = r"/[\w/{}:<>.*@%~-]{1,200}"
_REQUEST = compile_late(
    r"\b(?P<method>GET|POST|PUT|PATCH|DELETE) {1,3}[\"'`]?(?:https?://[\w.:-]{1,100})?"
    rf"(?P<path>{_PATH}|\w[\w-]{{0,60}}{_PATH})"
)
_BARE = compile_late(rf"(?<![\w.~/:=-])(?P<path>{_PATH})")
_ABOUT_ROUTES = compile_late(
    r"\b(?:routes?|endpoints?|urls?|controllers?|handlers?|handles?|api|requests?)\b", re.IGNORECASE
)
# What differs from request to request: a number, an id, what a route writes for one.
_VARIABLE = compile_late(r"\d+|[0-9a-fA-F-]{16,}|[:{<*].*|.*[}>*]|.*@.*")
_EXTENSION = compile_late(r"\.[A-Za-z]\w{0,5}$")


class HttpRequest(Struct, frozen=True):
    """The ``method`` in lower case, "" where none is given, and the ``segments`` of the path that never vary.

    ``varies`` says that the path ends with something else.
    """

    method: str
    segments: tuple[str, ...]
    varies: bool = False

    def __str__(self) -> str:
        return f"{self.method.upper()} /{'/'.join(self.segments)}".strip()


def requests_in(text: str) -> tuple[HttpRequest, ...]:
    """The first requests that ``text`` gives, distinct. A path without a method counts where the text is about routes."""
    found = [(match["method"].lower(), match["path"]) for match in _REQUEST.finditer(text)]
    if not found and _ABOUT_ROUTES.search(text):
        found = [
            ("", match["path"]) for match in _BARE.finditer(text) if not _EXTENSION.search(match["path"])
        ]
    requests = (HttpRequest(method, fixed_segments(path), varies_at_its_end(path)) for method, path in found)
    return tuple(dict.fromkeys(one for one in requests if one.segments))[:MAX_REQUESTS]


def fixed_segments(path: str) -> tuple[str, ...]:
    """The segments of a path, or of a pattern of paths, that are the same in each request, in lower case."""
    return tuple(part for part in _segments(path) if not _VARIABLE.fullmatch(part))


def varies_at_its_end(path: str) -> bool:
    """Whether the last segment of a path, or of a pattern of paths, is another from request to request."""
    segments = _segments(path)
    return bool(segments and _VARIABLE.fullmatch(segments[-1]))


def _segments(path: str) -> list[str]:
    parts = (part.rstrip(".:").lower() for part in path.strip("^$").split("/"))
    return [part for part in parts if part]
