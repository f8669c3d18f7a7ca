"""A question becomes a prompt: asks every memory, scores, selects, shapes, counts, reports."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from contextls.assembly.arrange import arranged
from contextls.assembly.items import Item
from contextls.assembly.select import Selection, select
from contextls.assembly.shapes.markdown import render
from contextls.assembly.signals import Signals, read_signals
from contextls.assembly.sources.content import content_items
from contextls.assembly.sources.entities import entity_items, find_entities
from contextls.assembly.sources.patterns import pattern_items
from contextls.assembly.sources.recent import event_items, recent_events
from contextls.assembly.sources.relations import relation_items
from contextls.assembly.sources.trouble import speaks_of_the_work
from contextls.assembly.stack import question_text, stack_items, without_released
from contextls.assembly.strategies import strategy_for
from contextls.errors import InvalidRequestError
from contextls.memory.content_memory import ContentMemory
from contextls.memory.entities import Entity
from contextls.memory.events import EventLog
from contextls.memory.failures import latest_failure
from contextls.memory.patterns import mine
from contextls.memory.relations import RelationGraph
from contextls.memory.snapshot import Snapshot
from contextls.memory.tasks import TaskStack, TaskView
from contextls.model import (
    AssembleRequest,
    Component,
    Context,
    Event,
    Metadata,
    Omission,
    Report,
    Section,
    Strategy,
)
from contextls.text.redact import redact
from contextls.text.tokens import Tokenizer, get_tokenizer

# A budget below this holds no heading and no item.
LEAST_TOKENS = 32
MOST_TOKENS = 2_000_000
LONGEST_QUERY = 100_000
# How far back the last failure is looked for.
EVENTS_LOOKED_AT = 300
LONGEST_FAILURE = 8_000
_RANGE = re.compile(r"(.+):(\d{1,9})-(\d{1,9})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sources:
    """The memories that an assembler asks. ``accepts`` says whether a path below ``root`` may be shown; ``now`` is in ms."""

    content: ContentMemory
    snapshot: Snapshot
    graph: RelationGraph
    events: EventLog
    accepts: Callable[[str], bool]
    now: int
    root: Path
    index_complete: bool
    tasks: TaskStack | None = None


@dataclass
class _Gathered:
    """What the memories have answered so far, and at what cost."""

    items: list[Item] = field(default_factory=list)
    content: list[Item] = field(default_factory=list)
    entities: list[tuple[Entity, float]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    tasks: TaskView | None = None
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


def assemble(request: AssembleRequest, sources: Sources, default_tokenizer: str) -> Context:
    """The best prompt for ``request``. Raises ``InvalidRequestError`` naming the field that is wrong."""
    started = time.perf_counter()
    _check(request)
    strategy = strategy_for(request.archetype, request.strategy_overrides)
    tokenizer = get_tokenizer(request.tokenizer or default_tokenizer)
    gathered = _Gathered()
    gathered.step("tasks", lambda: _read_tasks(sources.tasks, request.max_tokens, tokenizer, gathered))
    _gather(request, strategy, sources, gathered)
    kept, excluded = _filtered(gathered.items, request, tokenizer)
    select_started = time.perf_counter()
    selection = select(kept, strategy, request.max_tokens, tokenizer)
    gathered.step_ms["select"] = round((time.perf_counter() - select_started) * 1000, 3)
    shape_started = time.perf_counter()
    fitted = _fitted(selection, request.max_tokens, strategy, tokenizer)
    gathered.step_ms["shape"] = round((time.perf_counter() - shape_started) * 1000, 3)
    omitted = (*gathered.omitted, *selection.omitted, *fitted.dropped, *excluded)
    components = tuple(_component(item, strategy, tokenizer) for item in fitted.items)
    return Context(
        content=fitted.content,
        components=components,
        token_count=fitted.count,
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
            warnings=tuple(gathered.warnings),
            section_tokens=_section_tokens(components),
            step_ms=gathered.step_ms,
            tokenizer=tokenizer.name,
            tokenizer_exact=tokenizer.exact,
            index_complete=sources.index_complete,
        ),
    )


def _read_tasks(tasks: TaskStack | None, max_tokens: int, tokenizer: Tokenizer, found: _Gathered) -> None:
    found.tasks = tasks.view() if tasks else None
    if found.tasks is not None:
        stack = stack_items(found.tasks, max_tokens, tokenizer)
        found.items.extend(stack.items)
        found.omitted.extend(stack.omitted)


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
        limit = strategy.max_chunks
        ranked = sources.content.search(snapshot, asked, limit)
        found.content.extend(
            content_items(ranked, snapshot, sources.graph, signal, request.position, limit, failure)
        )
        found.items.extend(found.content)

    def events() -> None:
        recent = recent_events(
            sources.events, request.filters, request.session_id, sources.root, sources.accepts
        )
        found.events.extend(without_released(recent, found.tasks))
        found.items.extend(event_items(found.events, signal, sources.now))

    def entities() -> None:
        types = request.filters.entity_types
        found.entities.extend(find_entities(signal, found.content, snapshot, types))
        found.items.extend(entity_items(found.entities))

    def relations() -> None:
        found.items.extend(relation_items(sources.graph, found.entities, found.content, strategy.depth_limit))

    def patterns() -> None:
        found.items.extend(pattern_items(mine(found.events), signal, found.content, sources.accepts))

    for name, work in (
        ("content", content),
        ("events", events),
        ("entities", entities),
        ("relations", relations),
        ("patterns", patterns),
    ):
        found.step(name, work)
    if request.additional_context:
        found.items.append(
            Item(Section.CUSTOM, "additionalContext", request.additional_context.strip("\n"), 1.0, 1.0, 1.0)
        )


def _filtered(
    items: Sequence[Item], request: AssembleRequest, tokenizer: Tokenizer
) -> tuple[list[Item], list[Omission]]:
    exclude = set(request.filters.exclude)
    ranges = [found for source in request.filters.exclude if (found := _lines_of(source))]
    kept: list[Item] = []
    out: list[Omission] = []
    for item in items:
        if item.source in exclude or exclude & set(item.paths) or _inside(item, ranges):
            out.append(Omission(item.section, item.source, "excluded", tokenizer.count(item.text)))
        else:
            kept.append(item)
    return kept, out


def _lines_of(source: str) -> tuple[str, int, int] | None:
    """Path, first and last line of a source ``path:start-end``, which may span several chunks."""
    found = _RANGE.fullmatch(source)
    return (found[1], int(found[2]), int(found[3])) if found else None


def _inside(item: Item, ranges: Sequence[tuple[str, int, int]]) -> bool:
    code = item.code
    return code is not None and any(
        code.path == path and first <= code.start_line and code.end_line <= last
        for path, first, last in ranges
    )


@dataclass(frozen=True, slots=True)
class _Fitted:
    """The final text, its exact count, the items in it and those that had to go at the last moment."""

    content: str
    count: int
    items: tuple[Item, ...]
    dropped: tuple[Omission, ...]


def _fitted(selection: Selection, max_tokens: int, strategy: Strategy, tokenizer: Tokenizer) -> _Fitted:
    """Enforce the token budget on the final, redacted text: while its exact count is over, the weakest item goes."""
    chosen = list(selection.items)
    dropped: list[Omission] = []
    while True:
        items = arranged(chosen)
        redacted = redact(render(items))
        count = tokenizer.count(redacted.text)
        if count <= max_tokens:
            if redacted.found:
                items = [replace(item, text=redact(item.text).text) for item in items]
            return _Fitted(redacted.text, count, tuple(items), tuple(dropped))
        weakest = min(chosen, key=lambda item: (item.score(strategy), item.source))
        chosen.remove(weakest)
        dropped.append(Omission(weakest.section, weakest.source, "budget", tokenizer.count(weakest.text)))


def _component(item: Item, strategy: Strategy, tokenizer: Tokenizer) -> Component:
    tokens = tokenizer.count(item.text)
    return Component(item.section, item.source, item.text, tokens, round(item.score(strategy), 4))


def _section_tokens(components: Sequence[Component]) -> dict[str, int]:
    totals = dict.fromkeys(map(str, Section), 0)
    for component in components:
        totals[component.type] += component.tokens
    return totals


def _check(request: AssembleRequest) -> None:
    if not request.query.strip():
        raise InvalidRequestError("query", "a question of at least one word", request.query)
    if len(request.query) > LONGEST_QUERY:
        raise InvalidRequestError(
            "query", f"at most {LONGEST_QUERY} characters; put long texts into additionalContext"
        )
    if not LEAST_TOKENS <= request.max_tokens <= MOST_TOKENS:
        raise InvalidRequestError(
            "maxTokens", f"a whole number from {LEAST_TOKENS} to {MOST_TOKENS}", request.max_tokens
        )
