"""Finds where a program starts: functions called ``main``, the files that run first, and what those call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from contextls.assembly.usefulness.calls import CallFinder
from contextls.assembly.usefulness.definition_parts import parts_beside
from contextls.assembly.usefulness.named_chunks import sort_by_folders
from contextls.code.kinds import CALLABLE
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.memory.knowledge.relations import RelationGraph
from contextls.regex import compile_late

# What languages, frameworks and tools run first.
_FIRST = compile_late(
    r"(?:^|/)(?:__main__\.py|manage\.py|[aw]sgi\.py|app\.(?:py|rb|[jt]sx?|vue)|server\.(?:py|[cm]?[jt]s)"
    r"|main\.(?:py|rb|swift|kt|[cm]?[jt]sx?)|Program\.cs|Startup\.cs|config\.ru|config/application\.rb|application\.ex"
    r"|bootstrap/app\.php|public/index\.php|src/index\.[cm]?[jt]sx?|pages/_app\.[jt]sx?|app/layout\.[jt]sx?)$"
    r"|^index\.[cm]?[jt]s$"
)
_CAPITAL_MAIN = (".cs", ".fs", ".vb")
# What starts here builds or tends the project.
_ASIDE = compile_late(
    r"(?:^|/)(?:(?:build|ci|contrib|dev|hack|scripts?|tools?|utils?|\.[^/]+)/|(?:build|seeds?)\.\w+$)",
    re.IGNORECASE,
)
# The number of starts, of definitions followed in each step, and of chunks shown after the first of each.
MAX_STARTS, MAX_CALLED, MAX_BEHIND = 3, 2, 5
# A function with at most this many characters may do nothing but call another.
SHORT = 1_500


def find_starting_points(snapshot: Snapshot, graph: RelationGraph) -> list[ChunkRef]:
    """The chunks where the program starts, and those of what they call."""
    starts = _find_starts(snapshot)
    called = _follow(starts, snapshot, graph)
    # A function passed as a value, say to a parser of arguments, is not called here; it mostly follows right after.
    return [*starts, *(called or chain.from_iterable(_members_behind(ref, snapshot.view) for ref in starts))]


def is_aside(path: str) -> bool:
    """Whether what starts in a file builds or tends the project."""
    return _ASIDE.search(path) is not None


def _find_starts(snapshot: Snapshot) -> list[ChunkRef]:
    """Functions called ``main`` and the files that run first, those in fewest folders first."""
    view = snapshot.view
    starts = {path: 1 for path in view.paths if _FIRST.search(path)}
    for item in reversed(snapshot.symbols.find_named("main")):
        is_main = item.definition.name == "main" or item.path.endswith(_CAPITAL_MAIN)
        if is_main and item.definition.kind in CALLABLE:
            starts[item.path] = item.definition.start_line
    first = sort_by_folders(path for path in starts if not is_aside(path))
    found = [ref for path in first if (ref := view.chunk_at(path, starts[path])) is not None]
    return [ref for ref in found if view.file_kind(ref) is FileKind.SOURCE][:MAX_STARTS]


def _follow(starts: Sequence[ChunkRef], snapshot: Snapshot, graph: RelationGraph) -> list[ChunkRef]:
    """The definitions that short starts call, in two steps: the program goes on there."""
    view, finder = snapshot.view, CallFinder(snapshot, graph)
    found: dict[ChunkRef, None] = {}
    leading = [ref for ref in starts if view.size(ref) <= SHORT]
    for _ in range(2):
        called = finder.follow((part, 1.0) for ref in leading for part in _take_whole(ref, view)).called
        likely = sorted(called, key=lambda ref: -called[ref].worth)
        new = (
            ref for ref in likely if view.file_kind(ref) is FileKind.SOURCE and ref not in (*starts, *found)
        )
        leading = [*islice(new, MAX_CALLED)]
        found |= dict.fromkeys(part for ref in leading for part in _take_whole(ref, view))
    return list(found)


def _members_behind(ref: ChunkRef, view: IndexView) -> Iterator[ChunkRef]:
    """The chunks after a short ``ref`` that belong to its class."""
    around, _, _ = view.symbol(ref).rpartition(".")
    for step in range(1, MAX_BEHIND) if around and view.size(ref) <= SHORT else ():
        behind = view.chunk_beside(ref, step)
        if behind is not None and view.symbol(behind).startswith(f"{around}."):
            yield behind


def _take_whole(ref: ChunkRef, view: IndexView) -> list[ChunkRef]:
    return [ref, *islice(parts_beside(ref, 1, view), MAX_BEHIND)]
