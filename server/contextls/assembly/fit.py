"""The last step before an answer: the budget enforced on the final, redacted text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from contextls import cancellation
from contextls.assembly.arrange import arranged
from contextls.assembly.compress import Shrink, shrunk
from contextls.assembly.items import Item
from contextls.assembly.shapes.markdown import render
from contextls.model import Omission, Strategy
from contextls.text.gate import CleanText, clean
from contextls.text.tokens import Tokenizer


@dataclass(frozen=True, slots=True)
class Fitted:
    """The final text, its exact count, the items in it as they are read, what they were chosen as, and what had to go."""

    content: CleanText
    count: int
    items: tuple[Item, ...]
    chosen: tuple[Item, ...]
    dropped: tuple[Item, ...]
    omitted: tuple[Omission, ...]


def fitted(
    chosen: Sequence[Item],
    max_tokens: int,
    strategy: Strategy,
    tokenizer: Tokenizer,
    *,
    keep: Item | None = None,
    shrink: bool = True,
    smaller: Shrink = shrunk,
    order: Sequence[str] = (),
) -> Fitted:
    """While the exact count is over ``max_tokens``, the weakest item shrinks or, where it cannot, goes.

    ``keep`` goes last of all; without ``shrink``, the weakest goes as it is. ``order`` is that of a request.
    """
    left = list(chosen)
    dropped: list[Item] = []
    while True:
        cancellation.check()
        items = arranged(left, order)
        rendered = render(items)
        content = clean(rendered)
        count = tokenizer.count(content)
        if count <= max_tokens:
            # What the whole text was looked through for needs no second look, piece by piece, on its way out.
            passed = CleanText if content == rendered else clean
            items = [replace(item, text=passed(item.text)) for item in items]
            omitted = tuple(_omission(item, tokenizer) for item in dropped)
            return Fitted(content, count, tuple(items), tuple(left), tuple(dropped), omitted)
        candidates = [item for item in left if item is not keep] or left
        weakest = max(candidates, key=lambda item: (-item.score(strategy), item.source))
        place = left.index(weakest)
        room = tokenizer.count(weakest.text) - (count - max_tokens)
        whole = weakest.excerpt is not None or not weakest.compression
        small = None if not (shrink and whole) else smaller(weakest, room, tokenizer)
        if small is not None and small.compression and small.text != weakest.text:
            left[place] = small
        else:
            del left[place]
            dropped.append(weakest)


def _omission(item: Item, tokenizer: Tokenizer) -> Omission:
    return Omission(item.section, item.source, "budget", tokenizer.count(item.text))
