"""Answers of the last half minute, given again while nothing has changed that could alter them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from contextls.assembly.request import request_key
from contextls.assembly.result import Assembled
from contextls.model import AssembleRequest

LIFETIME_MS = 30_000
MOST_ANSWERS = 32


@dataclass(frozen=True, slots=True, eq=False)
class MemoryState:
    """What every answer depends on besides its request.

    ``objects`` are immutable views, the same only when identical; ``numbers`` (generations, newest events) when equal.
    """

    objects: tuple[object, ...]
    numbers: tuple[Hashable, ...]

    def same_as(self, other: MemoryState) -> bool:
        """Whether nothing that an answer depends on differs between the two moments."""
        return (
            self.numbers == other.numbers
            and len(self.objects) == len(other.objects)
            and all(mine is theirs for mine, theirs in zip(self.objects, other.objects, strict=True))
        )


class AnswerCache:
    """The answers to the newest requests at one state of the memories. Safe to use from several threads.

    Recency is measured from the moment of a question: an answer given again is the one of the moment at which it was made,
    at most 30 seconds ago. One that was made with warnings is not kept, so that what failed is tried again.
    """

    def __init__(self) -> None:
        """Empty."""
        self._guard = threading.Lock()
        self._state: MemoryState | None = None
        self._answers: OrderedDict[str, tuple[int, Assembled]] = OrderedDict()

    def get(self, state: MemoryState, request: AssembleRequest, now: int, *, exact: bool) -> Assembled | None:
        """The answer for ``request`` at ``now`` (ms); with ``exact``, only one that was made for this very moment."""
        with self._guard:
            if self._state is None or not self._state.same_as(state):
                return None
            key = request_key(request)
            made, answer = self._answers.get(key, (0, None))
            age = now - made
            if answer is None or (age != 0 if exact else not 0 <= age <= LIFETIME_MS):
                return None
            self._answers.move_to_end(key)
            return answer

    def put(self, state: MemoryState, now: int, answer: Assembled) -> None:
        """Keep an answer that was made from ``state``, taken before the memories were asked."""
        if answer.context.report.warnings:
            return
        with self._guard:
            if self._state is None or not self._state.same_as(state):
                self._state = state
                self._answers.clear()
            key = request_key(answer.request)
            self._answers[key] = (now, answer)
            self._answers.move_to_end(key)
            while len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)

    def forget(self) -> None:
        """Keep nothing."""
        with self._guard:
            self._state = None
            self._answers.clear()
