"""The target of a question about the work at hand: "fix the failing test" names no code, but the failing run does."""

from __future__ import annotations

from collections.abc import Mapping

from contextls.assembly.targets.cursor_context import REFERRED, UNASKED, Angle, find_cursor_context
from contextls.assembly.targets.cursor_place import Near
from contextls.assembly.usefulness.reasons import join_reasons
from contextls.assembly.wording.signals import Signals
from contextls.memory.events.failures import FailedRun
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.traces import find_in_workspace, places_in
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.knowledge.relations import RelationGraph
from contextls.model import EditorPosition

# Worth in 0..1, compared with the code that the failing run points at (1).
CHANGED = 0.97
# What the failed command names, where its output is not known.
RAN = 0.9
_WHAT_RAN = Angle("what the failed command ran", users=False, tests=False, named=True)
# Below a failed assertion, calls are followed from this many pieces of each level; DEEPER has, for each level, how much
# less it is worth than what the failing line itself refers to.
MAX_CALLERS = 4
DEEPER = (0.33, 0.345)
_CALLED = Angle("by the code under test", users=False, tests=False, step=0.001)
MAX_PLACES = 3
MAX_CHANGES = 8
MAX_RAN = 4


def find_failure_context(
    snapshot: Snapshot, graph: RelationGraph, signals: Signals, failure: FailedRun
) -> dict[ChunkRef, Near]:
    """The chunks that mending ``failure`` needs, with their worth.

    Those are the code at the places that it names, or else what the failed command ran, what that code refers to, and
    above the rest of it what was changed before the failure.
    """
    found: dict[ChunkRef, Near] = {}

    def add(ref: ChunkRef, worth: float, why: str) -> None:
        if ref not in found or worth > found[ref].worth:
            found[ref] = Near(worth, join_reasons([why, found[ref].why if ref in found else ""]))

    angle = Angle.of(signals, "at the failing line")
    places = _places(snapshot, failure)
    for number, (path, line) in enumerate(places):
        at = EditorPosition(path, line, line)
        for ref, near in find_cursor_context(snapshot, graph, at, angle).items():
            add(ref, near.worth * 0.9**number, near.why)
    changed = {str(event.content.get("path")) for event in failure.changes}
    for number, ref in enumerate(() if places else _find_run(snapshot, failure)):
        ran = snapshot.view.lines(ref)
        at = EditorPosition(ran.path, ran.start_line, ran.end_line)
        for other, near in find_cursor_context(snapshot, graph, at, _WHAT_RAN).items():
            add(other, near.worth * RAN * 0.95**number, near.why)
    pointed_at = list(found)
    for number, ref in enumerate(_find_edited(snapshot, failure)):
        add(ref, CHANGED * 0.95**number, "edited before the failure")
    for ref in pointed_at:
        if snapshot.view.lines(ref).path in changed:
            add(ref, CHANGED, "in a file changed before the failure")
    named = [ref for path, _ in places for ref in snapshot.view.chunks_of(path)]
    if named and all(_is_test(snapshot, ref) for ref in named):
        for ref, near in _find_deeper(snapshot, graph, found).items():
            add(ref, near.worth, near.why)
    return found


def _find_deeper(
    snapshot: Snapshot, graph: RelationGraph, found: Mapping[ChunkRef, Near]
) -> dict[ChunkRef, Near]:
    """The code that is called by what is tested, two levels deep: an assertion says nothing of where it went wrong."""
    deeper: dict[ChunkRef, Near] = {}
    level = dict(found)
    for less in DEEPER:
        called: dict[ChunkRef, Near] = {}
        for ref in sorted(level, key=lambda ref: -level[ref].worth)[:MAX_CALLERS]:
            if _is_test(snapshot, ref):
                continue
            lines = snapshot.view.lines(ref)
            at = EditorPosition(lines.path, lines.start_line, lines.end_line)
            for other, near in find_cursor_context(snapshot, graph, at, _CALLED).items():
                known = other in found or other in deeper or other in called
                if not known and UNASKED < near.worth <= REFERRED and not _is_test(snapshot, other):
                    called[other] = Near(near.worth - less, near.why)
        deeper |= called
        level = called
    return deeper


def _is_test(snapshot: Snapshot, ref: ChunkRef) -> bool:
    return snapshot.view.file_kind(ref) is FileKind.TEST


def _places(snapshot: Snapshot, failure: FailedRun) -> list[tuple[str, int]]:
    """The places of a failure: those in the errors themselves, then those in printed traces."""
    named = [place for place in failure.places if place[0] in snapshot.outlines]
    named += [
        (path, _line_of(snapshot, path, test)) for path, test in failure.tests if path in snapshot.outlines
    ]
    printed = find_in_workspace(places_in(failure.text), snapshot.outlines.keys())
    printed.sort(key=lambda place: -place.strength)
    traced = [(place.path, place.line) for place in printed if place.line is not None]
    mended = set(failure.answered_places) - set(named)
    return [place for place in dict.fromkeys([*named, *traced]) if place not in mended][:MAX_PLACES]


def _line_of(snapshot: Snapshot, path: str, test: str) -> int:
    """The line at which a test of a file begins, by its name as a runner writes it; 1 where it is not found."""
    names = [name.partition("[")[0] for name in test.removeprefix(path).split("::") if name]
    wanted = ".".join(names)
    return next(
        (each.start_line for each in snapshot.outlines[path].definitions if each.qualified == wanted), 1
    )


def _find_run(snapshot: Snapshot, failure: FailedRun) -> list[ChunkRef]:
    """The chunks of the files that the failed command names: a shell does not see what its commands print."""
    commands = failure.commands
    named = [path for path in sorted(snapshot.view.paths) if any(each.names(path) for each in commands)]
    return [ref for path in named[:MAX_PLACES] for ref in snapshot.view.chunks_of(path)][:MAX_RAN]


def _find_edited(snapshot: Snapshot, failure: FailedRun) -> list[ChunkRef]:
    """The chunks of the symbols that were edited before the failure, the newest edit first."""
    found: dict[ChunkRef, None] = {}
    edits: dict[tuple[str, tuple[str, ...]], None] = {}
    for event in failure.changes:
        symbols = event.content.get("symbols")
        if isinstance(symbols, list):
            edits.setdefault((str(event.content.get("path")), tuple(map(str, symbols))))
    for path, symbols in list(edits)[:MAX_CHANGES]:
        outline = snapshot.outlines.get(path)
        if outline is None:
            continue
        lines = [item.start_line for item in outline.definitions if item.qualified in symbols]
        for ref in snapshot.view.chunks_of(path):
            row = snapshot.view.lines(ref)
            if any(row.start_line <= line <= row.end_line for line in lines):
                found.setdefault(ref)
    return list(found)
