"""From fitted items to the answer, and what an update goes on from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from contextls.assembly.items import Item, phrase
from contextls.model import AssembleRequest, Component, Context, Section, Strategy
from contextls.text.tokens import Tokenizer

# For what says nothing of itself: a client can rely on a phrase being there.
_UNTOLD = "found for the question"


@dataclass(frozen=True, slots=True)
class Assembled:
    """An answer with what it was made of: the items that went in, and those that did not fit."""

    context: Context
    request: AssembleRequest
    tokenizer: Tokenizer
    chosen: tuple[Item, ...]
    left: tuple[Item, ...]


def context_id(content: str, request: str, before: str = "") -> str:
    """An id that the same answer to the same request, after the same context, gets again."""
    digest = hashlib.blake2b("\0".join((before, request, content)).encode(errors="replace"), digest_size=8)
    return f"context-{digest.hexdigest()}"


def component(item: Item, strategy: Strategy, tokenizer: Tokenizer) -> Component:
    """``item`` as it is answered; its score without what a boost adds beyond 1."""
    score = round(min(1.0, item.score(strategy)), 4)
    why = phrase(item.why) or _UNTOLD
    if item.boost > 1:
        why += "; raised by the request"
    return Component(
        item.section, item.source, item.text, tokenizer.count(item.text), score, item.compression, why
    )


def section_tokens(components: Sequence[Component]) -> dict[str, int]:
    """The tokens of each section's components, headings not counted."""
    totals = dict.fromkeys(map(str, Section), 0)
    for each in components:
        totals[each.type] += each.tokens
    return totals
