"""The report by layer: each thing with its tokens, what it had before it was made smaller, and why it stayed out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from contextls.assembly.pieces.sent import EARLIER
from contextls.assembly.shapes.shape import Frame
from contextls.model import Component, Layer, LayerItem, LayerUse, Omission

NO_TOKENS: Mapping[str, int] = {}


def retrieved_layer(
    components: Sequence[Component],
    omitted: Sequence[Omission],
    tokens: int,
    originals: Mapping[str, int] = NO_TOKENS,
) -> LayerUse:
    """The retrieved pieces as a layer. ``originals`` are the tokens of pieces before they were made smaller."""
    inside = tuple(_component_item(each, originals.get(each.source)) for each in components)
    outside = tuple(
        LayerItem(each.source, 0, "excluded", each.tokens, f"{each.type}: {each.reason}") for each in omitted
    )
    return LayerUse(Layer.MEMORY, tokens, (*inside, *outside))


def layers_around(frame: Frame, retrieved: LayerUse) -> tuple[LayerUse, ...]:
    """The layers of a prompt in one text: what stands around its pieces, if anything, and these."""
    if not frame.items:
        return (retrieved,)
    around = LayerUse(Layer.WORKSPACE, frame.tokens, frame.items)
    return around, replace(retrieved, tokens=max(0, retrieved.tokens - frame.tokens))


def _component_item(component: Component, original: int | None) -> LayerItem:
    if component.compression is None:
        return LayerItem(component.source, component.tokens, reason=str(component.type))
    if component.compression == EARLIER:
        return LayerItem(
            component.source, component.tokens, "included", original, f"{component.type}: {component.body}"
        )
    reason = f"{component.type}: {component.compression}"
    return LayerItem(component.source, component.tokens, "truncated", original, reason)
