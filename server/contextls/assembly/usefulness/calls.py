"""Calls from and to the chunks that lead a ranking: the answer is often one step from the words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from msgspec import Struct, field

from contextls import cancellation
from contextls.code.kinds import Kind
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.knowledge.relations import RelationGraph

MAX_SITES = 60

# The chunk at the other end of a call, how sure it is, and the name that is called.
Step = tuple[ChunkRef, float, str]


class Call(Struct):
    """The calls between a chunk and the leading ones: their worth together, and the name that the best is about."""

    worth: float = 0.0
    best: float = 0.0
    name: str = ""

    def add(self, worth: float, name: str) -> None:
        """Count one more."""
        self.worth += worth
        if worth > self.best:
            self.best, self.name = worth, name


class Calls(Struct, frozen=True):
    """Calls by the chunk at their other end: ``called`` defines what leading chunks call, ``callers`` call leading ones."""

    called: Mapping[ChunkRef, Call] = field(default_factory=dict)
    callers: Mapping[ChunkRef, Call] = field(default_factory=dict)

    def join(self, other: Calls) -> Calls:
        """The calls of both; for each chunk the one that is worth more."""
        return Calls(_join(self.called, other.called), _join(self.callers, other.callers))


class CallFinder:
    """Follows calls between the chunks of one moment; those of each chunk are looked up once."""

    def __init__(self, snapshot: Snapshot, graph: RelationGraph) -> None:
        self._snapshot = snapshot
        self._graph = graph
        self._known: dict[ChunkRef, tuple[list[Step], list[Step]]] = {}

    def follow(self, leading: Iterable[tuple[ChunkRef, float]]) -> Calls:
        """The calls of the ``leading`` chunks, each of which has its worth, one step in both directions."""
        called: dict[ChunkRef, Call] = defaultdict(Call)
        callers: dict[ChunkRef, Call] = defaultdict(Call)
        for ref, worth in leading:
            known = self._known.get(ref)
            if known is None:
                cancellation.check()
                known = self._known[ref] = list(self._called_by(ref)), list(self._callers_of(ref))
            for found, steps in zip((called, callers), known, strict=True):
                for other, certainty, name in steps:
                    found[other].add(worth * certainty, name)
        return Calls(called, callers)

    def _called_by(self, ref: ChunkRef) -> Iterator[Step]:
        row = self._snapshot.view.row(ref)
        for item, certainty in self._graph.uses.calls_between(
            row.path, row.start_line, row.end_line, row.symbol
        ):
            target = self._snapshot.view.chunk_at(item.path, item.definition.start_line)
            if target is not None and target != ref:
                yield target, certainty, item.definition.name

    def _callers_of(self, ref: ChunkRef) -> Iterator[Step]:
        lines = self._snapshot.view.lines(ref)
        outline = self._snapshot.outlines.get(lines.path)
        for definition in outline.beginning_in(lines.start_line, lines.end_line) if outline else ():
            if definition.kind != Kind.CONSTANT:
                for path, line, certainty in islice(
                    self._graph.uses.call_sites(lines.path, definition), MAX_SITES
                ):
                    user = self._snapshot.view.chunk_at(path, line)
                    if user is not None and user != ref:
                        yield user, certainty, definition.name


def _join(one: Mapping[ChunkRef, Call], other: Mapping[ChunkRef, Call]) -> dict[ChunkRef, Call]:
    return {
        **one,
        **{ref: call for ref, call in other.items() if ref not in one or call.worth > one[ref].worth},
    }
