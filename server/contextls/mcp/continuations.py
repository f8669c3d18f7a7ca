"""Contexts that may go on: what was shown of each so far, by the cursor that reads on."""

from __future__ import annotations

from collections import OrderedDict

from contextls.errors import InvalidRequestError

_KEPT = 256


class Continuations:
    """The sources that earlier pages of an answer have shown. Belongs to the event loop."""

    def __init__(self) -> None:
        self._shown: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def keep(self, cursor: str, shown: tuple[str, ...]) -> str:
        """Remember what was shown before ``cursor``, for as long as few others are kept."""
        self._shown[cursor] = shown
        self._shown.move_to_end(cursor)
        while len(self._shown) > _KEPT:
            self._shown.popitem(last=False)
        return cursor

    def find(self, cursor: str | None) -> tuple[str, ...]:
        """The sources shown before ``cursor``; empty without one. Raises ``InvalidRequestError``."""
        if cursor is None:
            return ()
        if cursor not in self._shown:
            raise InvalidRequestError(
                "cursor", "the nextCursor of a recent answer; ask again without cursor", cursor
            )
        return self._shown[cursor]
