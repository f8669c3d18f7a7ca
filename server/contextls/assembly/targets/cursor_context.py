"""The target of "this": the code at the editor's position, what it refers to, who uses it and what tests it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from contextls import cancellation
from contextls.assembly.targets.cursor_place import (
    FAR,
    MAX_PIECES,
    CursorPlace,
    Near,
    find_mentions,
    find_pieces,
    find_place,
    find_start,
    overlaps,
)
from contextls.assembly.wording.signals import Signals
from contextls.code.kinds import CALLABLE, TYPE_LIKE, Kind
from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.calls import called_within
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.symbols import Located
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.knowledge.relations import RelationGraph
from contextls.model import EditorPosition
from contextls.regex import compile_late
from contextls.store.chunk_rows import ChunkRow
from contextls.text.fence import inline

# What a piece is worth, compared with the chunk under the cursor (1). The order is the point: what was asked for, then the
# rest of the same definition, what it refers to, the head of its class.
ASKED = 0.92
SUBJECT = 0.95
REFERRED = 0.85
UNASKED = 0.6
HEAD = 0.55
# Each further piece of one kind is worth a little less.
STEP = 0.01
MAX_NAMES = 60

_NAME = compile_late(r"[^\W\d]\w*[?!]?")
# What is taken of something, or called.
_MEMBER = compile_late(r"(?:\.|->|::|&\.)\s?([^\W\d]\w*[?!]?)|\b([^\W\d]\w*[?!]?)\(")
_USERS = compile_late(
    r"\b(calls|callers?|called|uses|used|users?|usages?|references|referenced|invokes|invoked)\b"
    r"|\b(imports|imported|depends? on)\b"
    r"|\b(who|what|which|where)( \w+)? (call|use|reference|invoke|import)\b",
    re.IGNORECASE,
)
# A text that names something does not use it.
_USING = frozenset({FileKind.SOURCE, FileKind.TEST, FileKind.EXAMPLE, FileKind.LEGACY, FileKind.SETTINGS})
_TEST_WORDS = frozenset({"test", "tests", "spec", "specs"})


class Angle(Struct, frozen=True):
    """The pieces that are wanted around a place, and their worth."""

    # The name of the place in reasons.
    spot: str
    # Whether the users and the tests of the definition there are wanted.
    users: bool
    tests: bool
    # The text of the question, which may speak of the whole class or file around the place.
    question: str = ""
    # The worth of the rest of the same definition, and the loss of each further piece of one kind.
    rest: float = SUBJECT
    step: float = STEP
    # Whether a member matters that the code there only names, in a comment say, and neither calls nor takes of anything.
    named: bool = False

    @classmethod
    def of(cls, signals: Signals, spot: str = "around the cursor") -> Angle:
        """The angle of a question with these ``signals``."""
        text = signals.text
        return cls(spot, bool(_USERS.search(text)), FileKind.TEST in signals.query.kinds, text)


def find_cursor_context(
    snapshot: Snapshot, graph: RelationGraph, position: EditorPosition, angle: Angle
) -> dict[ChunkRef, Near]:
    """The chunks that a question about ``position`` needs, each with its worth; those right there have 1.

    Empty when the index has nothing there.
    """
    place = find_place(snapshot, graph, angle.question, position)
    if place is None:
        return {}
    subject = place.name
    part = f"part of {inline(subject)}" if subject else "the same file"
    place.add(((ref, part) for ref in _find_subject(place)), angle.rest, angle.step)
    if place.subject is not None and angle.users:
        place.add(
            ((ref, f"uses {inline(subject)}") for ref in _find_users(place, subject)), ASKED, angle.step
        )
    if angle.tests:
        place.add(_find_tests(place), ASKED, angle.step)
    place.add(_find_references(place, angle), UNASKED if angle.users or angle.tests else REFERRED, angle.step)
    place.add(_find_heads(place), HEAD, angle.step)
    return place.found | dict.fromkeys(place.under, Near(1.0, angle.spot))


def _find_subject(place: CursorPlace) -> list[ChunkRef]:
    """The chunks of the definition in question, nearest to the cursor first."""
    if place.subject is None:
        return []
    chunks = place.snapshot.view.chunks_of(place.path)
    middle = chunks.index(place.under[0])
    inside = [ref for ref in chunks if overlaps(place.lines(ref), place.subject)]
    return sorted(inside, key=lambda ref: (abs(chunks.index(ref) - middle), place.lines(ref).start_line))


def _find_heads(place: CursorPlace) -> Iterator[tuple[ChunkRef, str]]:
    """The beginnings of the classes around the cursor."""
    for definition in place.enclosing[1:]:
        for ref in find_start(place, place.path, definition):
            yield ref, f"head of {inline(definition.name)}"


def _find_references(place: CursorPlace, angle: Angle) -> list[tuple[ChunkRef, str]]:
    """The definitions of the names in the chunks under the cursor, in the order of use."""
    own = {definition.qualified for definition in place.enclosing}
    used = _used_names(place)
    in_test = place.kind(place.under[0]) is FileKind.TEST
    rows = _read_subject(place)
    names = dict.fromkeys(name for row in rows for name in _NAME.findall(row.text))
    taken = _taken_names(place, rows, names)

    def may_be_meant(item: Located, *, alone: bool) -> bool:
        definition = item.definition
        is_member = "." in definition.qualified or definition.kind == Kind.METHOD
        if definition.kind == Kind.CONSTANT:
            return False
        if is_member and not angle.named and definition.kind in CALLABLE and definition.name not in taken:
            return False
        # Elsewhere than in the own file, a word of prose would mean anything, and so would a member or a local name
        # where others have the same.
        return item.path == place.path or (definition.name in used and (alone or not is_member))

    found: list[tuple[int, int, ChunkRef, str]] = []
    for order, name in enumerate(list(names)[:MAX_NAMES]):
        everywhere = [
            each for each in place.snapshot.symbols.find_named(name) if each.definition.name == name
        ]
        named = [each for each in everywhere if may_be_meant(each, alone=len(everywhere) == 1)]
        for distance, item in _find_nearest(place, named):
            if not (item.path == place.path and item.definition.qualified in own):
                found.extend(
                    (distance, order, ref, name)
                    for ref in find_pieces(place, item.path, item.definition)
                    if in_test or place.kind(ref) is not FileKind.TEST
                )
    found.sort(key=lambda one: one[:2])
    return [(ref, f"defines {inline(name)}, used {angle.spot}") for _, _, ref, name in found]


def _find_nearest(place: CursorPlace, named: Sequence[Located]) -> list[tuple[int, Located]]:
    """The definitions of ``named`` at the least distance, with it; none where several are all far away."""
    near = [(place.distance(item.path), item) for item in named]
    closest = min((distance for distance, _ in near), default=FAR)
    if closest == FAR and len(near) > 1:
        return []
    return [(distance, item) for distance, item in near if distance == closest]


def _read_subject(place: CursorPlace) -> list[ChunkRow]:
    """The chunks at the cursor, and the head of a class that is asked about."""
    subject = place.subject
    heads = find_start(place, place.path, subject) if subject and subject.kind in TYPE_LIKE else ()
    return [place.row(ref) for ref in dict.fromkeys([*heads, *place.under])]


def _taken_names(place: CursorPlace, rows: Sequence[ChunkRow], names: Iterable[str]) -> frozenset[str]:
    """The ``names`` that are called in ``rows`` or taken of something there; in a comment they are words."""
    members = frozenset(name for row in rows for pair in _MEMBER.findall(row.text) for name in pair)
    calls = place.snapshot.outlines[place.path].calls
    return members.union(
        name
        for name in names
        if any(called_within(calls, name, row.start_line, row.end_line) for row in rows)
    )


def _used_names(place: CursorPlace) -> frozenset[str]:
    """The names that the active file calls, instantiates, extends, takes as types or imports."""
    outline = place.snapshot.outlines[place.path]
    return frozenset(outline.references).union(*(each.names for each in outline.imports))


def _find_users(place: CursorPlace, name: str) -> list[ChunkRef]:
    """Chunks that use ``name``: own file, files tied by imports, the folder; anywhere when only one thing has the name."""
    farthest = 3 if len(place.snapshot.symbols.find_named(name)) == 1 else 2
    found = []

    def may_use(ref: ChunkRef) -> bool:
        return place.kind(ref) in _USING and place.distance(place.lines(ref).path) <= farthest

    for ref in find_mentions(place, name, may_use):
        cancellation.check()
        row = place.row(ref)
        distance = place.distance(row.path)
        if distance or place.subject is None or not overlaps(row, place.subject):
            packed = place.snapshot.outlines[row.path].calls
            called = called_within(packed, name, row.start_line, row.end_line)
            unlikely = row.kind == Kind.IMPORT or called is False or place.kind(ref) is not FileKind.SOURCE
            found.append(((unlikely, distance, row.path, row.start_line), ref))
    return [ref for _, ref in sorted(found, key=lambda one: one[0])]


def _find_tests(place: CursorPlace) -> list[tuple[ChunkRef, str]]:
    """Chunks of tests: those that name what is in question, in the file that is named after the active one before others."""
    stem = place.path.rpartition("/")[2].partition(".")[0].strip("_").lower()
    view = place.snapshot.view
    beside = [path for path in view.paths if stem and stem in path.rpartition("/")[2].lower()]
    twins = sorted(path for path in beside if _is_twin(path, stem))
    name = place.name
    naming = find_mentions(place, name, lambda ref: place.kind(ref) is FileKind.TEST)
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
