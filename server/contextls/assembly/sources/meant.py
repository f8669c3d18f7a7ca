"""What a question is about that it does not name: the last failure, the changes at hand, the code at the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contextls.assembly.signals import Signals
from contextls.assembly.sources.around import Angle, Near, around
from contextls.assembly.sources.changed import around_changes, names_no_code, text_of
from contextls.assembly.sources.trouble import speaks_of_the_work, trouble
from contextls.memory.content.view import ChunkRef
from contextls.memory.failures import Failure
from contextls.memory.history.hunks import Hunk
from contextls.memory.relations import RelationGraph
from contextls.memory.snapshot import Snapshot
from contextls.model import EditorPosition

LONGEST_FAILURE = 8_000


@dataclass(frozen=True, slots=True)
class Meant:
    """The ``failure`` and the changes (``hunks``) that a question is about.

    ``text`` is searched for instead of the question, whose words name no code; "" where they do. ``name`` is what people
    call that text.
    """

    failure: Failure | None = None
    hunks: Sequence[Hunk] = ()
    text: str = ""
    name: str = ""

    @classmethod
    def of(cls, signals: Signals, failure: Callable[[], Failure | None], hunks: Sequence[Hunk]) -> Meant:
        """What ``signals`` are about: ``failure`` finds the one that is fresh, ``hunks`` are the changes asked about."""
        broken = failure() if speaks_of_the_work(signals) else None
        if broken:
            return cls(broken, hunks, broken.text[:LONGEST_FAILURE], "the failure")
        if hunks and names_no_code(signals):
            return cls(None, hunks, text_of(hunks), "the changes")
        return cls(None, hunks)

    def near(
        self, snapshot: Snapshot, graph: RelationGraph, signals: Signals, position: EditorPosition | None
    ) -> dict[ChunkRef, Near]:
        """The chunks that the question points at, with what each is worth; of several reasons the weightiest."""
        found = trouble(snapshot, graph, signals, self.failure) if self.failure else {}
        for ref, near in around_changes(snapshot, graph, self.hunks).items():
            if ref not in found or near.worth > found[ref].worth:
                found[ref] = near
        if not found and position is not None and signals.about_here:
            return around(snapshot, graph, position, Angle.of(signals))
        return found
