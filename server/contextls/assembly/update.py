"""An answer brought up to date with one event, without asking the memories again.

The event goes in first; while the exact count is over the budget, the weakest item shrinks or goes; what room that leaves is
filled with the best of what is outside. Scores stay those of the first answer. No model is asked: whoever records waits.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from contextls import cancellation
from contextls.assembly.compress import shrunk
from contextls.assembly.fit import Fitted, fitted
from contextls.assembly.items import Item
from contextls.assembly.request import request_key
from contextls.assembly.result import Assembled, component, context_id, section_tokens
from contextls.model import Context, Omission, Section
from contextls.text.tokens import Tokenizer

# Trying each candidate counts the whole text; the best few are what room is for.
MOST_TRIED = 24
# What a piece's own count may exceed what it adds to the whole by, where it joins its neighbours.
JOINT_TOKENS = 8


def updated(before: Assembled, news: Item | None, max_tokens: int, warnings: Sequence[str] = ()) -> Assembled:
    """``before`` with ``news`` first, in at most ``max_tokens``; without ``news`` only fitted again."""
    started = time.perf_counter()
    strategy, tokenizer = before.context.strategy, before.tokenizer
    kept = [item for item in before.chosen if news is None or item.source != news.source]
    first = None if news is None else _small_enough(news, max_tokens, tokenizer)
    chosen = kept if first is None else [first, *kept]
    order = before.request.order
    final = fitted(chosen, max_tokens, strategy, tokenizer, keep=first, order=order)
    final = _filled(before, final, max_tokens)
    ms = round((time.perf_counter() - started) * 1000, 3)
    inside = {item.source for item in final.chosen}
    outside = [item for item in (*final.dropped, *before.left) if item.source not in inside]
    omitted = _omitted(before.context, outside, inside, tokenizer)
    if news is not None and news.source not in inside:
        omitted = (Omission(news.section, news.source, "budget", tokenizer.count(news.text)), *omitted)
    components = tuple(component(item, strategy, tokenizer) for item in final.items)
    old = before.context
    context = replace(
        old,
        id=context_id(final.content, request_key(before.request), old.id),
        content=final.content,
        components=components,
        token_count=final.count,
        truncated=any(omission.reason == "budget" for omission in omitted),
        metadata=replace(
            old.metadata,
            events_considered=old.metadata.events_considered + (news is not None),
            assembly_time_ms=ms,
        ),
        report=replace(
            old.report,
            omitted=omitted,
            warnings=tuple(dict.fromkeys((*old.report.warnings, *warnings))),
            section_tokens=section_tokens(components),
            step_ms={"update": ms},
            cached=False,
        ),
    )
    return Assembled(context, before.request, tokenizer, final.chosen, tuple(outside))


def _small_enough(news: Item, max_tokens: int, tokenizer: Tokenizer) -> Item:
    """The event, folded when it would take more than half of the budget."""
    if tokenizer.count(news.text) <= max_tokens // 2:
        return news
    return shrunk(news, max_tokens // 2, tokenizer) or news


def _filled(before: Assembled, final: Fitted, max_tokens: int) -> Fitted:
    """``final`` with what had to go just now, then with what was outside before, best first, as far as it fits."""
    strategy, tokenizer = before.context.strategy, before.tokenizer
    order = before.request.order
    inside = {item.source for item in final.chosen}
    waiting = {item.source: item for item in (*final.dropped, *before.left) if item.source not in inside}
    gone = {item.source for item in final.dropped}
    ranked = sorted(
        waiting.values(), key=lambda item: (item.source not in gone, -item.score(strategy), item.source)
    )
    tried = 0
    for item in ranked:
        cancellation.check()
        if tried == MOST_TRIED:
            break
        if final.count + tokenizer.count(item.text) - JOINT_TOKENS > max_tokens:
            continue
        tried += 1
        more = fitted([*final.chosen, item], max_tokens, strategy, tokenizer, shrink=False, order=order)
        if not more.dropped:
            final = replace(more, dropped=final.dropped, omitted=final.omitted)
    return final


def _omitted(
    old: Context, outside: Sequence[Item], inside: set[str], tokenizer: Tokenizer
) -> tuple[Omission, ...]:
    """What stays out now: the items outside for want of room, and what was left out before for other reasons."""
    for_room = {
        (item.section, item.source): Omission(item.section, item.source, "budget", tokenizer.count(item.text))
        for item in outside
    }
    others = [
        omission
        for omission in old.report.omitted
        if (omission.type, omission.source) not in for_room
        and omission.source not in inside
        and (omission.reason != "budget" or omission.type is Section.TASK)
    ]
    return (*for_room.values(), *others)
