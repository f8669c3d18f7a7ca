"""A position in an editor in terms of the index: the chunks under the cursor, and how to find others from there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct, field

from contextls.code.kinds import CALLABLE, TYPE_LIKE, Kind
from contextls.code.model import Definition
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.memory.index.terms import TermSplitter
from contextls.memory.knowledge.relations import RelationGraph
from contextls.model import EditorPosition
from contextls.regex import compile_late
from contextls.store.chunk_rows import ChunkLines, ChunkRow

MAX_PIECES = 8
# A function that is called is shown by its first chunks: the fault may be in any line of it.
MAX_OF_FUNCTION = 2
MAX_MENTIONS = 500
# The distance of a file that nothing ties to the one at the cursor.
FAR = 3

# What builds an object is used under the name of its type.
_BUILDERS = frozenset(
    {"__init__", "__new__", "__post_init__", "__construct", "constructor", "initialize", "init"}
)
# "This class" is the one around the cursor, "which class" another; translated, "diese Klasse" is "class".
_ANOTHER = (
    r"(?<!\ba )(?<!\ban )(?<!\bany )(?<!\beach )(?<!\bevery )(?<!\bof )(?<!\bthe )(?<!\bwhat )(?<!\bwhich )"
)
_WHOLE_TYPE = compile_late(rf"{_ANOTHER}\b(class|struct|interface|trait|enum)\b|\bthis type\b", re.IGNORECASE)
_WHOLE_FILE = compile_late(
    rf"{_ANOTHER}\b(file|module)\b(?! (name|path|size|handle|descriptor|system|extension)s?\b)", re.IGNORECASE
)


class Near(Struct, frozen=True):
    """The worth of a chunk near the position in 0..1, and why it is there, in a short phrase."""

    worth: float
    why: str


def keep(found: dict[ChunkRef, Near], ref: ChunkRef, near: Near) -> None:
    """Note why a chunk is near, unless a weightier reason is known."""
    if ref not in found or near.worth > found[ref].worth:
        found[ref] = near


class CursorPlace(Struct):
    """The position in terms of the index: chunks under the cursor, and the definition that the question is about."""

    snapshot: Snapshot
    linked: frozenset[str]  # files that the active one imports or is imported by
    path: str
    under: tuple[ChunkRef, ...]
    subject: Definition | None
    enclosing: Sequence[Definition]  # innermost first
    found: dict[ChunkRef, Near] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name under which the subject is used; "" where there is none."""
        if self.subject is None:
            return ""
        around = self.subject.qualified.split(".")[:-1]
        return around[-1] if around and self.subject.name in _BUILDERS else self.subject.name

    def row(self, ref: ChunkRef) -> ChunkRow:
        """A chunk with its text."""
        return self.snapshot.view.row(ref)

    def lines(self, ref: ChunkRef) -> ChunkLines:
        """The lines of a chunk; cheaper than ``row``."""
        return self.snapshot.view.lines(ref)

    def kind(self, ref: ChunkRef) -> FileKind:
        """The kind of file that a chunk is in."""
        return self.snapshot.view.file_kind(ref)

    def add(self, pieces: Iterable[tuple[ChunkRef, str]], worth: float, step: float) -> None:
        """Note the best ``MAX_PIECES`` of ``pieces``, which come best first, each with its reason."""
        new: dict[ChunkRef, str] = {}
        for ref, why in pieces:
            if ref not in self.under:
                new.setdefault(ref, why)
        for number, (ref, why) in enumerate(list(new.items())[:MAX_PIECES]):
            keep(self.found, ref, Near(worth - step * number, why))

    def distance(self, path: str) -> int:
        """0 for the own file, 1 for what it imports or is imported by, 2 for the same folder, ``FAR`` for the rest."""
        if path == self.path:
            return 0
        if path in self.linked:
            return 1
        return 2 if path.rpartition("/")[0] == self.path.rpartition("/")[0] else FAR


def find_place(
    snapshot: Snapshot, graph: RelationGraph, question: str, position: EditorPosition
) -> CursorPlace | None:
    """The code around a cursor; ``None`` where nothing is indexed. ``question`` decides between a method and its class."""
    outline = snapshot.outlines.get(position.path)
    if outline is None:
        return None
    first, last, end = _lines_at(snapshot.view, position)
    under = find_under(snapshot.view, position)
    if not under:
        return None
    linked = frozenset(graph.imports(position.path)) | frozenset(graph.importers(position.path))
    enclosing = sorted(
        (d for d in outline.definitions if d.start_line <= first and last <= d.end_line),
        key=lambda d: (-d.start_line, d.end_line),
    )
    if position.start_line is None or _WHOLE_FILE.search(question):
        whole = Definition("", "", Kind.MODULE, 1, end, "", "")
        return CursorPlace(snapshot, linked, position.path, under, whole, ())
    wanted = [d for d in enclosing if d.kind in TYPE_LIKE] if _WHOLE_TYPE.search(question) else enclosing
    subject = next(iter([*wanted, *enclosing]), None)
    return CursorPlace(snapshot, linked, position.path, under, subject, enclosing)


def find_under(view: IndexView, position: EditorPosition) -> tuple[ChunkRef, ...]:
    """The chunks at a cursor or under a selection, in line order."""
    first, last, _ = _lines_at(view, position)
    chunks = view.chunks_of(position.path) if first else ()
    return tuple(
        ref for ref in chunks if view.lines(ref).start_line <= last and first <= view.lines(ref).end_line
    )


def _lines_at(view: IndexView, position: EditorPosition) -> tuple[int, int, int]:
    """The first and the last line of a position, and the last of its file; 0 where nothing is indexed.

    A file without a cursor is read from its beginning.
    """
    end = max((view.lines(ref).end_line for ref in view.chunks_of(position.path)), default=0)
    first = position.start_line or 1
    # An editor's cursor may stand after the last line of its file.
    return min(first, end), min(position.end_line or first, end), end


def find_mentions(place: CursorPlace, name: str, accepts: Callable[[ChunkRef], bool]) -> list[ChunkRef]:
    """The accepted chunks whose text contains the name as a word, in path and line order."""
    splitter = TermSplitter()
    terms = splitter.question_terms(name) or splitter.stems(name)
    if not terms:
        return []
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    view = place.snapshot.view
    found = [
        (row.path, row.start_line, ref)
        for ref in _find_term(place, terms[0].hash)
        if accepts(ref) and whole.search((row := view.row(ref)).text)
    ]
    return [ref for _, _, ref in sorted(found, key=lambda one: one[:2])]


def _find_term(place: CursorPlace, term: int) -> list[ChunkRef]:
    """The chunks that hold a term; of a word that is everywhere, only those of files near the active one."""
    view = place.snapshot.view
    postings = [segment.owners(term) for segment in view.segments]
    if sum(map(len, postings)) > MAX_MENTIONS:
        near = sorted((distance, path) for path in view.paths if (distance := place.distance(path)) < 3)
        return [ref for _, path in near for ref in view.chunks_of(path)][:MAX_MENTIONS]
    return [
        ChunkRef(number, at)
        for number, chunks in enumerate(postings)
        for at in chunks[view.alive[number][chunks]].tolist()
    ]


def find_start(place: CursorPlace, path: str, definition: Definition) -> list[ChunkRef]:
    """The chunk in which the definition begins."""
    return [
        ref
        for ref in place.snapshot.view.chunks_of(path)
        if place.lines(ref).start_line <= definition.start_line <= place.lines(ref).end_line
    ][:1]


def find_pieces(place: CursorPlace, path: str, definition: Definition) -> list[ChunkRef]:
    """The chunks to know the definition by: where it begins, and of a function that was cut what comes next."""
    if definition.kind not in CALLABLE:
        return find_start(place, path, definition)
    chunks = place.snapshot.view.chunks_of(path)
    return [ref for ref in chunks if overlaps(place.lines(ref), definition)][:MAX_OF_FUNCTION]


def overlaps(row: ChunkRow | ChunkLines, definition: Definition) -> bool:
    """Whether a chunk shows a part of a definition."""
    return row.start_line <= definition.end_line and definition.start_line <= row.end_line
