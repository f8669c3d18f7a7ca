"""The window of a model divided: what is kept free, what is left, and an error that names what is too large."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from contextls.assembly.layers.model_limits import ModelLimit
from contextls.errors import ContextLimitError, InvalidRequestError
from contextls.model import LayerUse, Reserves
from contextls.model.turn import RESERVE_RESPONSE, RESERVE_TOOLS

# What the marks around a message cost at most with the providers that publish it.
MESSAGE_TOKENS = 4
# At most this part (one in eight) of a small window is reserved for each purpose, unless the request says otherwise.
_RESERVED_PART = 8
MAX_NAMED = 3


class Window(Struct, frozen=True):
    """A model's window and what is kept free of it."""

    limit: int
    response: int
    tools: int
    available: int


def divide(limit: ModelLimit, reserves: Reserves, most: int | None, usual: int | None = None) -> Window:
    """Take the reserves from a window; at most ``most`` is left for a prompt. Raises ``InvalidRequestError``.

    ``usual`` is what a working set keeps free for the response, where the request does not say; at most half of the window.
    """
    tokens = limit.tokens
    response = reserves.response
    if response is None:
        least = min(RESERVE_RESPONSE, tokens // _RESERVED_PART)
        response = least if usual is None else min(usual, tokens // 2)
    tools = min(RESERVE_TOOLS, tokens // _RESERVED_PART) if reserves.tools is None else reserves.tools
    left = tokens - response - tools
    if left <= 0:
        expected = f"less than the model's {tokens:,} tokens together"
        raise InvalidRequestError("reserves", expected, f"{response:,} and {tools:,}")
    return Window(tokens, response, tools, left if most is None else min(left, most))


def refuse_overflow(needed: int, window: Window, layers: Sequence[LayerUse]) -> ContextLimitError:
    """The error that what may not be cut does not fit; names the largest of it."""
    items = [item for layer in layers for item in layer.items if item.state != "excluded"]
    items.sort(key=lambda item: (-item.tokens, item.name))
    named = ", ".join(f"{item.name} {item.tokens:,}" for item in items[:MAX_NAMED])
    return ContextLimitError(
        f"what is never cut has {needed:,} tokens and {window.available:,} are available "
        f"({window.limit:,} less {window.response:,} for the response and {window.tools:,} for tools, "
        f"or the request's own budget); the largest: {named}",
        needed,
        window.available,
    )
