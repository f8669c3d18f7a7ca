"""Candidates from installed packages. ``package_calls`` asks them; it is loaded if the settings allow any."""

from __future__ import annotations

from functools import cache

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question
from contextls.assembly.source import PACKAGES, Findings, Offer
from contextls.installed_packages import may_offer


class PackagesSource:
    """Asks every source of installed packages that the settings let in, side by side."""

    name = "packages"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """Their pieces; for one that fails or takes too long, a warning."""
        if not (memories.package_sources and _are_there()):
            return Offer()
        from contextls.assembly.sources.package_calls import ask_packages

        return ask_packages(question, memories)


@cache
def _are_there() -> bool:
    return may_offer(PACKAGES)
