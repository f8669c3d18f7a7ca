"""Chunks that a question asks for by name: definitions, their users, routes, frames of a trace, files and sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial

from msgspec import Struct, field

from contextls.assembly.sources.content_search import ContentSearch
from contextls.assembly.sources.excerpts import Wanted, lines_spelling
from contextls.assembly.targets.cursor_place import Near
from contextls.assembly.targets.routes import find_routes
from contextls.assembly.usefulness.analogue import weigh_analogue
from contextls.assembly.usefulness.asked_statuses import weigh_statuses
from contextls.assembly.usefulness.frames import weigh_frames, weigh_messages
from contextls.assembly.usefulness.likely_files import weigh_likely_files
from contextls.assembly.usefulness.name_users import (
    find_definitions,
    find_members,
    find_subject,
    unused_marks,
    weigh_named,
)
from contextls.assembly.usefulness.proper_names import weigh_proper_names
from contextls.assembly.usefulness.prototypes import declares_alone, leave_out_declarations
from contextls.assembly.usefulness.read_constants import READ_CONSTANT, find_read_constants
from contextls.assembly.usefulness.receivers import Receivers, find_foreign_lines
from contextls.assembly.usefulness.titled_sections import weigh_titled_sections
from contextls.assembly.usefulness.worth import join_worths
from contextls.assembly.wording.name_questions import (
    asks_for_change,
    asks_for_definition,
    asks_for_users,
    speaks_of_names_alone,
    without_new_name,
)
from contextls.code.kinds import TYPES
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.defined_words import quoted_names
from contextls.memory.index.query.search_query import SearchQuery
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.regex import compile_late

# A question about nothing but a name gets its definitions if at most this many source files define it; in other questions
# such a name is ambiguous.
MAX_FILES = 8
# The number of files that may define a type of one name: the server and each client may have a type for the same thing.
MAX_TYPES = 3
# The relevance of a type's definition, in 0..1, where the question asks what the type is.
TOLD = 1.0
# The factor for each further user in one file, so that users in other files are shown as well.
NEXT_IN_FILE = 0.97
# The lines shown before and after a place of the model that a question takes as its example.
AROUND_MODEL = 8
_NAME = compile_late(r"[\w$]+")


class NamedChunks(Struct, frozen=True):
    """The chunks that a question asks for by name, with the worth of each, names as it spells them, and routes.

    Where they are ``alone``, it asks for nothing else; where they ``lead``, they say most of the answer. Those of ``places``
    hold a name that is defined elsewhere: no further parts of their definitions are wanted, and of those in ``excerpts`` no
    more than that says.
    """

    worth: Mapping[ChunkRef, float]
    spelled: Mapping[ChunkRef, str]
    routes: Mapping[ChunkRef, Near]
    alone: bool = False
    lead: bool = False
    places: AbstractSet[ChunkRef] = frozenset()
    excerpts: Mapping[ChunkRef, Wanted] = field(default_factory=dict)


class _Places(Struct, frozen=True):
    """The places that a question leads to without naming a definition, each with its worth, by what leads there."""

    routes: Mapping[ChunkRef, Near] = field(default_factory=dict)
    analogue: Mapping[ChunkRef, float] = field(default_factory=dict)
    # The names that each place defines and that likely code reads.
    constants: Mapping[ChunkRef, Sequence[str]] = field(default_factory=dict)
    others: Sequence[Mapping[ChunkRef, float]] = ()

    @property
    def worth(self) -> dict[ChunkRef, float]:
        """The worth of all of them."""
        routes = {ref: route.worth for ref, route in self.routes.items()}
        return join_worths(routes, self.analogue, *self.others, dict.fromkeys(self.constants, READ_CONSTANT))


def find_asked(search: ContentSearch) -> NamedChunks:
    """Find the chunks that the question asks for by name, but for those of a selected text."""
    snapshot, query = search.snapshot, search.ranking.question
    if search.known.whole:
        return NamedChunks(search.known.worth, {}, {}, alone=True)
    names = _find_names(query)
    subject = _find_only_subject(query, names, snapshot)
    alone = bool(subject)
    # A selected text holds many names, and it is shown itself.
    is_selected = bool(search.question.target.text)
    spelled = {} if is_selected else _find_spelled(search, names, subject)
    places = _find_places(search, is_selected=is_selected)
    receivers_of = cache(partial(Receivers, snapshot=snapshot))
    named = weigh_named(
        spelled, search.ranking, snapshot, search.memories.graph, receivers_of, subject=subject
    )
    named = _spread(named, snapshot.view) if alone else named
    if query.asked_types:
        named |= dict.fromkeys(spelled, TOLD)
    worth = join_worths(named, places.worth)
    if FileKind.CHANGELOG not in query.kinds:
        kind_of = snapshot.view.file_kind
        worth = {ref: value for ref, value in worth.items() if kind_of(ref) is not FileKind.CHANGELOG}
    elsewhere = (places.analogue.keys() - spelled.keys()) | places.constants.keys()
    excerpts = _cut_places(places, spelled, search)
    uses = named.keys() - spelled.keys()
    if not alone or not (uses if asks_for_users(query.text) else spelled):
        lead = bool((search.known.worth and search.known.lead) or (query.asked_types and spelled))
        return NamedChunks(worth, spelled, places.routes, lead=lead, places=elsewhere, excerpts=excerpts)
    members = [receivers_of(path, definition) for _, path, definition in find_definitions(spelled, snapshot)]
    excerpts |= _cut_uses(uses, _last_part(subject), members, query.text, snapshot)
    return NamedChunks(worth, spelled, places.routes, alone=True, places=elsewhere | uses, excerpts=excerpts)


def _find_spelled(search: ContentSearch, names: Sequence[str], subject: str) -> dict[ChunkRef, str]:
    """The chunks that define a name which the question spells, with that; where it has a ``subject``, only that one."""
    ranking, snapshot = search.ranking, search.snapshot
    defining = find_named(ranking, snapshot, MAX_FILES if subject else 1)
    spelled = {ref: ranking.defined[ref][1] for ref in defining}
    if len(names) > 1 and subject:
        last = _last_part(subject)
        return find_members(last, names, snapshot) or {
            ref: name for ref, name in spelled.items() if name == last
        }
    return spelled


def _find_places(search: ContentSearch, *, is_selected: bool) -> _Places:
    """The places that the words of a question lead to; to those of a selected text only by the titles of sections."""
    ranking, snapshot, chances = search.ranking, search.snapshot, search.useful.chances
    titled = weigh_titled_sections(ranking)
    if is_selected:
        return _Places(others=[titled])
    analogue = search.purpose.analogue
    return _Places(
        routes=find_routes(ranking.question.requests, snapshot, search.memories.graph),
        analogue=weigh_analogue(analogue, ranking, snapshot) if analogue else {},
        constants=find_read_constants(ranking, chances, snapshot),
        others=[
            titled,
            search.known.worth,
            weigh_frames(ranking.places, snapshot),
            weigh_messages(ranking),
            weigh_likely_files(ranking, chances),
            weigh_proper_names(ranking),
            weigh_statuses(ranking),
        ],
    )


def _cut_places(
    places: _Places, spelled: Collection[ChunkRef], search: ContentSearch
) -> dict[ChunkRef, Wanted]:
    """The lines that are wanted of each place that is not ``spelled`` and not called after what leads there."""
    excerpts: dict[ChunkRef, Wanted] = {}
    if analogue := search.purpose.analogue:
        called = {ref for ref in places.analogue if analogue.names(search.view.symbol(ref))}
        beside = places.analogue.keys() - spelled - called
        excerpts = dict.fromkeys(beside, Wanted(analogue.names, AROUND_MODEL))
    constants = {ref: lines_spelling(names) for ref, names in places.constants.items() if ref not in spelled}
    return excerpts | constants


def _find_names(query: SearchQuery) -> tuple[str, ...]:
    """The names of code in a question: those that look like one, and those in backticks."""
    return tuple(dict.fromkeys((*query.identifiers, *quoted_names(query.text))))


def _find_only_subject(query: SearchQuery, names: Sequence[str], snapshot: Snapshot) -> str:
    """The name whose users or definition a question wants, and nothing else; "" where it wants more."""
    asks = asks_for_users(query.text) or asks_for_definition(query.text, names)
    if not asks or not speaks_of_names_alone(query.text, names):
        return ""
    return find_subject(query.text, without_new_name(query.text, names), snapshot)


def _cut_uses(
    uses: AbstractSet[ChunkRef], name: str, members: Sequence[Receivers], text: str, snapshot: Snapshot
) -> dict[ChunkRef, Wanted]:
    """The lines of each chunk that use ``name``, as that of one of ``members``."""
    foreign = find_foreign_lines(members, uses, snapshot)
    found = {}
    for ref in uses:
        marks = unused_marks(ref, text, snapshot.view)
        # A catalog or a response may have the constant `PAGE_SAVED` as `page_saved`.
        forms = [name] if name in snapshot.view.row(ref).text else [name.lower(), name.upper()]
        found[ref] = lines_spelling(forms, but=foreign.get(ref, ()), unused=marks)
    return found


def _last_part(name: str) -> str:
    *_, last = map(str, _NAME.findall(name))
    return last


def _spread(worths: Mapping[ChunkRef, float], view: IndexView) -> dict[ChunkRef, float]:
    """``worths``, each further one of a file a little less than the one before."""
    seen: Counter[str] = Counter()
    spread = {}
    for ref in view.best_first(worths):
        path = view.path(ref)
        spread[ref] = worths[ref] * NEXT_IN_FILE ** seen[path]
        seen[path] += 1
    return spread


def find_named(ranking: Ranking, snapshot: Snapshot, most: int = 1) -> set[ChunkRef]:
    """The chunks that define a name which the question spells and at ``most`` so many source files define.

    Of a type some more may: the server and each client have theirs.
    """
    if any(place.frame for place in ranking.question.places):
        return set()  # a trace is read from its innermost frame
    if ranking.question.is_report:
        return set()  # of the names in a report, few are at fault
    view = snapshot.view
    sources = {ref for ref in ranking.defined if view.file_kind(ref) is FileKind.SOURCE}
    names = {ref: ranking.defined[ref][1] for ref in sources}
    if not asks_for_change(ranking.question.text):
        sources = leave_out_declarations(names, lambda ref: declares_alone(ref, names[ref], snapshot))
    files: dict[str, set[str]] = {}
    for ref in sources:
        files.setdefault(names[ref], set()).add(view.path(ref))
    types = {ref for ref, _, definition in find_definitions(names, snapshot) if definition.kind in TYPES}
    allowed = {ref: max(most, MAX_TYPES) if ref in types else most for ref in sources}
    return {ref for ref in sources if len(files[names[ref]]) <= allowed[ref]}
