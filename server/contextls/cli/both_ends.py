"""Keeps the beginning and the end of an output of any length."""

from __future__ import annotations

from contextls.text.kept_ends import join_ends


class BothEnds:
    """Keeps the first and the last ``each`` bytes of what passes."""

    def __init__(self, each: int) -> None:
        self._each = each
        self._head = b""
        self._tail = b""
        self._left_out = 0

    def add(self, block: bytes) -> None:
        """Take what passes."""
        room = self._each - len(self._head)
        self._head += block[:room]
        tail = self._tail + block[room:] if room < len(block) else self._tail
        self._left_out += max(0, len(tail) - self._each)
        self._tail = tail[-self._each :]

    def text(self) -> str:
        """Both ends as text."""
        if not self._left_out:
            return (self._head + self._tail).decode("utf-8", "replace")
        head, tail = (end.decode("utf-8", "replace") for end in (self._head, self._tail))
        return join_ends(head, tail, self._left_out, "bytes")
