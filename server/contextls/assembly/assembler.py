"""A question becomes a prompt: asks every memory, scores, selects, shapes, counts, reports."""

from __future__ import annotations

import time
from dataclasses import replace

from contextls.assembly.filters import Admission, Boosting, filtered
from contextls.assembly.fit import fitted
from contextls.assembly.gather import Sources, gather
from contextls.assembly.request import check_request, request_key
from contextls.assembly.result import Assembled, component, context_id, section_tokens
from contextls.assembly.select import select
from contextls.assembly.strategies import led_by_changes, strategy_for
from contextls.assembly.summarize import Summarizing
from contextls.model import AssembleRequest, Context, Metadata, Report
from contextls.text.tokens import get_tokenizer


def assemble(request: AssembleRequest, sources: Sources, default_tokenizer: str) -> Assembled:
    """The best prompt for ``request``. Raises ``InvalidRequestError`` naming the field that is wrong."""
    started = time.perf_counter()
    check_request(request)
    strategy = strategy_for(request.archetype, request.strategy_overrides)
    tokenizer = get_tokenizer(request.tokenizer or default_tokenizer)
    admission, boosting = Admission(request.filters), Boosting.of(request.boosts)
    sources = replace(sources, snapshot=admission.searchable(sources.snapshot))
    gathered = gather(request, strategy, sources, tokenizer)
    if gathered.changes:
        strategy = led_by_changes(strategy, request.strategy_overrides)
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
