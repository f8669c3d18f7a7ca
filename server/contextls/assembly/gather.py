"""Asks every memory what it has for a question."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from contextls import cancellation
from contextls.assembly.excluding import Excluding
from contextls.assembly.items import Item
from contextls.assembly.opinions import weighed
from contextls.assembly.signals import Signals, read_signals
from contextls.assembly.sources.content import content_items
from contextls.assembly.sources.entities import entity_items, find_entities
from contextls.assembly.sources.meant import Meant
from contextls.assembly.sources.patterns import occasion_of, pattern_items
from contextls.assembly.sources.recent import event_items, recent_events
from contextls.assembly.sources.relations import relation_items
from contextls.assembly.sources.working import asked_items, hunk_items
from contextls.assembly.sources.working_set import working_set_items
from contextls.assembly.stack import question_text, stack_items, without_released
from contextls.errors import CancelledError
from contextls.memory.asked_changes import AskedChanges
from contextls.memory.content_memory import ContentMemory
from contextls.memory.entities import Entity
from contextls.memory.events import EventLog
from contextls.memory.failures import Failure, latest_failure
from contextls.memory.feedback import Feedback
from contextls.memory.history.hunks import Hunk
from contextls.memory.history.view import HistoryView
from contextls.memory.knowledge import Knowledge
from contextls.memory.patterns.memory import PatternMemory
from contextls.memory.relations import RelationGraph
from contextls.memory.snapshot import Snapshot
from contextls.memory.tasks import TaskStack, TaskView
from contextls.memory.working_set.memory import WorkingSet
from contextls.model import AssembleRequest, Changes, Event, Omission, Section, Strategy
from contextls.store.summarizers.summaries import Summaries
from contextls.text.tokens import Tokenizer
from contextls.workspace.git_files import refusal

# How far back the last failure is looked for.
EVENTS_LOOKED_AT = 300
# With boosts, files count that would otherwise be too far down to be looked at.
BOOSTED_POOL = 4


@dataclass(frozen=True, slots=True)
class Sources:
    """The memories that an assembler asks. ``accepts`` says whether a path below ``root`` may be shown; ``now`` is in ms."""

    content: ContentMemory
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
    excluding: Excluding = field(default_factory=Excluding)


@dataclass
class Gathered:
    """What the memories have answered, at what cost (``step_ms``, by step), and what failed (``warnings``).

    ``changes`` are those that the request names and nothing hides.
    """

    items: list[Item] = field(default_factory=list)
    content: list[Item] = field(default_factory=list)
    entities: list[tuple[Entity, float]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    tasks: TaskView | None = None
    changes: tuple[Hunk, ...] = ()
    omitted: list[Omission] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    step_ms: dict[str, float] = field(default_factory=dict)

    def step(self, name: str, work: Callable[[], None]) -> None:
        """Run one source; when it fails, the rest still answers."""
        started = time.perf_counter()
        cancellation.check()
        try:
            work()
        except CancelledError as error:
            cancellation.check()
            self.warnings.append(f"{name}: {error}")
        except Exception as error:  # whatever it is, the other sources still answer
            self.warnings.append(f"{name}: {type(error).__name__}: {error}")
        self.step_ms[name] = round((time.perf_counter() - started) * 1000, 3)


def gather(request: AssembleRequest, strategy: Strategy, sources: Sources, tokenizer: Tokenizer) -> Gathered:
    """Everything that may enter the prompt.

    The memories are asked one after the other: each is a few milliseconds of CPU, which threads would only interleave.
    """
    found = Gathered()
    found.step("tasks", lambda: _read_tasks(sources.tasks, request.max_tokens, tokenizer, found))
    found.step("workingSet", lambda: _read_pins(sources, request.max_tokens, found))
    signals: list[Signals] = []
    asked_for = question_text(request.query, found.tasks)
    found.step("signals", lambda: signals.append(read_signals(sources.content.question(asked_for))))
    for signal in signals:
        if signal.question.warning:
            found.warnings.append(signal.question.warning)
        reading = _Reading(request, strategy, sources, signal, found)
        for name, work in (
            ("changes", reading.changes),
            ("content", reading.content),
            ("events", reading.events),
            ("working", reading.working),
            ("entities", reading.entities),
            ("relations", reading.relations),
            ("patterns", reading.patterns),
        ):
            found.step(name, work)
        _read_given(request.additional_context, found)
    found.step("feedback", lambda: _weigh(sources, found))
    return found


@dataclass(frozen=True, slots=True)
class _Reading:
    """The memories asked about what a question says; each step adds to ``found`` and may use what earlier ones did."""

    request: AssembleRequest
    strategy: Strategy
    sources: Sources
    signals: Signals
    found: Gathered

    def changes(self) -> None:
        scope, sources = self.request.changes, self.sources
        if scope is None or sources.changes is None:
            return
        asked = sources.changes(scope)
        exclusions = sources.excluding.exclusions
        shown = [
            hunk
            for hunk in asked.hunks
            if not (hunk.symbol and exclusions.hides_symbol(hunk.path, hunk.symbol))
        ]
        self.found.items.extend(asked_items(shown, scope))
        self.found.changes = tuple(hunk for hunk in shown if not exclusions.hides(hunk.path))
        self.found.warnings.extend(asked.warnings)

    def content(self) -> None:
        sources, request, found = self.sources, self.request, self.found
        meant = Meant.of(self.signals, self._failure, found.changes, self._uncommitted)
        asked = sources.content.question(meant.text) if meant.text else self.signals.question
        limit = self.strategy.max_chunks * (BOOSTED_POOL if request.boosts.paths else 1)
        memory, snapshot, graph = sources.content, sources.snapshot, sources.graph
        ranked = memory.ranking(snapshot, asked, limit)
        items = content_items(ranked, memory, snapshot, graph, self.signals, request.position, limit, meant)
        found.content.extend(sources.excluding.content(items))
        found.items.extend(found.content)

    def events(self) -> None:
        sources, request, found = self.sources, self.request, self.found
        recent = recent_events(
            sources.events, request.filters, request.session_id, sources.root, sources.accepts
        )
        found.events.extend(sources.excluding.events(without_released(recent, found.tasks)))
        session = request.session_id or sources.events.session_id
        found.items.extend(event_items(found.events, self.signals, sources.now, session))

    def working(self) -> None:
        if problem := refusal(self.sources.root):
            self.found.warnings.append(problem)
        if self.request.changes is None and self.sources.working is not None:
            hunks = self.sources.working()
            self.found.items.extend(hunk_items(hunks, self.found.events, self.signals, self.sources.now))

    def entities(self) -> None:
        sources, found = self.sources, self.found
        types = self.request.filters.entity_types
        named = find_entities(self.signals, found.content, sources.knowledge, types)
        found.entities.extend(sources.excluding.entities(named))
        found.items.extend(entity_items(found.entities))

    def relations(self) -> None:
        sources, found = self.sources, self.found
        depth, types = self.strategy.depth_limit, self.request.filters.entity_types
        known, hides = sources.knowledge, sources.excluding.hides
        found.items.extend(
            relation_items(known, found.entities, found.content, self.signals, depth, types, hides)
        )

    def patterns(self) -> None:
        sources, found = self.sources, self.found
        if sources.patterns is None:
            return
        changed = (hunk.path for hunk in found.changes)
        occasion = occasion_of(
            self.signals, found.content, found.events, self.request.position, found.tasks, changed
        )
        history = sources.history or HistoryView.empty()
        found.items.extend(pattern_items(sources.patterns, occasion, history, sources.now))

    def _failure(self) -> Failure | None:
        return latest_failure(self.sources.events.newest(EVENTS_LOOKED_AT), self.sources.now)

    def _uncommitted(self) -> Sequence[Hunk]:
        working = self.sources.working
        return () if working is None or self.request.changes is not None else working()


def _read_tasks(tasks: TaskStack | None, max_tokens: int, tokenizer: Tokenizer, found: Gathered) -> None:
    found.tasks = tasks.view() if tasks else None
    if found.tasks is not None:
        stack = stack_items(found.tasks, max_tokens, tokenizer)
        found.items.extend(stack.items)
        found.omitted.extend(stack.omitted)


def _read_pins(sources: Sources, max_tokens: int, found: Gathered) -> None:
    if sources.working_set is not None:
        pins = working_set_items(sources.working_set, sources.snapshot, sources.excluding, max_tokens)
        found.items.extend(pins.items)
        found.omitted.extend(pins.omitted)
        found.warnings.extend(pins.warnings)


def _read_given(additional_context: str | None, found: Gathered) -> None:
    if additional_context:
        text = additional_context.strip("\n")
        why = "given with the question"
        found.items.append(Item(Section.CUSTOM, "additionalContext", text, 1.0, 1.0, 1.0, why=why))


def _weigh(sources: Sources, found: Gathered) -> None:
    if sources.feedback is not None:
        found.items = weighed(found.items, sources.feedback.tallies(sources.now))
