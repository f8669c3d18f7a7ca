"""The answers of several workspaces as one: its components, report and figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.answer.account import account_for
from contextls.assembly.request import BudgetedRequest
from contextls.assembly.shapes.rooted import join_roots
from contextls.assembly.steps import elapsed_ms
from contextls.model import Component, Context, IndexExtent, Layer, LayerUse, Metadata, Report
from contextls.text.gate import clean
from contextls.text.tokens import Tokenizer

Figure = TypeVar("Figure", int, float)


class Part(Struct, frozen=True):
    """The answer of one workspace, and the name of that in the prompt."""

    name: str
    context: Context


class Parts(Struct, frozen=True):
    """The parts that are ``shown``, best first, those that have nothing to say, and why others could not be asked."""

    shown: tuple[Part, ...]
    silent: tuple[Part, ...]
    refused: tuple[str, ...] = ()

    def write(self) -> str:
        """The text of what is shown."""
        return join_roots([(part.name, part.context.content) for part in self.shown])

    def without_last(self) -> Parts:
        """The same with the last part that is shown among the silent ones."""
        *shown, last = self.shown
        return Parts(tuple(shown), (*self.silent, last), self.refused)

    def warnings(self) -> tuple[str, ...]:
        """The warnings about all of them, each with the name of its workspace."""
        nothing = [
            f"{part.name or 'the workspace'}: nothing of it is likely to answer" for part in self.silent
        ]
        own = [
            f"{part.name}: {each}" if part.name else each
            for part in self.shown
            for each in part.context.report.warnings
        ]
        return (*self.refused, *nothing, *own)


def merge_answers(request: BudgetedRequest, parts: Parts, tokenizer: Tokenizer, started: float) -> Context:
    """One answer to ``request``, which was ``started`` at this time, with what all parts report."""
    shown, content, warnings = parts.shown, parts.write(), parts.warnings()
    contexts = [part.context for part in shown]
    everything = [*contexts, *(part.context for part in parts.silent)]
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
    shown: Sequence[Part], everything: Sequence[Report], warnings: tuple[str, ...], tokenizer: Tokenizer
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
        assembly_time_ms=elapsed_ms(started),
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


def _component(name: str, component: Component) -> Component:
    path = component.path and _below(name, component.path)
    return replace(component, source=_below(name, component.source), path=path)


def _merge_layers(parts: Sequence[Part]) -> tuple[LayerUse, ...]:
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
