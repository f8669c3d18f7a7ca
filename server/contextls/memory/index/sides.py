"""The two sides of a web application: what runs in the browser of its users, and what serves it.

Who asks where something is done "in the frontend" wants nothing of what the backend does with it, which is called the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from contextls.memory.index.priors import FileKind, file_kind
from contextls.regex import compile_late
from contextls.text.word_set import word_set


class Side(StrEnum):
    """A side of an application."""

    FRONTEND = "frontend"
    BACKEND = "backend"


_KINDS = (FileKind.SOURCE, FileKind.LEGACY)
_SCRIPT = word_set("js mjs cjs ts mts cts coffee")
# What is shown to people, in whatever language the application is written.
_SHOWN = word_set(
    "jsx tsx vue svelte astro css scss sass less html htm hbs mustache ejs pug haml slim erb twig cshtml razor jinja j2"
)
# Languages of servers whose people say "the frontend" of what is written in another one.
_SERVED = word_set("py rb php go java kt cs fs ex exs erl scala clj rs sql")
_FRONTEND = compile_late(
    r"(?:^|/)(?:(?:[\w.]+-)?(?:front-?end|ui)|(?:front-?end|ui)-[\w.]+|web-?(?:app|ui|client)|www|client|browser|web|public|static"
    r"|templates|views|javascripts?)/",
)
# A frontend, too, has a folder api/ for what it asks of the server.
_BACKEND = compile_late(
    r"(?:^|/)(?:(?:[\w.]+-)?back-?end|back-?end-[\w.]+|server)/|^(?:(?:apps|packages|services)/)?api/"
)
# A desktop's own windows, whatever the language.
_NEITHER = compile_late(r"(?:^|/)(?:gui|tui|desktop|electron(?:-\w+)?)/")
# What a file counts that is on the other side than the one that a question asks about.
OTHER_SIDE = 0.2
# In a larger workspace, this many files are looked at, taken evenly; each side needs at least MIN_FILES and MIN_SHARE.
SAMPLED = 2_000
MIN_FILES, MIN_SHARE = 3, 0.03


def file_side(path: str) -> Side | None:
    """The side of the file at ``path``; ``None`` where it tells none, as of tests, documents and settings."""
    extension = path.rpartition(".")[2].lower()
    is_script, is_shown = extension in _SCRIPT, extension in _SHOWN
    is_code = is_script or is_shown or extension in _SERVED
    if not is_code or file_kind(path) not in _KINDS or _NEITHER.search(path):
        return None
    if is_shown or path.endswith(".blade.php"):
        return Side.FRONTEND
    front, back = _FRONTEND.search(path), _BACKEND.search(path)
    if back and (not front or back.start() < front.start()):
        return Side.BACKEND
    if is_script:
        return Side.FRONTEND
    # A server has a package called so for the pages that it serves, and some frontends are written in its language.
    return None if front else Side.BACKEND


def weigh_side(path: str, asked: Side) -> float:
    """What the file at ``path`` counts for a question about the side that is ``asked`` for."""
    return 1.0 if file_side(path) in (None, asked) else OTHER_SIDE


def has_both_sides(paths: Sequence[str]) -> bool:
    """Whether files at these ``paths`` make an application that has both sides."""
    sampled = paths[:: 1 + len(paths) // SAMPLED]
    sides = [side for side in map(file_side, sampled) if side is not None]
    least = max(MIN_FILES, MIN_SHARE * len(sides))
    return all(sides.count(side) >= least for side in Side)
