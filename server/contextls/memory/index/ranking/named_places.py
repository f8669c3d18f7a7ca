"""The files and lines that a question names, as they are in the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct
from msgspec.structs import replace

from contextls.code.kinds import CALLABLE
from contextls.memory.index.file_rules import C_HEADERS
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.places import Place
from contextls.memory.index.query.traces import Found, find_in_workspace
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef, IndexView

# What a file or, more, a line gains that a question names. All else together adds up to about 6: a line mentioned in
# prose (half the strength) leads, and so does the innermost frame of a trace before the next (half of it again).
NAMED_FILE = 3.0
NAMED_LINE = 12.0
# What the rest of a file gains of which a line is named.
BESIDE_LINE = 1.0


class NamedPlaces(Struct, frozen=True):
    """The places that were ``found``, and the names of their ``files`` and of others with a named line."""

    found: Sequence[Found]
    files: AbstractSet[str]

    def score_chunks(self, view: IndexView) -> dict[ChunkRef, float]:
        """The gain of each chunk whose file or, more, whose lines the question names."""
        gains: dict[ChunkRef, float] = {}
        for place in self.found:
            for ref in view.chunks_of(place.path):
                first, last = view.bounds(ref)
                here = place.line is not None and first <= place.line <= last
                beside = NAMED_FILE if place.line is None else BESIDE_LINE
                gain = place.strength * (NAMED_LINE if here else beside)
                gains[ref] = max(gain, gains.get(ref, 0.0))
        return gains


def find_named_places(named: Sequence[Place], snapshot: Snapshot) -> NamedPlaces:
    """Find the places that are ``named`` in a question."""
    if not named:
        return NamedPlaces((), frozenset())
    told = [_find_file(place, snapshot) for place in named]
    meant = find_in_workspace(told, snapshot.view.paths)
    paths = [*(place.path for place in meant), *(place.path for place in told if place.line)]
    files = {path.rpartition("/")[2] for path in paths}
    return NamedPlaces([_find_line(place, snapshot) for place in meant], files)


def _find_file(place: Place, snapshot: Snapshot) -> Place:
    """``place`` with the only file of source that has a function called so, where a frame tells that alone."""
    if place.path or not place.frame:
        return place
    named = (item for item in snapshot.symbols.find_named(place.name) if item.definition.name == place.name)
    paths = {
        item.path
        for item in named
        if item.definition.kind in CALLABLE and snapshot.files.kind(item.path) is FileKind.SOURCE
    }
    with_body = {path for path in paths if not path.endswith(C_HEADERS)} or paths
    return replace(place, path=next(iter(with_body))) if len(with_body) == 1 else place


def _find_line(place: Found, snapshot: Snapshot) -> Found:
    """``place`` at the only function there that is called so, where a frame tells no line of that.

    Its line may be of what was compiled from the file, or of another version of it.
    """
    outline = snapshot.outlines.get(place.path)
    if not place.frame or not place.name or outline is None:
        return place
    named = [each for each in outline.definitions if each.name == place.name]
    if len(named) != 1 or (place.line and named[0].start_line <= place.line <= named[0].end_line):
        return place
    return replace(place, line=named[0].start_line)
