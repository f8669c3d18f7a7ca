"""Pieces that a conversation shows already, kept out of one answer or pointed to in it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.sent import SentMessages
from contextls.assembly.pieces.shrink import Shrink
from contextls.assembly.shapes.shape import PromptShape


class Repeats(Struct, frozen=True):
    """``sent`` is what the conversation shows, ``smaller`` how a candidate shrinks that it does not show."""

    sent: SentMessages
    shape: PromptShape
    smaller: Shrink

    def split(self, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
        """The candidates, those that were shown as pointers; and those that need no pointer, as they are one line."""
        if not self.sent:
            return list(candidates), []
        fresh: list[Candidate] = []
        repeated: list[Candidate] = []
        for one in candidates:
            recalled = self.recall(one)
            if recalled is None:
                repeated.append(one)
            else:
                fresh.append(recalled)
        return fresh, repeated

    def recall(self, candidate: Candidate) -> Candidate | None:
        """See ``SentMessages.recall``."""
        return self.sent.recall(candidate, self.shape.write) if self.sent else candidate

    def shrink(self, candidate: Candidate, max_tokens: int) -> Candidate | None:
        """``candidate`` made smaller; where that was shown, as a pointer."""
        small = self.smaller(candidate, max_tokens)
        return None if small is None else self.recall(small)
