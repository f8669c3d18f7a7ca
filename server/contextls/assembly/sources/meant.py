"""What a question is about that it does not name: the last failure, the changes at hand, the code at the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from contextls.assembly.signals import Signals
from contextls.assembly.sources.around import Angle, Near, around, keep
from contextls.assembly.sources.changed import (
    Told,
    around_changes,
    names_no_code,
    speaks_of_changes_alone,
    text_of,
)
from contextls.assembly.sources.trouble import speaks_of_the_work, trouble
from contextls.memory.content.view import ChunkRef
from contextls.memory.failures import Failure
from contextls.memory.history.hunks import Hunk
from contextls.memory.relations import RelationGraph
from contextls.memory.snapshot import Snapshot
from contextls.model import EditorPosition

LONGEST_TEXT = 8_000
# What the best of all else is worth beside the chunk that the question points at.
BESIDE = 0.5
# Code that holds the words of changes is as likely to be forgotten as what is tied to them.
BESIDE_CHANGES = 0.9


@dataclass(frozen=True, slots=True)
class Meant:
    """The ``failure`` and the changes (``hunks``) that a question is about.

    ``text`` is searched for instead of the question, whose words name no code; "" where they do. ``name`` is what people
    call that text. ``told`` are the lines that the prompt shows as changes, ``beside`` is what the best that a search finds
    is worth beside the code pointed at.
    """

    failure: Failure | None = None
    hunks: Sequence[Hunk] = ()
    text: str = ""
    name: str = ""
    told: Told = field(default_factory=Told)
    beside: float = BESIDE

    @classmethod
    def of(
        cls,
        signals: Signals,
        failure: Callable[[], Failure | None],
        hunks: Sequence[Hunk],
        uncommitted: Callable[[], Sequence[Hunk]],
    ) -> Meant:
        """What ``signals`` are about.

        ``failure`` finds the one that is fresh, ``hunks`` are the changes that lead the prompt, ``uncommitted`` finds
        those that a question can mean which asks for changes in words only.
        """
        told = Told(hunks)
        broken = failure() if speaks_of_the_work(signals) else None
        if broken:
            return cls(broken, hunks, broken.text[:LONGEST_TEXT], "the failure", told)
        if not hunks and speaks_of_changes_alone(signals):
            hunks = uncommitted()
        if hunks and names_no_code(signals):
            return cls(None, hunks, text_of(hunks)[:LONGEST_TEXT], "the changes", told, BESIDE_CHANGES)
        return cls(None, hunks, told=told)

    def near(
        self, snapshot: Snapshot, graph: RelationGraph, signals: Signals, position: EditorPosition | None
    ) -> dict[ChunkRef, Near]:
        """The chunks that the question points at, with what each is worth; of several reasons the weightiest."""
        found = trouble(snapshot, graph, signals, self.failure) if self.failure else {}
        for ref, near in around_changes(snapshot, graph, self.hunks).items():
            keep(found, ref, near)
        if not found and position is not None and signals.about_here:
            return around(snapshot, graph, position, Angle.of(signals))
        return found
