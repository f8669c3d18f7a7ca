"""One prompt from several workspaces: each answers for itself, and what they have shares one budget by its evidence."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.answer.account import account_for
from contextls.assembly.request import BudgetedRequest, with_budget
from contextls.assembly.shapes.rooted import join_roots
from contextls.assembly.sources.absence import NO_PLACE_ID
from contextls.errors import InvalidRequestError
from contextls.model import (
    AssembleRequest,
    Component,
    Context,
    IndexExtent,
    Layer,
    LayerUse,
    Metadata,
    Report,
    Section,
)
from contextls.settings import MIN_TOKENS
from contextls.text.fence import one_line
from contextls.text.gate import clean
from contextls.text.tokens import Tokenizer, get_tokenizer

Figure = TypeVar("Figure", int, float)
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


class _Part(Struct, frozen=True):
    """One workspace, its name in the prompt, and its answer."""

    name: str
    ask: Ask
    context: Context


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
    parts, refused = await _ask_all(request, asks)
    shown, silent = _choose(parts)
    if request.task_line:
        shown = (await _ask_again(shown[0], request), *shown[1:])
    room = most - sum(tokenizer.count(part.name) + OF_A_HEADING for part in shown)
    joined = join_roots([(part.name, part.context.content) for part in shown])
    for _ in range(_ATTEMPTS):
        if tokenizer.count(joined) <= most:
            break
        shown = await _fit(shown, request, max(room, MIN_TOKENS))
        joined = join_roots([(part.name, part.context.content) for part in shown])
        room -= max(tokenizer.count(joined) - most, 1)
    while len(shown) > 1 and tokenizer.count(joined) > most:
        silent = (*silent, shown[-1])
        shown = shown[:-1]
        joined = join_roots([(part.name, part.context.content) for part in shown])
    return _answer(with_budget(request, most), joined, shown, silent, refused, tokenizer, started)


def run_at_once(answer: Coroutine[Any, Any, Context]) -> Context:
    """The result of a coroutine that waits for nothing, as one does whose roots all answer at once."""
    try:
        answer.send(None)
    except StopIteration as done:
        result: Context = done.value
        return result
    raise RuntimeError("a root did not answer at once")


async def _ask_all(request: AssembleRequest, asks: Mapping[str, Ask]) -> tuple[list[_Part], list[str]]:
    """The answers of all roots as if each had all the room; and what some of them could not be asked."""
    parts: list[_Part] = []
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
            parts.append(_Part(name, ask, context))
    if first is not None and not parts:
        raise first
    return parts, refused


def _choose(parts: Sequence[_Part]) -> tuple[tuple[_Part, ...], tuple[_Part, ...]]:
    """The roots that have something to say, the best first, and the others."""
    best = max((part.context.confidence for part in parts), default=0.0)
    least = HARDLY if best >= ANSWERS else 0.0
    ordered = sorted(parts, key=lambda part: -part.context.confidence)
    shown = tuple(
        part
        for part in ordered
        if _says_something(part.context) and (part.context.confidence >= least or _has_pins(part.context))
    )
    shown = shown or tuple(ordered[:1])
    return shown, tuple(part for part in ordered if part not in shown)


def _says_something(context: Context) -> bool:
    """Whether there is more in it than that no place is known: where the place is in one of the roots, that one knows it."""
    return any(each.source != NO_PLACE_ID for each in context.components)


def _has_pins(context: Context) -> bool:
    return any(each.type is Section.WORKING_SET for each in context.components)


async def _fit(parts: Sequence[_Part], request: AssembleRequest, room: int) -> tuple[_Part, ...]:
    """The parts within their shares of ``room``."""
    shares = share_tokens([(part.context.token_count, part.context.confidence) for part in parts], room)
    if max(shares) < MIN_TOKENS:
        shares = [room, *(0 for _ in parts[1:])]
    fitted: list[_Part] = []
    for part, share in zip(parts, shares, strict=True):
        if share >= part.context.token_count:
            fitted.append(part)
        elif share >= MIN_TOKENS:
            asked = replace(request, max_tokens=share, task_line=request.task_line and not fitted)
            fitted.append(await _ask_again(part, asked))
    return tuple(fitted)


async def _ask_again(part: _Part, request: AssembleRequest) -> _Part:
    return replace(part, context=await part.ask(request, part.name))


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


def _answer(
    request: BudgetedRequest,
    content: str,
    shown: Sequence[_Part],
    silent: Sequence[_Part],
    refused: Sequence[str],
    tokenizer: Tokenizer,
    started: float,
) -> Context:
    contexts = [part.context for part in shown]
    everything = [*contexts, *(part.context for part in silent)]
    nothing = [f"{part.name or 'the workspace'}: nothing of it is likely to answer" for part in silent]
    own = [_with_name(part.name, each) for part in shown for each in part.context.report.warnings]
    warnings = (*refused, *nothing, *own)
    report = _merge_reports(shown, [context.report for context in everything], warnings, tokenizer)
    tokens = tokenizer.count(content)
    return Context(
        id="",
        content=content,
        components=tuple(_component(part.name, each) for part in shown for each in part.context.components),
        token_count=tokens,
        confidence=max(context.confidence for context in contexts),
        truncated=any(context.truncated for context in contexts),
        strategy=contexts[0].strategy,
        metadata=_merge_metadata(request.query, everything, started),
        report=replace(report, assembly=account_for(request.max_tokens, tokens, report.layers, warnings)),
    )


def _merge_reports(
    shown: Sequence[_Part], everything: Sequence[Report], warnings: tuple[str, ...], tokenizer: Tokenizer
) -> Report:
    """The sum of the reports of all roots, without the account."""
    return Report(
        omitted=tuple(
            replace(each, source=_below(part.name, each.source))
            for part in shown
            for each in part.context.report.omitted
        ),
        warnings=warnings,
        section_tokens=_add_up(part.context.report.section_tokens for part in shown),
        step_ms={name: round(ms, 3) for name, ms in _add_up(each.step_ms for each in everything).items()},
        tokenizer=tokenizer.name,
        tokenizer_exact=tokenizer.exact,
        index_complete=all(each.index_complete for each in everything),
        index_extent=_add_extents([each.index_extent for each in everything]),
        layers=_merge_layers(shown),
    )


def _merge_metadata(query: str, contexts: Sequence[Context], started: float) -> Metadata:
    """The metadata of the first context, with the counts of all."""
    return replace(
        contexts[0].metadata,
        query=clean(query),
        events_considered=sum(each.metadata.events_considered for each in contexts),
        entities_considered=sum(each.metadata.entities_considered for each in contexts),
        chunks_searched=sum(each.metadata.chunks_searched for each in contexts),
        assembly_time_ms=round((time.perf_counter() - started) * 1000, 3),
    )


def _add_up(figures: Iterable[Mapping[str, Figure]]) -> dict[str, Figure]:
    """The sum of each figure, by its name."""
    sums: dict[str, Figure] = {}
    for name, value in chain.from_iterable(each.items() for each in figures):
        sums[name] = sums[name] + value if name in sums else value
    return sums


def _add_extents(parts: Sequence[IndexExtent | None]) -> IndexExtent | None:
    """The sum over the parts whose index is not complete; ``None`` where there are none."""
    incomplete = [part for part in parts if part is not None]
    if not incomplete:
        return None
    return IndexExtent(sum(each.indexed for each in incomplete), sum(each.found for each in incomplete))


def _below(name: str, source: str) -> str:
    return f"{name}/{source}" if name else source


def _with_name(name: str, warning: str) -> str:
    return f"{name}: {warning}" if name else warning


def _component(name: str, component: Component) -> Component:
    path = component.path and _below(name, component.path)
    return replace(component, source=_below(name, component.source), path=path)


def _merge_layers(parts: Sequence[_Part]) -> tuple[LayerUse, ...]:
    """The layers of all parts as one, each thing with the name of its root."""
    merged: dict[Layer, LayerUse] = {}
    for part in parts:
        for layer in part.context.report.layers:
            before = merged.get(layer.layer, LayerUse(layer.layer, 0))
            items = tuple(replace(each, name=_below(part.name, each.name)) for each in layer.items)
            merged[layer.layer] = replace(
                before, tokens=before.tokens + layer.tokens, items=(*before.items, *items)
            )
    return tuple(merged.values())
