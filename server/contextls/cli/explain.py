"""The report of a prompt as a table with bars: what is in it, what each thing costs, what stayed out and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from contextls.cli.output import one_line
from contextls.model import AssembledTurn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from contextls.model import CachePrediction, Context, LayerItem, LayerUse

BAR = 16
TOKENS = 8
REASON = 22
# The number of pieces left out that are named; the report itself has all.
MAX_EXCLUDED = 6
MAX_STEPS = 6
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_COLOURS = {
    "workspace": "blue",
    "persona": "magenta",
    "session": "cyan",
    "memory": "green",
    "event": "yellow",
}


def explain(context: Context, budget: int, width: int) -> RenderableType:
    """Describe one prompt for a person, in lines of at most ``width`` characters.

    ``budget`` is that of a prompt which has no window of a model.
    """
    layers = [layer for layer in context.report.layers if layer.items]
    most = max((item.tokens for layer in layers for item in layer.items), default=1)
    lines = [*_head(context, budget)]
    for layer in layers:
        lines += [Text(), *_layer_lines(layer, most, width)]
    lines += [Text(), *_foot(context)]
    return Group(*lines)


def _layer_lines(layer: LayerUse, most: int, width: int) -> Iterator[Text]:
    colour = _COLOURS[layer.layer.value]
    shown = [item for item in layer.items if item.state != "excluded"]
    excluded = [item for item in layer.items if item.state == "excluded"]
    of_budget = "" if layer.budget is None else f" of {layer.budget:,}"
    yield Text.assemble(
        (layer.layer.value, f"bold {colour}"), f"  {layer.tokens:,}{of_budget} tokens", (_count(shown), "dim")
    )
    names = max(20, width - TOKENS - BAR - REASON - 6)
    for item in shown:
        bar = draw_bar(item.tokens, most)
        yield Text.assemble(
            f"  {shorten(item.name, names):<{names}} {item.tokens:>{TOKENS},}  ",
            (f"{bar:<{BAR}} ", colour),
            (shorten(_describe_state(item), REASON), "dim"),
        )
    for item in excluded[:MAX_EXCLUDED]:
        was = f"({item.original_tokens:,})" if item.original_tokens else ""
        reason = shorten(f"out: {item.reason}", BAR + REASON + 1)
        yield Text(f"  {shorten(item.name, names):<{names}} {was:>{TOKENS}}  {reason}", "dim")
    if len(excluded) > MAX_EXCLUDED:
        yield Text(f"  … and {len(excluded) - MAX_EXCLUDED:,} more that stayed out", "dim")


def shorten(text: str, width: int) -> str:
    """``text`` in at most ``width`` signs; of a path the end is worth more than the beginning."""
    text = one_line(text)
    if len(text) <= width:
        return text
    return f"…{text[len(text) - width + 1 :]}" if "/" in text else f"{text[: width - 1]}…"


def draw_bar(value: int, most: int, width: int = BAR) -> str:
    """A bar of at most ``width`` signs; something that is there never has an empty one."""
    eighths = max(1 if value else 0, round(8 * width * value / max(1, most)))
    whole, part = divmod(min(eighths, 8 * width), 8)
    return "█" * whole + (_EIGHTHS[part] if part else "")


def _describe_state(item: LayerItem) -> str:
    if item.state == "truncated":
        was = f", was {item.original_tokens:,}" if item.original_tokens else ""
        return f"{item.reason}{was}"
    return item.reason


def _count(items: Sequence[LayerItem]) -> str:
    return f"  in {len(items):,} {'part' if len(items) == 1 else 'parts'}"


def _head(context: Context, budget: int) -> Iterator[Text]:
    report = context.report
    exact = "" if report.tokenizer_exact else ", estimated"
    if not isinstance(context, AssembledTurn):
        yield Text(f"{context.token_count:,} of {budget:,} tokens ({report.tokenizer}{exact})", "bold")
        yield Text(_gauge(context.token_count, budget))
        return
    held = context.token_budget
    model = context.model or "no model named"
    kept = held.reserve_response + held.reserve_tools
    yield Text(
        f"{held.used.total:,} of {held.available:,} tokens for {model} ({report.tokenizer}{exact})", "bold"
    )
    yield Text(_gauge(held.used.total, held.available))
    yield Text(f"window {held.model_limit:,}, kept free {kept:,}, left {held.remaining:,}", "dim")
    used = held.used
    yield Text(
        f"system {used.system_prompt:,}, history {used.history:,}, message {used.event:,}, tools {used.tools:,}",
        "dim",
    )
    cache = context.cache
    yield Text(
        f"cached, as predicted: {cache.cached_tokens:,} tokens, {cache.share:.0%} ({_why_cached(cache)})",
        "dim",
    )


def _why_cached(cache: CachePrediction) -> str:
    """In words how far a turn goes on from the one before."""
    if cache.broken_by == "first turn":
        return cache.broken_by
    return f"new from the {cache.broken_by} on" if cache.broken_by else "all that was sent before"


def _gauge(value: int, most: int) -> str:
    drawn = draw_bar(value, most, 60)
    return f"{drawn}{'·' * (60 - len(drawn))} {value / max(1, most):.0%}"


def _foot(context: Context) -> Iterator[Text]:
    for warning in context.report.warnings:
        yield Text(f"warning: {warning}", "yellow")
    steps = sorted(context.report.step_ms.items(), key=lambda step: -step[1])[:MAX_STEPS]
    slowest = ", ".join(f"{name} {ms:.0f}" for name, ms in steps if ms >= 0.5)
    yield Text(f"{context.metadata.assembly_time_ms:.0f} ms{f' ({slowest})' if slowest else ''}", "dim")
