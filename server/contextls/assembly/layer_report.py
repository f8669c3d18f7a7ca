"""The report by layer: each thing with its tokens, what it had before it was made smaller, and why it stayed out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contextls.assembly.sent import EARLIER
from contextls.model import Component, Layer, LayerItem, LayerUse, Omission

NO_TOKENS: Mapping[str, int] = {}


def retrieved_layer(
    components: Sequence[Component],
    omitted: Sequence[Omission],
    tokens: int,
    originals: Mapping[str, int] = NO_TOKENS,
) -> LayerUse:
    """What was retrieved, as a layer of ``tokens``; ``originals`` are the tokens of pieces before they were made smaller."""
    inside = tuple(_component_item(each, originals.get(each.source)) for each in components)
    outside = tuple(
        LayerItem(each.source, 0, "excluded", each.tokens, f"{each.type}: {each.reason}") for each in omitted
    )
    return LayerUse(Layer.MEMORY, tokens, (*inside, *outside))


def _component_item(component: Component, original: int | None) -> LayerItem:
    if component.compression is None:
        return LayerItem(component.source, component.tokens, reason=str(component.type))
    if component.compression == EARLIER:
        return LayerItem(
            component.source, component.tokens, "included", original, f"{component.type}: {component.body}"
        )
    reason = f"{component.type}: {component.compression}"
    return LayerItem(component.source, component.tokens, "truncated", original, reason)
