"""What a provider should find in its cache: the longest beginning that a turn shares with one that was sent before."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from contextls.model import CachePrediction

# Turns of several conversations and models may take their turns; providers forget within minutes as well.
MAX_TURNS = 32


@dataclass(frozen=True, slots=True)
class Block:
    """A part of what is sent, in the order in which providers read it: tools, system, history, current message.

    ``text`` has the role in it: what was the current message may come again as history.
    """

    kind: str
    text: str
    tokens: int


class SentPrefixes:
    """The newest turns as digests. Safe to use from several threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._turns: deque[tuple[str, tuple[bytes, ...]]] = deque(maxlen=MAX_TURNS)

    def predict(self, model: str, blocks: Sequence[Block]) -> CachePrediction:
        """How much of a turn to this model is cached, and remember it."""
        digests = _chain(blocks)
        with self._guard:
            shared = max(
                (_count_shared(sent, digests) for name, sent in self._turns if name == model), default=-1
            )
            self._turns.append((model, digests))
        total = sum(block.tokens for block in blocks)
        cached = sum(block.tokens for block in blocks[: max(shared, 0)])
        broken = "first turn" if shared < 0 else next((block.kind for block in blocks[shared:]), "")
        return CachePrediction(
            cached_tokens=cached, share=round(cached / total, 4) if total else 0.0, broken_by=broken
        )

    def forget(self) -> None:
        """Keep nothing."""
        with self._guard:
            self._turns.clear()


def _chain(blocks: Sequence[Block]) -> tuple[bytes, ...]:
    """A digest of each beginning: the same as another one's only where all blocks up to there are."""
    digests = []
    running = blake2b(digest_size=16)
    for block in blocks:
        text = block.text.encode(errors="replace")
        running.update(len(text).to_bytes(8))
        running.update(text)
        digests.append(running.digest())
    return tuple(digests)


def _count_shared(sent: Sequence[bytes], now: Sequence[bytes]) -> int:
    """How many blocks two turns begin with alike."""
    low, high = 0, min(len(sent), len(now))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sent[middle - 1] == now[middle - 1] else (low, middle - 1)
    return low
