"""Calls from and to the chunks that lead a ranking: the answer is often one step from the words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from contextls import cancellation
from contextls.code.kinds import Kind
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.index.view import ChunkRef
from contextls.memory.knowledge.relations import RelationGraph

# From so many chunks calls are followed; further down there is more chance than meaning.
LEADING = 10
MAX_SITES = 60


@dataclass(slots=True)
class Call:
    """The calls between a chunk and the leading ones: their worth together, and the name that the best is about."""

    worth: float = 0.0
    best: float = 0.0
    name: str = ""

    def add(self, worth: float, name: str) -> None:
        """Count one more."""
        self.worth += worth
        if worth > self.best:
            self.best, self.name = worth, name


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls by the chunk at their other end: ``called`` defines what leading chunks call, ``callers`` call leading ones."""

    called: Mapping[ChunkRef, Call] = field(default_factory=dict)
    callers: Mapping[ChunkRef, Call] = field(default_factory=dict)


def find_calls(snapshot: Snapshot, graph: RelationGraph, leading: Sequence[tuple[ChunkRef, float]]) -> Calls:
    """Follow the calls of the ``leading`` chunks, each of which has its worth, one step in both directions."""
    called: dict[ChunkRef, Call] = defaultdict(Call)
    callers: dict[ChunkRef, Call] = defaultdict(Call)
    for ref, worth in leading[:LEADING]:
        cancellation.check()
        row = snapshot.view.row(ref)
        outline = snapshot.outlines.get(row.path)
        if outline is None:
            continue
        for item, certainty in graph.calls_between(row.path, row.start_line, row.end_line, row.symbol):
            target = snapshot.view.chunk_at(item.path, item.definition.start_line)
            if target is not None and target != ref:
                called[target].add(worth * certainty, item.definition.name)
        for definition in outline.definitions:
            if row.start_line <= definition.start_line <= row.end_line and definition.kind != Kind.CONSTANT:
                for path, line, certainty in islice(graph.call_sites(row.path, definition), MAX_SITES):
                    user = snapshot.view.chunk_at(path, line)
                    if user is not None and user != ref:
                        callers[user].add(worth * certainty, definition.name)
    return Calls(called, callers)
