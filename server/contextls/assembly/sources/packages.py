"""What installed packages offer: see ``package_calls``, which is loaded where the settings let one in."""

from __future__ import annotations

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, Offer


class PackagesSource:
    """Asks every source of installed packages that the settings let in, side by side."""

    name = "packages"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """Their pieces; for one that fails or takes too long, a warning."""
        if not memories.package_sources:
            return Offer()
        from contextls.assembly.sources.package_calls import ask_packages

        return ask_packages(question, memories)
