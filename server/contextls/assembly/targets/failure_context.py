"""The target of a question about the work at hand: "fix the failing test" names no code, but the failing run does."""

from __future__ import annotations

import re

from contextls.assembly.reasons import join_reasons
from contextls.assembly.signals import Intent, Signals
from contextls.assembly.targets.cursor_context import Angle, Near, find_cursor_context
from contextls.memory.events.failures import Failure
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.index.traces import in_workspace, places_in
from contextls.memory.index.view import ChunkRef
from contextls.memory.knowledge.relations import RelationGraph
from contextls.model import EditorPosition

# Worth in 0..1 beside the code that the failing run points at (1).
CHANGED = 0.97
MAX_PLACES = 3
MAX_CHANGES = 8

_WORD = re.compile(r"[^\W_]{2,}")
# A question of these and stop words alone speaks of the work, not of the code.
_WORK_WORDS = STOP_WORDS.union(
    ("again", "broke", "broken", "build", "bug", "bugs", "ci", "code", "command", "compile", "compiler", "crash"),
    ("crashes", "crashing", "current", "debug", "error", "errors", "exception", "fail", "failed", "failing", "fails"),
    ("failure", "failures", "find", "fix", "fixed", "happened", "happens", "help", "issue", "last", "latest", "mistake"),
    ("pass", "passing", "please", "previous", "problem", "recent", "red", "run", "running", "show", "solve", "suite"),
    ("terminal", "test", "tests", "trace", "traceback", "understand", "went", "work", "working", "works", "wrong"),
)  # fmt: skip


def speaks_of_the_work(signals: Signals) -> bool:
    """Whether the question asks for a repair and names nothing to be repaired."""
    if signals.intent is not Intent.FIX or signals.mentions:
        return False
    return all(word.lower() in _WORK_WORDS for word in _WORD.findall(signals.text))


def find_failure_context(
    snapshot: Snapshot, graph: RelationGraph, signals: Signals, failure: Failure
) -> dict[ChunkRef, Near]:
    """The chunks that mending ``failure`` needs, with their worth.

    Those are the code at the places that it names, what that code refers to, and above the rest of it what was changed
    before the failure.
    """
    found: dict[ChunkRef, Near] = {}

    def add(ref: ChunkRef, worth: float, why: str) -> None:
        if ref not in found or worth > found[ref].worth:
            found[ref] = Near(worth, join_reasons([why, found[ref].why if ref in found else ""]))

    angle = Angle.of(signals, "at the failing line")
    for number, (path, line) in enumerate(_places(snapshot, failure)):
        at = EditorPosition(path, line, line)
        for ref, near in find_cursor_context(snapshot, graph, at, angle).items():
            add(ref, near.worth * 0.9**number, near.why)
    changed = {str(event.content.get("path")) for event in failure.changes}
    pointed_at = list(found)
    for number, ref in enumerate(_find_edited(snapshot, failure)):
        add(ref, CHANGED * 0.95**number, "edited before the failure")
    for ref in pointed_at:
        if snapshot.view.lines(ref).path in changed:
            add(ref, CHANGED, "in a file changed before the failure")
    return found


def _places(snapshot: Snapshot, failure: Failure) -> list[tuple[str, int]]:
    """Where it failed: what the errors say themselves, then what the printed traces name."""
    named = [place for place in failure.places if place[0] in snapshot.outlines]
    printed = in_workspace(places_in(failure.text), snapshot.outlines.keys())
    printed.sort(key=lambda place: -place.strength)
    traced = [(place.path, place.line) for place in printed if place.line is not None]
    return list(dict.fromkeys([*named, *traced]))[:MAX_PLACES]


def _find_edited(snapshot: Snapshot, failure: Failure) -> list[ChunkRef]:
    """The chunks of the symbols that were edited before the failure, the newest edit first."""
    found: dict[ChunkRef, None] = {}
    for event in failure.changes[:MAX_CHANGES]:
        path, symbols = str(event.content.get("path")), event.content.get("symbols")
        outline = snapshot.outlines.get(path)
        if outline is None or not isinstance(symbols, list):
            continue
        lines = [item.start_line for item in outline.definitions if item.qualified in symbols]
        for ref in snapshot.view.chunks_of(path):
            row = snapshot.view.lines(ref)
            if any(row.start_line <= line <= row.end_line for line in lines):
                found.setdefault(ref)
    return list(found)
