"""Turns a question into a prompt: gathers candidates, chooses among them, and reports what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from contextls.assembly.answer.account import account_for
from contextls.assembly.answer.layer_report import layers_around, retrieved_layer
from contextls.assembly.answer.result import (
    Assembled,
    component,
    confidence,
    context_id,
    is_truncated,
    section_tokens,
)
from contextls.assembly.choose import Choice, choose
from contextls.assembly.gather import Gathered, gather
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.request import (
    BudgetedRequest,
    RetrievalRequest,
    RootedRequest,
    TaggedRequest,
    check_request,
    describe_limit,
    request_key,
)
from contextls.assembly.shapes.markdown import Markdown
from contextls.assembly.shapes.shape import PromptShape
from contextls.assembly.steps import Steps, elapsed_ms
from contextls.model import (
    Component,
    Context,
    InjectionFormat,
    ManifestBudget,
    Metadata,
    Report,
)
from contextls.text.tokens import Tokenizer, get_tokenizer


def assemble(
    request: BudgetedRequest,
    memories: MemorySnapshot,
    default_tokenizer: str,
    make_shape: Callable[[Tokenizer], PromptShape] | None = None,
) -> Assembled:
    """Turn a question into the best prompt for it, without ``make_shape`` written as ``request`` asks for.

    Raises ``InvalidRequestError`` naming the field that is wrong.
    """
    started = time.perf_counter()
    check_request(request)
    tokenizer = get_tokenizer(request.tokenizer or default_tokenizer)
    steps = Steps()
    allocation = memories.budget()
    request = _bound(request, allocation, steps)
    gathered = gather(request, memories, steps)
    shape = (make_shape or choose_shape(request))(tokenizer)
    choice = choose(request, gathered, memories, allocation, shape, steps)
    failures = (*steps.warnings, *choice.failures)
    components = tuple(component(piece, gathered.strategy, shape) for piece in choice.final.pieces)
    context = Context(
        id=context_id(choice.final.content, request_key(request)),
        content=choice.final.content,
        components=components,
        token_count=choice.final.count,
        confidence=confidence(choice.final.pieces),
        truncated=is_truncated(components, choice.omitted) or shape.frame.is_cut,
        strategy=gathered.strategy,
        metadata=_describe_search(request, gathered, started),
        report=_report(
            request,
            choice,
            components,
            shape,
            steps,
            warnings=(*shape.frame.warnings, *steps.notes, *failures),
            memories=memories,
        ),
    )
    bounded = shape.for_budget(request.max_tokens)
    return Assembled(context, request, bounded, choice.final.chosen, choice.left, flawed=bool(failures))


def choose_shape(request: BudgetedRequest) -> Callable[[Tokenizer], PromptShape]:
    """The class of the shape that ``request`` asks for, with its own arguments bound."""
    # Each is loaded when it is asked for: hardly any process writes more than one.
    if isinstance(request, TaggedRequest):
        from contextls.assembly.shapes.tagged import Tagged

        return partial(Tagged, preface=request.preface, max_tokens=request.max_tokens)
    if isinstance(request, RootedRequest):
        from contextls.assembly.shapes.rooted import RootedMarkdown

        return partial(RootedMarkdown, root=request.root)
    if isinstance(request, RetrievalRequest) and request.format is not InjectionFormat.RAW:
        if request.format is InjectionFormat.SUMMARY:
            from contextls.assembly.shapes.overview import Overview

            return Overview
        from contextls.assembly.shapes.structured import Structured

        return Structured
    return Markdown


def _bound(request: BudgetedRequest, allocation: ManifestBudget, steps: Steps) -> BudgetedRequest:
    """``request`` within the budget of the working set; a note says so where that is the smaller one."""
    bounded = allocation.bound(request.max_tokens)
    if bounded == request.max_tokens:
        return request
    steps.notes.append(describe_limit(bounded, request.max_tokens))
    return replace(request, max_tokens=bounded)


def _describe_search(request: BudgetedRequest, gathered: Gathered, started: float) -> Metadata:
    return Metadata(
        query=request.query,
        events_considered=gathered.offers.events_considered,
        entities_considered=gathered.offers.entities_considered,
        chunks_searched=gathered.offers.chunks_searched,
        assembly_time_ms=elapsed_ms(started),
    )


def _report(
    request: BudgetedRequest,
    choice: Choice,
    components: tuple[Component, ...],
    shape: PromptShape,
    steps: Steps,
    *,
    warnings: tuple[str, ...],
    memories: MemorySnapshot,
) -> Report:
    count = choice.final.count
    retrieved = retrieved_layer(components, choice.omitted, count, choice.original_tokens(shape))
    layers = layers_around(shape.frame, retrieved)
    return Report(
        omitted=choice.omitted,
        warnings=warnings,
        section_tokens=section_tokens(components),
        step_ms=steps.ms,
        tokenizer=shape.tokenizer.name,
        tokenizer_exact=shape.tokenizer.exact,
        index_complete=memories.index_complete,
        index_extent=memories.index_extent,
        layers=layers,
        assembly=account_for(request.max_tokens, count, layers, warnings),
    )
