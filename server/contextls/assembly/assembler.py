"""A question becomes a prompt: reads it, asks every source, filters, selects, shapes, counts, reports."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from contextls.assembly.collect import collect_candidates
from contextls.assembly.filters import Admission, Boosting, admit
from contextls.assembly.fit import fit_to_budget
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import read_question
from contextls.assembly.request import check_request, request_key
from contextls.assembly.result import Assembled, component, context_id, section_tokens
from contextls.assembly.select import omission, select
from contextls.assembly.shapes.markdown import Markdown
from contextls.assembly.shapes.shape import Shape
from contextls.assembly.steps import Steps
from contextls.assembly.strategies import led_by_changes, strategy_for
from contextls.assembly.summarizing import SummarizingShrink
from contextls.assembly.task_shares import cut_tasks
from contextls.model import AssembleRequest, Context, Metadata, Report
from contextls.text.tokens import Tokenizer, get_tokenizer


def assemble(
    request: AssembleRequest,
    memories: MemorySnapshot,
    default_tokenizer: str,
    make_shape: Callable[[Tokenizer], Shape] = Markdown,
) -> Assembled:
    """The best prompt for ``request``. Raises ``InvalidRequestError`` naming the field that is wrong."""
    started = time.perf_counter()
    check_request(request)
    strategy = strategy_for(request.archetype, request.strategy_overrides)
    shape = make_shape(get_tokenizer(request.tokenizer or default_tokenizer))
    admission, boosting = Admission(request.filters), Boosting.of(request.boosts)
    memories = replace(memories, snapshot=admission.searchable(memories.snapshot))
    steps = Steps()
    question = read_question(request, strategy, memories, steps)
    collected = collect_candidates(question, memories, steps)
    if question.changes or question.stops:
        strategy = led_by_changes(strategy, request.strategy_overrides)
    select_started = time.perf_counter()
    lines, cut_off = cut_tasks(collected.candidates, request.max_tokens, shape)
    kept, excluded = admit(boosting.apply(lines), admission, memories.exclusion)
    shrink = SummarizingShrink(shape, memories.summaries)
    selection = select(kept, strategy, request.max_tokens, shape, shrink)
    steps.add("select", select_started)
    shape_started = time.perf_counter()
    final = fit_to_budget(
        selection.chosen, request.max_tokens, strategy, shape, shrink=shrink, order=request.order
    )
    steps.add("shape", shape_started)
    if shrink.asked:
        steps.ms["summaries"] = round(shrink.ms, 3)
    left_out = tuple(omission(each, "excluded", shape) for each in excluded)
    omitted = (*cut_off, *collected.omitted, *selection.omitted, *final.omitted, *left_out)
    components = tuple(component(piece, strategy, shape) for piece in final.pieces)
    failures = (*steps.warnings, *selection.warnings, *shrink.warnings)
    context = Context(
        id=context_id(final.content, request_key(request)),
        content=final.content,
        components=components,
        token_count=final.count,
        truncated=any(each.reason == "budget" for each in omitted),
        strategy=strategy,
        metadata=Metadata(
            query=request.query,
            events_considered=collected.events_considered,
            entities_considered=collected.entities_considered,
            chunks_searched=len(memories.snapshot.view),
            assembly_time_ms=round((time.perf_counter() - started) * 1000, 3),
        ),
        report=Report(
            omitted=omitted,
            warnings=(*steps.notes, *failures),
            section_tokens=section_tokens(components),
            step_ms=steps.ms,
            tokenizer=shape.tokenizer.name,
            tokenizer_exact=shape.tokenizer.exact,
            index_complete=memories.index_complete,
        ),
    )
    left = (*final.dropped, *selection.left)
    return Assembled(context, request, shape.fresh(), final.chosen, left, flawed=bool(failures))
