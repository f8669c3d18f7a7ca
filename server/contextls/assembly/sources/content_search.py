"""A question, and what the search of the content found for it."""

from __future__ import annotations

from msgspec import Struct

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question
from contextls.assembly.usefulness.known_places import KnownPlace
from contextls.assembly.usefulness.model import Useful
from contextls.assembly.wording.purpose import Purpose
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import IndexView

# The model has learned from questions of which some word is known; without one, its chances mean little.
UNTOLD = 0.1
# A question in another language of which at least half the words could not be read has at most this chance of an answer.
MIN_UNREAD, UNREAD = 0.5, 0.25


class ContentSearch(Struct, frozen=True):
    """A question with the chunks that compete for it and those of them that are likely to be ``useful``."""

    question: Question
    purpose: Purpose
    memories: MemorySnapshot
    ranking: Ranking
    useful: Useful
    # Where what is asked stands in every project of the kind.
    known: KnownPlace = KnownPlace()

    @property
    def snapshot(self) -> Snapshot:
        """The indexed content."""
        return self.memories.snapshot

    @property
    def view(self) -> IndexView:
        """The chunks of the indexed content."""
        return self.memories.snapshot.view

    @property
    def max_chance(self) -> float:
        """The highest chance that any piece has, by how much of the question is known."""
        if self.question.is_placed or self.known.worth:
            return 1.0
        if not self.useful.held:
            return UNTOLD
        return UNREAD if self.question.signals.query.unread >= MIN_UNREAD else 1.0
