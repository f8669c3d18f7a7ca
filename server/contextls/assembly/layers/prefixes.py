"""A prediction of a provider's cache: the longest beginning that a turn shares with one that was sent before."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from contextls.model import CachePrediction

# Turns of several conversations and models may take their turns; providers forget within minutes as well.
MAX_TURNS = 32


class SentBlock(NamedTuple):
    """A part of what is sent, in the order in which providers read it: tools, system, history, current message.

    ``said`` is all of it that a provider reads. It has the role in it, not the kind: what was the current message may come
    again as history.
    """

    kind: str
    said: tuple[Hashable, ...]
    tokens: int


class SentPrefixes:
    """The newest turns as hashes. Safe to use from several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._turns: deque[tuple[str, list[int]]] = deque(maxlen=MAX_TURNS)

    def predict(self, model: str, blocks: Sequence[SentBlock]) -> CachePrediction:
        """Estimate what a provider has cached of a turn to this model, and remember the turn."""
        hashes = _chain(blocks)
        with self._guard:
            shared, goes_on = max(
                (_compare(sent, hashes) for name, sent in self._turns if name == model), default=(-1, False)
            )
            self._turns.append((model, hashes))
        total = sum(block.tokens for block in blocks)
        cached = sum(block.tokens for block in blocks[: max(shared, 0)])
        whole = goes_on or shared == len(blocks)  # who goes back in a conversation sends nothing new
        broken = "first turn" if shared < 0 else "" if whole else blocks[shared].kind
        return CachePrediction(
            cached_tokens=cached, share=round(cached / total, 4) if total else 0.0, broken_by=broken
        )

    def forget(self) -> None:
        """Keep nothing."""
        with self._guard:
            self._turns.clear()


def _chain(blocks: Sequence[SentBlock]) -> list[int]:
    """A hash of each beginning: the same as another one's only where all blocks up to there are.

    Strings remember their hash, so that of a conversation that comes again only the end is looked at.
    """
    hashes = []
    running = 0
    for block in blocks:
        running = hash((running, block.said))
        hashes.append(running)
    return hashes


def _compare(sent: Sequence[int], now: Sequence[int]) -> tuple[int, bool]:
    """The number of blocks that two turns begin with alike, and whether those are all that was sent."""
    shared = _count_shared(sent, now)
    return shared, shared == len(sent)


def _count_shared(sent: Sequence[int], now: Sequence[int]) -> int:
    """The number of blocks that two turns begin with alike."""
    low, high = 0, min(len(sent), len(now))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sent[middle - 1] == now[middle - 1] else (low, middle - 1)
    return low
