"""Places that a question names and that are not there: what is shown instead is about something else."""

from __future__ import annotations

from collections.abc import Iterator

from contextls.assembly.question import Question
from contextls.memory.index.query.traces import find_in_workspace
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.text.fence import inline

# A longer text is a pasted trace or log, whose places are mostly of other machines and libraries.
MAX_CHARS = 300


def describe_absent_places(question: Question, snapshot: Snapshot) -> Iterator[str]:
    """A sentence for each line of a file that a short question names and that is not there."""
    asked = question.signals.query.places if len(question.request.query) <= MAX_CHARS else ()
    named = [place for place in asked if place.line is not None and not place.frame]
    paths = snapshot.outlines.keys()
    for place in named:
        found = find_in_workspace([place], paths)
        meant = [each.path for each in found if each.line is not None]
        if compiled := [each.path for each in found if each.line is None]:
            yield f"{inline(place.path)} is compiled from {inline(compiled[0])}, whose lines are others"
            continue
        # "db.example.com:5432" is a host.
        if not meant and "/" in place.path:
            yield f"{inline(place.path)} is no file of this workspace, or one that is left out"
        if len(meant) == 1 and (place.line or 0) > (last := _last_line(snapshot, meant[0])) > 0:
            yield f"{inline(meant[0])} has {last:,} lines, and no line {place.line:,}"


def _last_line(snapshot: Snapshot, path: str) -> int:
    return max((snapshot.view.lines(ref).end_line for ref in snapshot.view.chunks_of(path)), default=0)
