"""One prompt from several workspaces: each answers for itself, and what they have shares one budget by its evidence."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from contextls.assembly.request import with_budget
from contextls.assembly.sources.absence import LACKING
from contextls.engine.merged_answer import Part, Parts, merge_answers
from contextls.errors import InvalidRequestError
from contextls.model import AssembleRequest, Context, Section
from contextls.settings import MIN_TOKENS
from contextls.text.fence import one_line
from contextls.text.gate import clean
from contextls.text.tokens import get_tokenizer

# What one workspace answers to a request, when each of its places begins with this name.
Ask = Callable[[AssembleRequest, str], Awaitable[Context]]
MAX_ROOTS = 16
# The heading of a root and what joins it to the others, above the tokens of its name.
OF_A_HEADING = 8
# Least weight of a root: what one has of little evidence is still shown where there is room.
MIN_WEIGHT = 0.05
# Where another root answers better than so, one whose best piece is hardly of use stays out: it would only take room.
ANSWERS, HARDLY = 0.3, 0.1
_ATTEMPTS = 4


def name_roots(roots: Sequence[Path]) -> list[str]:
    """A name for each root: that of its folder, with those above it where two are called the same."""
    names = [1] * len(roots)
    while True:
        spelt: list[str] = [
            clean(one_line("/".join(root.parts[-depth:]))) for root, depth in zip(roots, names, strict=True)
        ]
        alike = {name for name, count in Counter(spelt).items() if count > 1}
        if not alike:
            return spelt
        deeper = [
            min(depth + (name in alike), len(root.parts))
            for root, depth, name in zip(roots, names, spelt, strict=True)
        ]
        if deeper == names:
            return spelt
        names = deeper


async def assemble_several(
    request: AssembleRequest, asks: Mapping[str, Ask], default_tokenizer: str
) -> Context:
    """The best prompt for ``request`` from several workspaces, by their names, within one budget, which it has to name.

    A root gets what it needs where there is room for all, else a share by its evidence. Raises ``InvalidRequestError``.
    """
    started = time.perf_counter()
    most = request.max_tokens
    if most is None:
        raise InvalidRequestError("maxTokens", "a budget: each of several folders has one of its own")
    if not 1 <= len(asks) <= MAX_ROOTS:
        raise InvalidRequestError("roots", f"1 to {MAX_ROOTS} open folders")
    tokenizer = get_tokenizer(request.tokenizer or default_tokenizer)
    parts = _choose(*await _ask_all(request, asks))
    if request.task_line:
        first, *others = parts.shown
        first = Part(first.name, await asks[first.name](request, first.name))
        parts = replace(parts, shown=(first, *others))
    room = most - sum(tokenizer.count(part.name) + OF_A_HEADING for part in parts.shown)
    for _ in range(_ATTEMPTS):
        if tokenizer.count(parts.write()) <= most:
            break
        parts = replace(parts, shown=await _fit(parts.shown, request, asks, max(room, MIN_TOKENS)))
        room -= max(tokenizer.count(parts.write()) - most, 1)
    while len(parts.shown) > 1 and tokenizer.count(parts.write()) > most:
        parts = parts.without_last()
    return merge_answers(with_budget(request, most), parts, tokenizer, started)


def run_at_once(answer: Coroutine[Any, Any, Context]) -> Context:
    """The result of a coroutine that waits for nothing, as one does whose roots all answer at once."""
    try:
        answer.send(None)
    except StopIteration as done:
        result: Context = done.value
        return result
    raise RuntimeError("a root did not answer at once")


async def _ask_all(request: AssembleRequest, asks: Mapping[str, Ask]) -> tuple[list[Part], list[str]]:
    """The answers of all roots as if each had all the room; and what some of them could not be asked."""
    parts: list[Part] = []
    refused: list[str] = []
    first: InvalidRequestError | None = None
    for name, ask in asks.items():
        try:
            context = await ask(replace(request, task_line=False), name)
        except InvalidRequestError as error:
            if error.field not in ("scope", "changes"):
                raise
            # A folder or a branch that one root has need not be in another.
            first = first or error
            refused.append(f"{name}: {error}")
        else:
            parts.append(Part(name, context))
    if first is not None and not parts:
        raise first
    return parts, refused


def _choose(parts: Sequence[Part], refused: Sequence[str]) -> Parts:
    """Show the parts that have something to say, the best first."""
    best = max((part.context.confidence for part in parts), default=0.0)
    least = HARDLY if best >= ANSWERS else 0.0
    ordered = sorted(parts, key=lambda part: -part.context.confidence)
    shown = [
        part
        for part in ordered
        if _says_something(part.context) and (part.context.confidence >= least or _has_pins(part.context))
    ]
    shown = shown or ordered[:1]
    return Parts(tuple(shown), tuple(part for part in ordered if part not in shown), tuple(refused))


def _says_something(context: Context) -> bool:
    """Whether there is more in it than that no place or failure is known: a root that has it knows which."""
    return any(each.source not in LACKING for each in context.components)


def _has_pins(context: Context) -> bool:
    return any(each.type is Section.WORKING_SET for each in context.components)


async def _fit(
    parts: Sequence[Part], request: AssembleRequest, asks: Mapping[str, Ask], room: int
) -> tuple[Part, ...]:
    """The parts within their shares of ``room``."""
    shares = share_tokens([(part.context.token_count, part.context.confidence) for part in parts], room)
    if max(shares) < MIN_TOKENS:
        shares = [room, *(0 for _ in parts[1:])]
    fitted: list[Part] = []
    for part, share in zip(parts, shares, strict=True):
        if share >= part.context.token_count:
            fitted.append(part)
        elif share >= MIN_TOKENS:
            asked = replace(request, max_tokens=share, task_line=request.task_line and not fitted)
            fitted.append(Part(part.name, await asks[part.name](asked, part.name)))
    return tuple(fitted)


def share_tokens(wants: Sequence[tuple[int, float]], room: int) -> list[int]:
    """Divide ``room`` among roots that want so many tokens, by their evidence in 0..1; none gets more than it wants.

    What one leaves goes to the others.
    """
    shares = [0] * len(wants)
    open_ = [number for number, (wanted, _) in enumerate(wants) if wanted > 0]
    while open_ and room > 0:
        total = sum(max(wants[number][1], MIN_WEIGHT) for number in open_)
        offers = {number: int(room * max(wants[number][1], MIN_WEIGHT) / total) for number in open_}
        content = [number for number in open_ if wants[number][0] - shares[number] <= offers[number]]
        if not content:
            for number, offer in offers.items():
                shares[number] += offer
            break
        for number in content:
            room -= wants[number][0] - shares[number]
            shares[number] = wants[number][0]
        open_ = [number for number in open_ if number not in content]
    return shares
