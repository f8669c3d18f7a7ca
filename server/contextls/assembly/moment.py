"""The memories at one moment, as sources of an answer, and what tells whether a later moment is the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

from contextls.assembly.cache import MemoryState
from contextls.assembly.excluding import Excluding
from contextls.assembly.gather import Sources
from contextls.memory.memories import Memories


def moment(memories: Memories, now: int | None) -> tuple[Sources, MemoryState]:
    """What an answer is made from at ``now`` (ms; the clock's time without it)."""
    # Read first: what happens meanwhile makes an answer younger than its state, never older.
    complete = memories.content.is_complete
    numbers = (complete, *(_or_new(ask) for ask in _generations(memories)))
    history = memories.history.snapshot()
    snapshot = memories.current()
    content = memories.content
    graph = content.graph_for(snapshot)
    working_set = memories.working_set
    exclusions = working_set.exclusions()
    now = int(time.time() * 1000) if now is None else now
    sources = Sources(
        content=content.memory,
        snapshot=working_set.searchable(snapshot),
        graph=graph,
        knowledge=memories.knowledge.at(graph, now),
        events=memories.events,
        accepts=lambda path: memories.shows(path) and not exclusions.hides(path),
        now=now,
        root=memories.root,
        index_complete=complete and content.is_complete,
        tasks=memories.tasks,
        patterns=memories.patterns,
        feedback=memories.feedback,
        history=history,
        working=lambda: memories.working.hunks(snapshot.outlines),
        changes=lambda scope: memories.changes(scope, snapshot.outlines),
        summaries=memories.summaries,
        working_set=working_set,
        excluding=Excluding(exclusions, snapshot.outlines),
    )
    changes = _or_new(lambda: memories.working.hunks(snapshot.outlines))
    # An empty history is made anew each time; all are the same.
    views = (snapshot, content.rules, history if len(history) else None)
    return sources, MemoryState(views, (*numbers, changes))


def _generations(memories: Memories) -> tuple[Callable[[], Hashable], ...]:
    """What changes whenever a memory behind answers does, but for the snapshot."""
    events = memories.events
    return (
        events.last_number,
        events.wipes,
        lambda: tuple(event.id for event in events.after(0, 1)),
        memories.patterns.generation,
        memories.tasks.generation,
        memories.feedback.generation,
        memories.working_set.moment,
    )


def _or_new(ask: Callable[[], Hashable]) -> Hashable:
    """What ``ask`` says; when it fails, something that equals nothing: the source that asks again reports it."""
    try:
        return ask()
    except Exception:  # whatever it is, the other memories still answer
        return object()
