"""The memories at one moment, which sources read, and what tells whether a later moment is the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from contextls.assembly.cache import MemoryState
from contextls.assembly.exclusion import ExclusionFilter
from contextls.memory.events import EventLog
from contextls.memory.feedback import Feedback
from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.knowledge.base import Knowledge
from contextls.memory.knowledge.relations import RelationGraph
from contextls.memory.memories import Memories
from contextls.memory.patterns.memory import PatternMemory
from contextls.memory.tasks.stack import TaskStack
from contextls.memory.vcs.asked_changes import AskedChanges
from contextls.memory.vcs.hunks import Hunk
from contextls.memory.vcs.view import HistoryView
from contextls.memory.working_set.memory import WorkingSet
from contextls.model import Changes
from contextls.models.summarizers.summaries import Summaries


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """The memories behind one answer. ``accepts`` says whether a path below ``root`` may be shown; ``now`` is in ms."""

    content: ContentIndex
    snapshot: Snapshot
    graph: RelationGraph
    knowledge: Knowledge
    events: EventLog
    accepts: Callable[[str], bool]
    now: int
    root: Path
    index_complete: bool
    tasks: TaskStack | None = None
    patterns: PatternMemory | None = None
    feedback: Feedback | None = None
    history: HistoryView | None = None
    working: Callable[[], Sequence[Hunk]] | None = None
    changes: Callable[[Changes], AskedChanges] | None = None
    summaries: Summaries | None = None
    working_set: WorkingSet | None = None
    exclusion: ExclusionFilter = field(default_factory=ExclusionFilter)


def take_snapshot(memories: Memories, now: int | None) -> tuple[MemorySnapshot, MemoryState]:
    """What an answer is made from at ``now`` (ms; the clock's time without it)."""
    # Read first: what happens meanwhile makes an answer younger than its state, never older.
    complete = memories.content.is_complete
    numbers = (complete, *(_or_new(ask) for ask in _generations(memories)))
    history = memories.history.snapshot()
    snapshot = memories.current()
    content = memories.content
    working_set = memories.working_set
    exclusions = working_set.exclusions()
    now = int(time.time() * 1000) if now is None else now
    knowledge = memories.knowledge.at(snapshot, now)
    taken = MemorySnapshot(
        content=content.memory,
        snapshot=working_set.searchable(snapshot),
        graph=knowledge.graph,
        knowledge=knowledge,
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
        exclusion=ExclusionFilter(exclusions, snapshot.outlines),
    )
    changes = _or_new(lambda: memories.working.hunks(snapshot.outlines))
    # An empty history is made anew each time; all are the same.
    views = (snapshot, content.rules, history if len(history) else None)
    return taken, MemoryState(views, (*numbers, changes))


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
