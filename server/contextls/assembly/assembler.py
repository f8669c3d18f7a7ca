"""A question becomes a prompt: asks every memory, scores, selects, shapes, counts, reports."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from contextls.assembly.excluding import Excluding
from contextls.assembly.filters import Admission, Boosting, filtered
from contextls.assembly.fit import fitted
from contextls.assembly.items import Item
from contextls.assembly.opinions import weighed
from contextls.assembly.request import check_request, request_key
from contextls.assembly.result import Assembled, component, context_id, section_tokens
from contextls.assembly.select import select
from contextls.assembly.signals import Signals, read_signals
from contextls.assembly.sources.content import content_items
from contextls.assembly.sources.entities import entity_items, find_entities
from contextls.assembly.sources.patterns import occasion_of, pattern_items
from contextls.assembly.sources.recent import event_items, recent_events
from contextls.assembly.sources.relations import relation_items
from contextls.assembly.sources.trouble import speaks_of_the_work
from contextls.assembly.sources.working import asked_items, hunk_items
from contextls.assembly.sources.working_set import working_set_items
from contextls.assembly.stack import question_text, stack_items, without_released
from contextls.assembly.strategies import led_by_changes, strategy_for
from contextls.assembly.summarize import Summarizing
from contextls.memory.asked_changes import AskedChanges
from contextls.memory.content_memory import ContentMemory
from contextls.memory.entities import Entity
from contextls.memory.events import EventLog
from contextls.memory.failures import latest_failure
from contextls.memory.feedback import Feedback
from contextls.memory.history.hunks import Hunk
from contextls.memory.history.view import HistoryView
from contextls.memory.knowledge import Knowledge
from contextls.memory.patterns.memory import PatternMemory
from contextls.memory.relations import RelationGraph
from contextls.memory.snapshot import Snapshot
from contextls.memory.tasks import TaskStack, TaskView
from contextls.memory.working_set.memory import WorkingSet
from contextls.model import (
    AssembleRequest,
    Changes,
    Context,
    Event,
    Metadata,
    Omission,
    Report,
    Section,
    Strategy,
)
from contextls.store.summarizers.summaries import Summaries
from contextls.text.tokens import Tokenizer, get_tokenizer

# How far back the last failure is looked for.
EVENTS_LOOKED_AT = 300
LONGEST_FAILURE = 8_000
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
class _Gathered:
    """What the memories have answered so far, and at what cost."""

    items: list[Item] = field(default_factory=list)
    content: list[Item] = field(default_factory=list)
    entities: list[tuple[Entity, float]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    tasks: TaskView | None = None
    led: bool = False  # by the changes that the request names
    omitted: list[Omission] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    step_ms: dict[str, float] = field(default_factory=dict)

    def step(self, name: str, work: Callable[[], None]) -> None:
        """Run one source; when it fails, the rest still answers."""
        started = time.perf_counter()
        try:
            work()
        except Exception as error:  # whatever it is, the other sources still answer
            self.warnings.append(f"{name}: {type(error).__name__}: {error}")
        self.step_ms[name] = round((time.perf_counter() - started) * 1000, 3)


def assemble(request: AssembleRequest, sources: Sources, default_tokenizer: str) -> Assembled:
    """The best prompt for ``request``. Raises ``InvalidRequestError`` naming the field that is wrong."""
    started = time.perf_counter()
    check_request(request)
    strategy = strategy_for(request.archetype, request.strategy_overrides)
    tokenizer = get_tokenizer(request.tokenizer or default_tokenizer)
    admission, boosting = Admission(request.filters), Boosting.of(request.boosts)
    sources = replace(sources, snapshot=admission.searchable(sources.snapshot))
    gathered = _Gathered()
    gathered.step("tasks", lambda: _read_tasks(sources.tasks, request.max_tokens, tokenizer, gathered))
    gathered.step("workingSet", lambda: _read_pins(sources, request.max_tokens, gathered))
    _gather(request, strategy, sources, gathered)
    if gathered.led:
        strategy = led_by_changes(strategy, request.strategy_overrides)
    gathered.step("feedback", lambda: _weigh(sources, gathered))
    allowed, hidden = sources.excluding.allowed(gathered.items, tokenizer)
    kept, excluded = filtered(boosting.apply(allowed), admission, tokenizer)
    select_started = time.perf_counter()
    smaller = Summarizing(sources.summaries)
    selection = select(kept, strategy, request.max_tokens, tokenizer, smaller)
    gathered.step_ms["select"] = round((time.perf_counter() - select_started) * 1000, 3)
    shape_started = time.perf_counter()
    final = fitted(
        selection.items, request.max_tokens, strategy, tokenizer, smaller=smaller, order=request.order
    )
    gathered.step_ms["shape"] = round((time.perf_counter() - shape_started) * 1000, 3)
    if smaller.asked:
        gathered.step_ms["summaries"] = round(smaller.ms, 3)
    omitted = (*gathered.omitted, *selection.omitted, *final.omitted, *excluded, *hidden)
    components = tuple(component(item, strategy, tokenizer) for item in final.items)
    context = Context(
        id=context_id(final.content, request_key(request)),
        content=final.content,
        components=components,
        token_count=final.count,
        truncated=any(omission.reason == "budget" for omission in omitted),
        strategy=strategy,
        metadata=Metadata(
            query=request.query,
            events_considered=len(gathered.events),
            entities_considered=len(gathered.entities),
            chunks_searched=len(sources.snapshot.view),
            assembly_time_ms=round((time.perf_counter() - started) * 1000, 3),
        ),
        report=Report(
            omitted=omitted,
            warnings=(*gathered.warnings, *smaller.warnings),
            section_tokens=section_tokens(components),
            step_ms=gathered.step_ms,
            tokenizer=tokenizer.name,
            tokenizer_exact=tokenizer.exact,
            index_complete=sources.index_complete,
        ),
    )
    return Assembled(context, request, tokenizer, final.chosen, (*final.dropped, *selection.left))


def _read_tasks(tasks: TaskStack | None, max_tokens: int, tokenizer: Tokenizer, found: _Gathered) -> None:
    found.tasks = tasks.view() if tasks else None
    if found.tasks is not None:
        stack = stack_items(found.tasks, max_tokens, tokenizer)
        found.items.extend(stack.items)
        found.omitted.extend(stack.omitted)


def _read_pins(sources: Sources, max_tokens: int, found: _Gathered) -> None:
    if sources.working_set is not None:
        pins = working_set_items(sources.working_set, sources.snapshot, sources.excluding, max_tokens)
        found.items.extend(pins.items)
        found.omitted.extend(pins.omitted)
        found.warnings.extend(pins.warnings)


def _gather(request: AssembleRequest, strategy: Strategy, sources: Sources, found: _Gathered) -> None:
    """Ask the memories one after the other: each is a few milliseconds of CPU, which threads would only interleave."""
    snapshot = sources.snapshot
    signals: list[Signals] = []
    asked_for = question_text(request.query, found.tasks)
    found.step("signals", lambda: signals.append(read_signals(sources.content.question(asked_for))))
    if not signals:
        return
    (signal,) = signals
    if signal.question.warning:
        found.warnings.append(signal.question.warning)

    def content() -> None:
        failure = None
        asked = signal.question
        if speaks_of_the_work(signal):
            failure = latest_failure(sources.events.newest(EVENTS_LOOKED_AT), sources.now)
            # The question names no code; what the failing run printed does.
            asked = sources.content.question(failure.text[:LONGEST_FAILURE]) if failure else asked
        limit = strategy.max_chunks * (BOOSTED_POOL if request.boosts.paths else 1)
        memory, graph = sources.content, sources.graph
        ranked = memory.ranking(snapshot, asked, limit)
        items = content_items(ranked, memory, snapshot, graph, signal, request.position, limit, failure)
        found.content.extend(sources.excluding.content(items))
        found.items.extend(found.content)

    def events() -> None:
        recent = recent_events(
            sources.events, request.filters, request.session_id, sources.root, sources.accepts
        )
        found.events.extend(sources.excluding.events(without_released(recent, found.tasks)))
        session = request.session_id or sources.events.session_id
        found.items.extend(event_items(found.events, signal, sources.now, session))

    def entities() -> None:
        types = request.filters.entity_types
        named = find_entities(signal, found.content, sources.knowledge, types)
        found.entities.extend(sources.excluding.entities(named))
        found.items.extend(entity_items(found.entities))

    def relations() -> None:
        depth, types = strategy.depth_limit, request.filters.entity_types
        known, hides = sources.knowledge, sources.excluding.hides
        found.items.extend(relation_items(known, found.entities, found.content, signal, depth, types, hides))

    def patterns() -> None:
        if sources.patterns is not None:
            occasion = occasion_of(signal, found.content, found.events, request.position, found.tasks)
            history = sources.history or HistoryView.empty()
            found.items.extend(pattern_items(sources.patterns, occasion, history, sources.now))

    for name, work in (
        ("content", content),
        ("events", events),
        ("working", lambda: _read_working(request.changes, sources, signal, found)),
        ("entities", entities),
        ("relations", relations),
        ("patterns", patterns),
    ):
        found.step(name, work)
    if request.additional_context:
        found.items.append(
            Item(
                Section.CUSTOM,
                "additionalContext",
                request.additional_context.strip("\n"),
                1.0,
                1.0,
                1.0,
                why="given with the question",
            )
        )


def _read_working(scope: Changes | None, sources: Sources, signal: Signals, found: _Gathered) -> None:
    if scope is not None and sources.changes is not None:
        asked = sources.changes(scope)
        hidden = sources.excluding.exclusions.hides_symbol
        hunks = [hunk for hunk in asked.hunks if not (hunk.symbol and hidden(hunk.path, hunk.symbol))]
        found.items.extend(asked_items(hunks, scope))
        found.warnings.extend(asked.warnings)
        found.led = bool(hunks)
    elif sources.working is not None:
        found.items.extend(hunk_items(sources.working(), found.events, signal, sources.now))


def _weigh(sources: Sources, found: _Gathered) -> None:
    if sources.feedback is not None:
        found.items = weighed(found.items, sources.feedback.tallies(sources.now))
