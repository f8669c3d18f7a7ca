"""The contract of a source, which offers candidates of one memory for a question."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.question import Question
from contextls.model import Event, Omission

# The group of entry points in which installed packages name sources of theirs.
PACKAGES = "contextls.sources"


class LeftOut(Struct, frozen=True):
    """A candidate that its source does not offer, and the reason that the report gives."""

    candidate: Candidate
    reason: str


class Offer(Struct, frozen=True):
    """The answer of one source."""

    # Best first.
    candidates: tuple[Candidate, ...] = ()
    # Candidates that it keeps back.
    left_out: tuple[LeftOut, ...] = ()
    # Things that it could not even read.
    omitted: tuple[Omission, ...] = ()
    warnings: tuple[str, ...] = ()
    # The events that it looked at, for sources that are asked later.
    events: tuple[Event, ...] = ()
    # The number of chunks that it looked through.
    searched: int = 0


class Findings:
    """The offers so far, by the name of their source."""

    def __init__(self) -> None:
        self._offers: dict[str, Offer] = {}

    def add(self, source: str, offer: Offer) -> None:
        """Note what a source has."""
        self._offers[source] = offer

    def of(self, source: str) -> Offer:
        """The offer of a source; an empty one where it was not asked yet or failed."""
        return self._offers.get(source, Offer())

    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates of all sources, in the order of these."""
        return tuple(each for offer in self._offers.values() for each in offer.candidates)

    def left_out(self) -> tuple[LeftOut, ...]:
        """The candidates that sources did not offer, in the order of these."""
        return tuple(each for offer in self._offers.values() for each in offer.left_out)

    def searched(self) -> int:
        """The number of chunks that all sources looked through."""
        return sum(offer.searched for offer in self._offers.values())

    def omitted(self) -> tuple[Omission, ...]:
        """Everything that sources could not read, in the order of these."""
        return tuple(each for offer in self._offers.values() for each in offer.omitted)


class Source(Protocol):
    """Offers candidates of one memory."""

    @property
    def name(self) -> str:
        """Its name in reports."""

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:
        """Return the memory's candidates for ``question``. May raise: the other sources still answer."""
