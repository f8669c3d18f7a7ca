"""The target of "this": the code at the editor's position, what it refers to, who uses it and what tests it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from contextls import cancellation
from contextls.assembly.signals import Signals
from contextls.code.kinds import CALLABLE, TYPE_LIKE, Kind
from contextls.code.model import Definition
from contextls.memory.index.calls import called_within
from contextls.memory.index.files import KINDS
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.index.terms import TermSplitter
from contextls.memory.index.view import ChunkRef
from contextls.memory.knowledge.relations import RelationGraph
from contextls.model import EditorPosition
from contextls.store.chunk_rows import ChunkLines, ChunkRow
from contextls.text.fence import inline

# What a piece is worth beside the chunk under the cursor (1). The order is the point: what was asked for, then the
# rest of the same definition, what it refers to, the head of its class.
ASKED = 0.92
SUBJECT = 0.95
REFERRED = 0.85
UNASKED = 0.6
HEAD = 0.55
# Each further piece of one kind is worth a little less.
STEP = 0.01
MAX_PIECES = 8
# A function that is called is shown by its first chunks: the fault may be in any line of it.
MAX_OF_FUNCTION = 2
MAX_NAMES = 60
MAX_MENTIONS = 500

_NAME = re.compile(r"[^\W\d]\w*[?!]?")
_USERS = re.compile(
    r"\b(calls|callers?|called|uses|used|users?|usages?|references|referenced|invokes|invoked)\b"
    r"|\b(imports|imported|depends? on)\b"
    r"|\b(who|what|which|where)( \w+)? (call|use|reference|invoke|import)\b",
    re.IGNORECASE,
)
# What builds an object is used under the name of its type.
_BUILDERS = frozenset(
    {"__init__", "__new__", "__post_init__", "__construct", "constructor", "initialize", "init"}
)
_WHOLE_TYPE = re.compile(r"\b(class|struct|interface|trait|enum|type)\b", re.IGNORECASE)
_WHOLE_FILE = re.compile(r"\b(file|module)\b", re.IGNORECASE)
_TEST_WORDS = frozenset({"test", "tests", "spec", "specs"})


@dataclass(frozen=True, slots=True)
class Angle:
    """From which side a place is looked at.

    ``spot`` is what it is called in reasons; ``users`` and ``tests`` say whether those of what is there are wanted. A
    ``question`` may speak of the whole class or file around it. ``rest`` is what the rest of the same definition is worth,
    ``step`` what each further piece of one kind loses.
    """

    spot: str
    users: bool
    tests: bool
    question: str = ""
    rest: float = SUBJECT
    step: float = STEP

    @classmethod
    def of(cls, signals: Signals, spot: str = "around the cursor") -> Angle:
        """As the question says."""
        text = signals.text
        return cls(spot, bool(_USERS.search(text)), FileKind.TEST in signals.query.kinds, text)


@dataclass(frozen=True, slots=True)
class Near:
    """The worth of a chunk near the position in 0..1, and why it is there, in a short phrase."""

    worth: float
    why: str


def keep(found: dict[ChunkRef, Near], ref: ChunkRef, near: Near) -> None:
    """Note why a chunk is near, unless a weightier reason is known."""
    if ref not in found or near.worth > found[ref].worth:
        found[ref] = near


@dataclass
class _Place:
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
        return self.snapshot.view.row(ref)

    def lines(self, ref: ChunkRef) -> ChunkLines:
        return self.snapshot.view.lines(ref)

    def kind(self, ref: ChunkRef) -> FileKind:
        """The kind of file that a chunk is in."""
        return kind_of(self.snapshot, ref)

    def add(self, pieces: Iterable[tuple[ChunkRef, str]], worth: float, step: float) -> None:
        """Note the best ``MAX_PIECES`` of ``pieces``, which come best first, each with its reason."""
        new: dict[ChunkRef, str] = {}
        for ref, why in pieces:
            if ref not in self.under:
                new.setdefault(ref, why)
        for number, (ref, why) in enumerate(list(new.items())[:MAX_PIECES]):
            keep(self.found, ref, Near(worth - step * number, why))

    def distance(self, path: str) -> int:
        """0 for the own file, 1 for what it imports or is imported by, 2 for the same folder, 3 for the rest."""
        if path == self.path:
            return 0
        if path in self.linked:
            return 1
        return 2 if path.rpartition("/")[0] == self.path.rpartition("/")[0] else 3


def kind_of(snapshot: Snapshot, ref: ChunkRef) -> FileKind:
    """The kind of file that a chunk is in."""
    segment = snapshot.view.segments[ref.segment]
    return KINDS[int(segment.file_kinds[segment.chunk_files[ref.position]])]


def find_cursor_context(
    snapshot: Snapshot, graph: RelationGraph, position: EditorPosition, angle: Angle
) -> dict[ChunkRef, Near]:
    """The chunks that a question about ``position`` needs, each with its worth; those right there have 1.

    Empty when the index has nothing there.
    """
    place = _place(snapshot, graph, angle.question, position)
    if place is None:
        return {}
    subject = place.name
    part = f"part of {inline(subject)}" if subject else "the same file"
    place.add(((ref, part) for ref in _subject(place)), angle.rest, angle.step)
    if place.subject is not None and angle.users:
        place.add(((ref, f"uses {inline(subject)}") for ref in _users(place, subject)), ASKED, angle.step)
    if angle.tests:
        place.add(_tests(place), ASKED, angle.step)
    place.add(
        _find_references(place, angle.spot), UNASKED if angle.users or angle.tests else REFERRED, angle.step
    )
    place.add(_heads(place), HEAD, angle.step)
    return place.found | dict.fromkeys(place.under, Near(1.0, angle.spot))


def _place(
    snapshot: Snapshot, graph: RelationGraph, question: str, position: EditorPosition
) -> _Place | None:
    outline = snapshot.outlines.get(position.path)
    if position.start_line is None or outline is None:
        return None
    view = snapshot.view
    chunks = view.chunks_of(position.path)
    # An editor's cursor may stand behind the last line of its file.
    end = max((view.lines(ref).end_line for ref in chunks), default=0)
    first, last = min(position.start_line, end), min(position.end_line or position.start_line, end)
    under = tuple(
        ref for ref in chunks if view.lines(ref).start_line <= last and first <= view.lines(ref).end_line
    )
    if not under:
        return None
    linked = frozenset(graph.imports(position.path)) | frozenset(graph.importers(position.path))
    enclosing = sorted(
        (d for d in outline.definitions if d.start_line <= first and last <= d.end_line),
        key=lambda d: (-d.start_line, d.end_line),
    )
    if _WHOLE_FILE.search(question):
        whole = Definition("", "", Kind.MODULE, 1, end, "", "")
        return _Place(snapshot, linked, position.path, under, whole, ())
    wanted = [d for d in enclosing if d.kind in TYPE_LIKE] if _WHOLE_TYPE.search(question) else enclosing
    subject = next(iter([*wanted, *enclosing]), None)
    return _Place(snapshot, linked, position.path, under, subject, enclosing)


def _subject(place: _Place) -> list[ChunkRef]:
    """The chunks of the definition in question, nearest to the cursor first."""
    if place.subject is None:
        return []
    chunks = place.snapshot.view.chunks_of(place.path)
    middle = chunks.index(place.under[0])
    inside = [ref for ref in chunks if _meets(place.lines(ref), place.subject)]
    return sorted(inside, key=lambda ref: (abs(chunks.index(ref) - middle), place.lines(ref).start_line))


def _heads(place: _Place) -> Iterator[tuple[ChunkRef, str]]:
    """Where the classes around the cursor begin."""
    for definition in place.enclosing[1:]:
        for ref in _starting(place, place.path, definition):
            yield ref, f"head of {inline(definition.name)}"


def _find_references(place: _Place, spot: str) -> list[tuple[ChunkRef, str]]:
    """Where the names in the chunks under the cursor are defined, in the order in which they are used."""
    own = {definition.qualified for definition in place.enclosing}
    used = _used_names(place)
    in_test = place.kind(place.under[0]) is FileKind.TEST
    names = dict.fromkeys(name for ref in place.under for name in _NAME.findall(place.row(ref).text))
    found: list[tuple[int, int, ChunkRef, str]] = []
    for order, name in enumerate(list(names)[:MAX_NAMES]):
        everywhere = [
            each for each in place.snapshot.symbols.find_named(name) if each.definition.name == name
        ]
        named = [
            each
            for each in everywhere
            if each.definition.kind != Kind.CONSTANT
            # Elsewhere than in the own file, a word of prose would mean anything, and a member or a local name too
            # where others have the same.
            and (
                each.path == place.path
                or (name in used and ("." not in each.definition.qualified or len(everywhere) == 1))
            )
        ]
        near = [(place.distance(item.path), item) for item in named]
        closest = min((distance for distance, _ in near), default=3)
        if closest == 3 and len(near) > 1:
            continue
        for distance, item in near:
            if distance == closest and not (item.path == place.path and item.definition.qualified in own):
                found.extend(
                    (distance, order, ref, name)
                    for ref in _showing(place, item.path, item.definition)
                    if in_test or place.kind(ref) is not FileKind.TEST
                )
    found.sort(key=lambda one: one[:2])
    return [(ref, f"defines {inline(name)}, used {spot}") for _, _, ref, name in found]


def _used_names(place: _Place) -> frozenset[str]:
    """The names that the active file calls, instantiates, extends, takes as types or imports."""
    outline = place.snapshot.outlines[place.path]
    return frozenset(outline.references).union(*(each.names for each in outline.imports))


def _users(place: _Place, name: str) -> list[ChunkRef]:
    """Chunks that use ``name``: own file, files tied by imports, the folder; anywhere when only one thing has the name."""
    farthest = 3 if len(place.snapshot.symbols.find_named(name)) == 1 else 2
    found = []
    for ref in _mentioning(place, name, lambda ref: place.distance(place.lines(ref).path) <= farthest):
        cancellation.check()
        row = place.row(ref)
        distance = place.distance(row.path)
        if distance or place.subject is None or not _meets(row, place.subject):
            packed = place.snapshot.outlines[row.path].calls
            called = called_within(packed, name, row.start_line, row.end_line)
            unlikely = row.kind == Kind.IMPORT or called is False or place.kind(ref) is not FileKind.SOURCE
            found.append(((unlikely, distance, row.path, row.start_line), ref))
    return [ref for _, ref in sorted(found, key=lambda one: one[0])]


def _tests(place: _Place) -> list[tuple[ChunkRef, str]]:
    """Chunks of tests: those that name what is in question, in the file that is named after the active one before others."""
    stem = place.path.rpartition("/")[2].partition(".")[0].strip("_").lower()
    view = place.snapshot.view
    beside = [path for path in view.paths if stem and stem in path.rpartition("/")[2].lower()]
    twins = sorted(path for path in beside if _is_twin(path, stem))
    name = place.name
    naming = _mentioning(place, name, lambda ref: place.kind(ref) is FileKind.TEST)
    naming.sort(key=lambda ref: (place.lines(ref).path not in twins, place.lines(ref).path))
    plain = [ref for path in twins for ref in view.chunks_of(path)[:2]]
    of_file = f"test of {inline(place.path.rpartition('/')[2])}"
    return [
        *((ref, f"test of {inline(name)}") for ref in naming[: MAX_PIECES // 2]),
        *((ref, of_file) for ref in plain),
    ]


def _is_twin(path: str, stem: str) -> bool:
    """Whether a test file is named after ``stem``: ``test_cart.py``, ``CartTest.php``, ``cart.spec.ts``."""
    words = path.rpartition("/")[2].lower().replace(stem, "", 1).split(".")
    return any(word.strip("_-") in _TEST_WORDS for word in words)


def _mentioning(place: _Place, name: str, accepts: Callable[[ChunkRef], bool]) -> list[ChunkRef]:
    """The accepted chunks whose text contains the name as a word, in path and line order."""
    splitter = TermSplitter()
    terms = splitter.question_terms(name) or splitter.stems(name)
    if not terms:
        return []
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    view = place.snapshot.view
    found = [
        (row.path, row.start_line, ref)
        for ref in _holding(place, terms[0].hash)
        if accepts(ref) and whole.search((row := view.row(ref)).text)
    ]
    return [ref for _, _, ref in sorted(found, key=lambda one: one[:2])]


def _holding(place: _Place, term: int) -> list[ChunkRef]:
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


def _starting(place: _Place, path: str, definition: Definition) -> list[ChunkRef]:
    """The chunk in which the definition begins."""
    return [
        ref
        for ref in place.snapshot.view.chunks_of(path)
        if place.lines(ref).start_line <= definition.start_line <= place.lines(ref).end_line
    ][:1]


def _showing(place: _Place, path: str, definition: Definition) -> list[ChunkRef]:
    """The chunks to know the definition by: where it begins, and of a function that was cut what comes next."""
    if definition.kind not in CALLABLE:
        return _starting(place, path, definition)
    chunks = place.snapshot.view.chunks_of(path)
    return [ref for ref in chunks if _meets(place.lines(ref), definition)][:MAX_OF_FUNCTION]


def _meets(row: ChunkRow | ChunkLines, definition: Definition) -> bool:
    return row.start_line <= definition.end_line and definition.start_line <= row.end_line
