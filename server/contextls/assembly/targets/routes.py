"""Finds the route of an HTTP request in a question, and its handler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from contextls import cancellation
from contextls.assembly.targets.cursor_place import Near, keep
from contextls.assembly.targets.route_literals import Registration, registrations_in
from contextls.code.kinds import TYPE_LIKE
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.http_requests import HttpRequest
from contextls.memory.index.ranking.lexical import LexicalWeights, read_words
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.segments.number_sets import distinct, largest
from contextls.memory.index.snapshot.chunk_numbers import ChunkNumbers
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.symbols import Located
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import Term, TermSplitter
from contextls.memory.knowledge.relations import RelationGraph
from contextls.regex import compile_late

# How relevant a handler and the code that registers it are, in 0..1; where more than MAX_ROUTES fit alike, none is meant.
HANDLER, ROUTE, MAX_ROUTES = 0.8, 0.7, 3
# The number of chunks with the last words of a path that are read: those first that hold more of the path, and words
# for routes.
MAX_READ = 120
_SPEAKS_OF_ROUTES = "route path url handle resource mapping"
# Segments with which the paths of whole services begin.
_USUAL = compile_late(r"api|rest|v\d+")
_NAME = compile_late(r"[A-Za-z_]\w{1,80}")
_ACTION = compile_late(r"[\"'](\w{1,80})#(\w{1,80})[\"']")
# What handlers of a method are called where their class alone is named.
_ACTIONS = {
    "get": ("get", "index", "show", "list", "retrieve"),
    "post": ("post", "store", "create"),
    "put": ("put", "update"),
    "patch": ("patch", "update", "partial_update"),
    "delete": ("delete", "destroy"),
}


def find_routes(
    requests: Sequence[HttpRequest], snapshot: Snapshot, graph: RelationGraph
) -> dict[ChunkRef, Near]:
    """The chunks that register the routes of ``requests``, and those that handle them."""
    found: dict[ChunkRef, Near] = {}
    for request in requests:
        registrations = _find_registrations(request, snapshot)
        if not registrations and len(request.segments) > 1:
            # A name at the end looks like any other segment: /user/alice.
            shorter = HttpRequest(request.method, request.segments[:-1], varies=True)
            registrations = [
                pair for pair in _find_registrations(shorter, snapshot) if pair[1].fit.ends_alike
            ]
        for ref, registration in registrations:
            keep(found, ref, Near(ROUTE, f"registers {request}"))
            path = snapshot.view.path(ref)
            for item in _find_handlers(registration.handler, path, request.method, snapshot, graph):
                for handling in (item, *_find_owner(item, snapshot)):
                    handler = snapshot.view.chunk_at(handling.path, handling.definition.start_line)
                    if handler is not None:
                        keep(found, handler, Near(HANDLER, f"handles {request}"))
    return found


def _find_registrations(request: HttpRequest, snapshot: Snapshot) -> list[tuple[ChunkRef, Registration]]:
    """The registrations that fit ``request`` best, with the chunks that hold them."""
    last = request.segments[-1]
    found: list[tuple[ChunkRef, Registration]] = []
    for ref in _find_holding(request, snapshot):
        cancellation.check()
        row = snapshot.view.row(ref)
        if last in row.text.lower():
            alone = len(request.segments) > 1 and not _says(row.path, request.segments[-2], snapshot)
            found += [
                (ref, one) for one in registrations_in(row.text, request) if one.fit.spelled > 1 or not alone
            ]
    most = max((one.fit for _, one in found), default=None)
    best = [pair for pair in found if pair[1].fit == most]
    return best if len(best) <= MAX_ROUTES else []


def _find_holding(request: HttpRequest, snapshot: Snapshot) -> list[ChunkRef]:
    """The chunks of source that hold all words of the last segment of ``request``, or these as one name.

    Of a path in capitals, as ``/AuthenticateByName``, the words cannot be told apart.
    """
    splitter, numbers = TermSplitter(), ChunkNumbers.of(snapshot.view)
    *others, last = request.segments
    wanted = dict.fromkeys(splitter.stems(last))
    told = splitter.stems(" ".join([*others, request.method or _SPEAKS_OF_ROUTES]))
    name = "".join(part for word in splitter.words(last) for part in splitter.parts(word))
    terms = [Term.of(name, whole=True), *dict.fromkeys([*wanted, *told])]
    words = read_words(numbers, terms, LexicalWeights(), {}, snapshot.view.counted)
    whole, *uses = words.uses[: 1 + len(wanted)]
    if not uses:
        return []
    rarest = words.holding(min(uses, key=lambda use: use.living))
    chunks = distinct(np.concatenate([words.holding(whole), rarest]))
    scores, holds = words.read(chunks)
    held = holds[:, 0] | holds[:, 1 : 1 + len(uses)].all(axis=1)
    held &= numbers.kinds_of_chunks(chunks) == KINDS.index(FileKind.SOURCE)
    chunks, scores = chunks[held], scores[held]
    return numbers.refs(np.sort(chunks[largest(scores, MAX_READ)]))


def _says(path: str, segment: str, snapshot: Snapshot) -> bool:
    """Whether a file, which registers the end of a path, says the segment before that anywhere."""
    view = snapshot.view
    return (
        _USUAL.fullmatch(segment) is not None
        or segment in path.lower()
        or any(segment in view.row(ref).text.lower() for ref in view.chunks_of(path))
    )


def _find_handlers(
    statement: str, path: str, method: str, snapshot: Snapshot, graph: RelationGraph
) -> Iterator[Located]:
    """The functions that a ``statement`` of the file ``path`` names, and the methods of its types for ``method``."""
    names = list(dict.fromkeys(_NAME.findall(statement)))
    for controller, action in _ACTION.findall(statement):
        names += [f"{controller.title().replace('_', '')}Controller", action]
    for name in names:
        for item in _find_meant(name, path, snapshot, graph):
            yield _find_action(item, [*names, *_ACTIONS.get(method, ())], snapshot)


def _find_meant(name: str, path: str, snapshot: Snapshot, graph: RelationGraph) -> list[Located]:
    """The definitions that ``name`` may mean in the file ``path``, or else the only top-level type of that name."""
    meant = [item for item, _ in graph.uses.meaning(name, path)]
    if meant:
        return meant
    bare = [
        item
        for item in snapshot.symbols.find_named(name)
        if item.definition.qualified == name and item.definition.kind in TYPE_LIKE
    ]
    return bare if len(bare) == 1 else []


def _find_action(item: Located, actions: Sequence[str], snapshot: Snapshot) -> Located:
    """The method of a type that ``actions`` name first; ``item`` itself where it is no type, or has none of them."""
    outline = snapshot.outlines.get(item.path)
    if item.definition.kind not in TYPE_LIKE or outline is None:
        return item
    members = {one.qualified: one for one in outline.definitions}
    named = (members.get(f"{item.definition.qualified}.{action}") for action in actions)
    return next((Located(item.path, one) for one in named if one is not None), item)


def _find_owner(item: Located, snapshot: Snapshot) -> Iterator[Located]:
    """The type that has the method ``item``: its head says who may ask, how often, and in which form."""
    owner = item.definition.qualified.rpartition(".")[0]
    outline = snapshot.outlines.get(item.path) if owner else None
    for one in outline.definitions if outline else ():
        if one.qualified == owner and one.kind in TYPE_LIKE:
            yield Located(item.path, one)
