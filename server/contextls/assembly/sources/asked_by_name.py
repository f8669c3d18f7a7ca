"""Chunks that a question asks for by name: definitions, their users, routes, frames of a trace, files and sections."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from msgspec import Struct

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.targets.cursor_place import Near
from contextls.assembly.targets.implicit_target import ImplicitTarget
from contextls.assembly.usefulness.analogue import weigh_analogue
from contextls.assembly.usefulness.frames import weigh_frames, weigh_messages
from contextls.assembly.usefulness.likely_files import weigh_likely_files
from contextls.assembly.usefulness.name_users import (
    asks_for_definition,
    asks_for_users,
    speaks_of_names_alone,
    weigh_named,
)
from contextls.assembly.usefulness.routes import find_routes
from contextls.assembly.usefulness.titled_sections import weigh_titled_sections
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking import Ranking
from contextls.memory.index.search_query import SearchQuery
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.index.view import ChunkRef


class Asked(Struct, frozen=True):
    """The chunks that a question asks for by name, with the worth of each, names as it spells them, and routes.

    Where they are ``alone``, it asks for nothing else.
    """

    worth: Mapping[ChunkRef, float]
    spelled: Mapping[ChunkRef, str]
    routes: Mapping[ChunkRef, Near]
    alone: bool = False


def find_asked(
    ranking: Ranking, chances: Mapping[ChunkRef, float], memories: MemorySnapshot, target: ImplicitTarget
) -> Asked:
    """Find the chunks that the question asks for by name, but for those of a selected text."""
    snapshot, graph = memories.snapshot, memories.graph
    spelled: dict[ChunkRef, str] = {}
    routes: dict[ChunkRef, Near] = {}
    frames: dict[ChunkRef, float] = {}
    files: dict[ChunkRef, float] = {}
    analogue: dict[ChunkRef, float] = {}
    if not target.text:  # of names in a selected text there are many, and it is shown itself
        spelled = {ref: ranking.defined[ref][1] for ref in find_named(ranking, snapshot)}
        routes = find_routes(ranking.question.requests, snapshot, graph)
        frames = join_worths(weigh_frames(ranking.places, snapshot.view), weigh_messages(ranking))
        files = weigh_likely_files(ranking, chances)
        analogue = weigh_analogue(ranking, snapshot)
    query = ranking.question
    alone = len(query.identifiers) == 1 and speaks_of_names_alone(query.text, query.identifiers)
    named = weigh_named(spelled, ranking, snapshot, graph, alone=alone)
    worth = join_worths(
        named,
        {ref: route.worth for ref, route in routes.items()},
        frames,
        files,
        weigh_titled_sections(ranking),
        analogue,
    )
    if FileKind.CHANGELOG not in ranking.question.kinds:
        kind_of = snapshot.view.file_kind
        worth = {ref: value for ref, value in worth.items() if kind_of(ref) is not FileKind.CHANGELOG}
    return Asked(worth, spelled, routes, alone=alone and _are_all(named, spelled, query))


def _are_all(named: Mapping[ChunkRef, float], spelled: Mapping[ChunkRef, str], query: SearchQuery) -> bool:
    """Whether ``named``, of which those that are ``spelled`` define a name, are all that a question for names asks for."""
    if asks_for_users(query.text):
        return not named.keys() <= spelled.keys()
    return bool(spelled) and asks_for_definition(query.text, query.identifiers)


def join_worths(*worths: Mapping[ChunkRef, float]) -> dict[ChunkRef, float]:
    """The most that each chunk is worth in any of ``worths``."""
    found: dict[ChunkRef, float] = {}
    for ref, worth in chain.from_iterable(one.items() for one in worths):
        found[ref] = max(worth, found.get(ref, 0.0))
    return found


def find_named(ranking: Ranking, snapshot: Snapshot) -> set[ChunkRef]:
    """The chunks that define a name which the question spells and only one source file defines."""
    if any(place.frame for place in ranking.question.places):
        return set()  # a trace is read from its innermost frame
    if ranking.question.is_report:
        return set()  # of the names in a report, few are at fault
    files: dict[str, set[str]] = {}
    sources = {ref for ref in ranking.defined if snapshot.view.file_kind(ref) is FileKind.SOURCE}
    for ref in sources:
        files.setdefault(ranking.defined[ref][1], set()).add(snapshot.view.path(ref))
    return {ref for ref in sources if len(files[ranking.defined[ref][1]]) == 1}
