"""One part of a turn: its text, and its line in the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from contextls.model import Layer, LayerItem, LayerUse
from contextls.text.gate import clean


class LayerPart(Struct, frozen=True):
    """A piece of text of one layer under the name that the report has for it."""

    layer: Layer
    name: str
    text: str
    tokens: int
    digest: str = ""
    reason: str = ""

    @property
    def item(self) -> LayerItem:
        """Its line in the report."""
        return LayerItem(self.name, self.tokens, reason=self.reason)


class Omitted(Struct, frozen=True):
    """A part that stays out, and why."""

    layer: Layer
    name: str
    reason: str
    tokens: int = 0

    @property
    def item(self) -> LayerItem:
        """Its line in the report."""
        return LayerItem(self.name, 0, "excluded", self.tokens or None, self.reason)


class PartCollector:
    """Parts on their way into a turn: each is cleaned, counted and held to the budget of its layer."""

    def __init__(self, count: Callable[[str], int], budgets: dict[Layer, int] | None = None) -> None:
        """``budgets`` are the most tokens that layers may have; without an entry a layer has no bound of its own."""
        self._count = count
        self._left = dict(budgets or {})
        self.parts: list[LayerPart] = []
        self.omitted: list[Omitted] = []
        self.warnings: list[str] = []

    def add(self, layer: Layer, name: str, text: str, digest: str = "") -> bool:
        """Take a part in, if its layer has room; empty ones leave no trace. Returns whether it is in."""
        if not text:
            return False
        passed = clean(text)
        tokens = self._count(passed)
        left = self._left.get(layer)
        if left is not None and tokens > left:
            self.omit(layer, name, f"the layer's budget has {left:,} tokens left", tokens)
            self.warnings.append(
                f"{name}: {tokens:,} tokens, more than the budget of the layer {layer} has left"
            )
            return False
        if left is not None:
            self._left[layer] = left - tokens
        self.parts.append(LayerPart(layer, name, passed, tokens, digest))
        return True

    def omit(self, layer: Layer, name: str, reason: str, tokens: int = 0) -> None:
        """Say that something stays out."""
        self.omitted.append(Omitted(layer, name, reason, tokens))


def use_of(
    layer: Layer, parts: Iterable[LayerPart], omitted: Sequence[Omitted], budget: int | None
) -> LayerUse:
    """A layer of these parts in the report."""
    inside = [part for part in parts if part.layer is layer]
    outside = [one.item for one in omitted if one.layer is layer]
    items = (*(part.item for part in inside), *outside)
    return LayerUse(layer, sum(part.tokens for part in inside), items, budget)
