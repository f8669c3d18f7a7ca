"""The ``document`` shape: continuous text without roles, for a model that goes on where the text ends."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.assembly.shapes.messages import join_parts


def write_document(before: Sequence[str], texts: Sequence[str], separator: str, buffer: str) -> str:
    """Write ``before``, then all of the text, and the unsaved end right behind it.

    Nothing follows the buffer, not even a line end: there the model goes on.
    """
    text = separator.join([*texts, *([buffer] if buffer else [])])
    return join_parts([*before, text])
