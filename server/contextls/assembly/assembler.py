"""How a question becomes a prompt: read, answered by every source, filtered, selected, shaped, counted, reported."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from contextls.assembly.account import account_for
from contextls.assembly.bodies import ShownBefore
from contextls.assembly.candidate import Candidate
from contextls.assembly.collect import collect_candidates
from contextls.assembly.filters import Admission, Boosting, admit
from contextls.assembly.fit import fit_to_budget
from contextls.assembly.hints import weigh_by_hints
from contextls.assembly.layer_report import layers_around, retrieved_layer
from contextls.assembly.layers.permissions import Permissions
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import read_question
from contextls.assembly.request import (
    FollowUpRequest,
    RetrievalRequest,
    RootedRequest,
    TaggedRequest,
    check_request,
    describe_limit,
    request_key,
)
from contextls.assembly.result import (
    Assembled,
    component,
    confidence,
    context_id,
    is_truncated,
    section_tokens,
)
from contextls.assembly.scoping import (
    apply_scope,
    describe_hidden,
    describe_scope,
    include_failure,
    read_request_scope,
)
from contextls.assembly.select import UNBOUND, omission, select
from contextls.assembly.sent import EARLIER, NOTHING_SENT, SentMessages
from contextls.assembly.shapes.markdown import Markdown
from contextls.assembly.shapes.overview import Overview
from contextls.assembly.shapes.rooted import RootedMarkdown
from contextls.assembly.shapes.shape import Shape
from contextls.assembly.shapes.structured import Structured
from contextls.assembly.shapes.tagged import Tagged
from contextls.assembly.shrink import Shrink
from contextls.assembly.steps import Steps
from contextls.assembly.strategies import led_by_changes, strategy_for
from contextls.assembly.summarizing import SummarizingShrink
from contextls.assembly.task_shares import cut_tasks
from contextls.model import AssembleRequest, Context, InjectionFormat, Metadata, Report
from contextls.text.tokens import Tokenizer, get_tokenizer

_SHAPES: Mapping[InjectionFormat, Callable[[Tokenizer], Shape]] = {
    InjectionFormat.RAW: Markdown,
    InjectionFormat.SUMMARY: Overview,
    InjectionFormat.STRUCTURED: Structured,
}


def assemble(
    request: AssembleRequest,
    memories: MemorySnapshot,
    default_tokenizer: str,
    make_shape: Callable[[Tokenizer], Shape] | None = None,
) -> Assembled:
    """Turn a question into the best prompt for it, without ``make_shape`` written as ``request`` asks for.

    Raises ``InvalidRequestError`` naming the field that is wrong.
    """
    started = time.perf_counter()
    check_request(request)
    strategy = strategy_for(request.archetype, request.strategy_overrides)
    permissions, sends_rules = Permissions(), isinstance(request, RetrievalRequest | TaggedRequest)
    if isinstance(request, RetrievalRequest):
        permissions = Permissions(*request.permissions)
    if isinstance(request, RootedRequest) and request.installed:
        memories = memories.code_alone()
    tokenizer = get_tokenizer(request.tokenizer or default_tokenizer)
    admission = Admission(request.filters, permissions, with_rules=not sends_rules)
    boosting = Boosting.of(request.boosts)
    steps = Steps()
    allocation = memories.working_set.budget() if memories.working_set else UNBOUND
    if allocation.limit is not None and allocation.limit < request.max_tokens:
        steps.notes.append(describe_limit(allocation.limit, request.max_tokens))
        request = replace(request, max_tokens=allocation.limit)
    if hidden := permissions.count_hidden(memories.snapshot.view.paths):
        steps.notes.append(f"permissions: the code of {hidden:,} files may not be shown")
    whole = replace(memories, snapshot=admission.searchable(memories.snapshot))
    scope = read_request_scope(request, whole)
    question = read_question(request, strategy, apply_scope(whole, scope), steps)
    scope = include_failure(scope, question, whole)
    memories = apply_scope(whole, scope)
    if scope:
        steps.notes.append(describe_scope(scope, whole))
    collected = collect_candidates(question, memories, steps)
    if outside := describe_hidden(question, scope, whole, collected.candidates):
        steps.notes.append(outside)
    if question.changes or question.stops:
        strategy = led_by_changes(strategy, request.strategy_overrides)
    select_started = time.perf_counter()
    shape = (make_shape or choose_shape(request))(tokenizer)
    frame = shape.frame
    room = max(0, request.max_tokens - frame.tokens)
    lines, cut_off = cut_tasks(collected.candidates, room, shape)
    if memories.working_set:
        lines = weigh_by_hints(lines, memories.working_set.hints())
    kept, excluded = admit(boosting.apply(lines), admission, memories.exclusion)
    shrink = SummarizingShrink(shape, memories.summaries)
    earlier = _Earlier(request.sent if isinstance(request, FollowUpRequest) else NOTHING_SENT, shape, shrink)
    fresh, repeated = earlier.split(kept)
    selection = select(fresh, strategy, room, shape, earlier.shrink, earlier.recall, allocation)
    steps.add("select", select_started)
    shape_started = time.perf_counter()
    final = fit_to_budget(
        selection.chosen, request.max_tokens, strategy, shape, shrink=earlier.shrink, order=request.order
    )
    steps.add("shape", shape_started)
    if shrink.asked:
        steps.ms["summaries"] = round(shrink.ms, 3)
    held_back = (
        omission(each.candidate, each.reason, shape)
        for each in collected.left_out
        if admission.lets_in(each.candidate) and not memories.exclusion.hides_candidate(each.candidate)
    )
    kept_back = (
        omission(each, "excluded" if permissions.allow_candidate(each) else "permission", shape)
        for each in excluded
    )
    told_before = (omission(each, EARLIER, shape) for each in repeated)
    left_out = (*told_before, *kept_back, *held_back)
    omitted = (*cut_off, *collected.omitted, *selection.omitted, *final.omitted, *left_out)
    components = tuple(component(piece, strategy, shape) for piece in final.pieces)
    failures = (*steps.warnings, *selection.warnings, *shrink.warnings)
    smaller = {each.source for each in components if each.compression is not None}
    originals = {one.id: shape.measure(one.body) for one in kept if one.id in smaller}
    originals |= {
        piece.candidate.id: shape.measure(piece.candidate.body.of)
        for piece in final.pieces
        if isinstance(piece.candidate.body, ShownBefore)
    }
    layers = layers_around(frame, retrieved_layer(components, omitted, final.count, originals))
    warnings = (*frame.warnings, *steps.notes, *failures)
    context = Context(
        id=context_id(final.content, request_key(request)),
        content=final.content,
        components=components,
        token_count=final.count,
        confidence=confidence(final.pieces),
        truncated=is_truncated(components, omitted) or frame.is_cut,
        strategy=strategy,
        metadata=Metadata(
            query=request.query,
            events_considered=collected.events_considered,
            entities_considered=collected.entities_considered,
            chunks_searched=collected.chunks_searched,
            assembly_time_ms=round((time.perf_counter() - started) * 1000, 3),
        ),
        report=Report(
            omitted=omitted,
            warnings=warnings,
            section_tokens=section_tokens(components),
            step_ms=steps.ms,
            tokenizer=shape.tokenizer.name,
            tokenizer_exact=shape.tokenizer.exact,
            index_complete=memories.index_complete,
            layers=layers,
            assembly=account_for(request.max_tokens, final.count, layers, warnings),
        ),
    )
    left = (*final.dropped, *selection.left)
    return Assembled(
        context, request, shape.for_budget(request.max_tokens), final.chosen, left, flawed=bool(failures)
    )


def choose_shape(request: AssembleRequest) -> Callable[[Tokenizer], Shape]:
    """What makes the shape that ``request`` asks for."""
    if isinstance(request, TaggedRequest):
        return partial(Tagged, preface=request.preface, max_tokens=request.max_tokens)
    if isinstance(request, RootedRequest):
        return partial(RootedMarkdown, root=request.root)
    return _SHAPES[request.format] if isinstance(request, RetrievalRequest) else Markdown


@dataclass(frozen=True, slots=True)
class _Earlier:
    """What the conversation shows already, for one answer."""

    sent: SentMessages
    shape: Shape
    smaller: Shrink

    def split(self, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
        """The candidates, those that were shown as pointers; and those that need no pointer, as they are one line."""
        if not self.sent:
            return list(candidates), []
        fresh: list[Candidate] = []
        repeated: list[Candidate] = []
        for one in candidates:
            recalled = self.recall(one)
            if recalled is None:
                repeated.append(one)
            else:
                fresh.append(recalled)
        return fresh, repeated

    def recall(self, candidate: Candidate) -> Candidate | None:
        """See ``SentMessages.recall``."""
        return self.sent.recall(candidate, self.shape.write) if self.sent else candidate

    def shrink(self, candidate: Candidate, max_tokens: int) -> Candidate | None:
        """``candidate`` made smaller; where that was shown, as a pointer."""
        small = self.smaller(candidate, max_tokens)
        return None if small is None else self.recall(small)
