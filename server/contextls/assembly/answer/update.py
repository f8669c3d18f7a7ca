"""An answer brought up to date with one event, without asking the memories again.

The event goes in first; while the exact count is over the budget, the weakest piece shrinks or goes; what room that
leaves is filled with the best of what is outside. Scores stay those of the first answer. No model is asked, as the
caller waits.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec.structs import replace

from contextls import cancellation
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
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.request import request_key
from contextls.assembly.selection.fit import Fitted, fit_to_budget
from contextls.assembly.selection.select import describe_omission
from contextls.assembly.shapes.shape import PromptShape
from contextls.assembly.steps import elapsed_ms
from contextls.model import Context, Omission, Section

# Trying each candidate counts the whole text; the best few are what room is for.
MAX_TRIED = 24
# By how much a piece's own count may exceed what it adds to the whole, where it joins its neighbours.
JOINT_TOKENS = 8


def update(
    before: Assembled, news: Candidate | None, max_tokens: int, warnings: Sequence[str] = ()
) -> Assembled:
    """Put ``news`` first into the answer ``before``, in at most ``max_tokens``; without ``news`` only fit it again."""
    started = time.perf_counter()
    strategy, order = before.context.strategy, before.request.order
    shape = before.shape.for_budget(max_tokens)
    kept = [each for each in before.chosen if news is None or each.id != news.id]
    first = None if news is None else _small_enough(news, max_tokens, shape)
    chosen = kept if first is None else [first, *kept]
    final = fit_to_budget(chosen, max_tokens, strategy, shape, keep=first, order=order)
    final = _fill(before, final, max_tokens, shape)
    ms = elapsed_ms(started)
    inside = {each.id for each in final.chosen}
    outside = [each for each in (*final.dropped, *before.left) if each.id not in inside]
    omitted = _list_omitted(before.context, outside, inside, shape)
    if news is not None and news.id not in inside:
        omitted = (describe_omission(news, "budget", shape), *omitted)
    components = tuple(component(piece, strategy, shape) for piece in final.pieces)
    old = before.context
    layers = layers_around(shape.frame, retrieved_layer(components, omitted, final.count))
    all_warnings = tuple(dict.fromkeys((*old.report.warnings, *shape.frame.warnings, *warnings)))
    context = replace(
        old,
        id=context_id(final.content, request_key(before.request), old.id),
        content=final.content,
        components=components,
        token_count=final.count,
        confidence=confidence(final.pieces),
        truncated=is_truncated(components, omitted) or shape.frame.is_cut,
        metadata=replace(
            old.metadata,
            events_considered=old.metadata.events_considered + (news is not None),
            assembly_time_ms=ms,
        ),
        report=replace(
            old.report,
            omitted=omitted,
            warnings=all_warnings,
            section_tokens=section_tokens(components),
            step_ms={"update": ms},
            cached=False,
            layers=layers,
            assembly=account_for(max_tokens, final.count, layers, all_warnings),
        ),
    )
    return Assembled(context, before.request, shape.for_budget(max_tokens), final.chosen, tuple(outside))


def _small_enough(news: Candidate, max_tokens: int, shape: PromptShape) -> Candidate:
    """The event, folded when it would take more than half of the budget."""
    if shape.measure(news.body) <= max_tokens // 2:
        return news
    return shape.shrink(news, max_tokens // 2) or news


def _fill(before: Assembled, final: Fitted, max_tokens: int, shape: PromptShape) -> Fitted:
    """``final`` with as much as fits of what was just dropped, then of what was outside before, best first."""
    strategy, order = before.context.strategy, before.request.order
    inside = {each.id for each in final.chosen}
    waiting = {each.id: each for each in (*final.dropped, *before.left) if each.id not in inside}
    gone = {each.id for each in final.dropped}
    ranked = sorted(waiting.values(), key=lambda each: (each.id not in gone, -each.score(strategy), each.id))
    tried = 0
    for candidate in ranked:
        cancellation.check()
        if tried == MAX_TRIED:
            break
        if final.count + shape.measure(candidate.body) - JOINT_TOKENS > max_tokens:
            continue
        tried += 1
        chosen = [*final.chosen, candidate]
        more = fit_to_budget(chosen, max_tokens, strategy, shape, shrink=_keep_whole, order=order)
        if not more.dropped:
            final = replace(more, dropped=final.dropped, omitted=final.omitted)
    return final


def _keep_whole(_candidate: Candidate, _room: int) -> None:
    """Make nothing smaller: what fits only in part stays out."""


def _list_omitted(
    old: Context, outside: Sequence[Candidate], inside: set[str], shape: PromptShape
) -> tuple[Omission, ...]:
    """List everything that stays out: for want of room now, or for other reasons before."""
    for_room = {(each.section, each.id): describe_omission(each, "budget", shape) for each in outside}
    others = [
        each
        for each in old.report.omitted
        if (each.type, each.source) not in for_room
        and each.source not in inside
        and (each.reason != "budget" or each.type is Section.TASK)
    ]
    return (*for_room.values(), *others)
