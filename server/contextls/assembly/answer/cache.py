"""Answers of the last half minute, given again while nothing has changed that could alter them."""

from __future__ import annotations

import threading
from collections.abc import Hashable

from contextls.assembly.answer.result import Assembled
from contextls.model import AssembleRequest

LIFETIME_MS = 30_000
MAX_ANSWERS = 32


class AnswerCache:
    """The answers to the newest requests at one version of the memories. Safe to use from several threads.

    Recency is measured from the moment of a question: an answer given again is the one of the moment at which it was made,
    at most 30 seconds ago. One in which something failed is not kept, so that it is tried again.
    """

    def __init__(self) -> None:
        """Empty."""
        self._guard = threading.Lock()
        self._version: Hashable = None
        # Each with its request and when it was made, the last that was asked for at the end.
        self._answers: list[tuple[AssembleRequest, int, Assembled]] = []

    def get(self, version: Hashable, request: AssembleRequest, now: int, *, exact: bool) -> Assembled | None:
        """The answer for ``request`` at ``now`` (ms); with ``exact``, only one that was made for this very moment."""
        with self._guard:
            if self._version != version:
                return None
            known = next((each for each in self._answers if each[0] == request), None)
            if known is None:
                return None
            _, made, answer = known
            age = now - made
            if age != 0 if exact else not 0 <= age <= LIFETIME_MS:
                return None
            self._answers.remove(known)
            self._answers.append(known)
            return answer

    def put(self, version: Hashable, request: AssembleRequest, now: int, answer: Assembled) -> None:
        """Keep the answer to ``request`` that was made from the memories at ``version``, taken before they were asked.

        What was asked for differs from ``answer.request`` where the working set bounds the budget.
        """
        if answer.flawed:
            return
        with self._guard:
            if self._version != version:
                self._version = version
                self._answers.clear()
            others = [each for each in self._answers if each[0] != request]
            self._answers = [*others, (request, now, answer)][-MAX_ANSWERS:]

    def forget(self) -> None:
        """Keep nothing."""
        with self._guard:
            self._version = None
            self._answers.clear()
