"""Candidates from installed packages. ``package_calls`` asks them; it is loaded if the settings allow any."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question
from contextls.assembly.source import PACKAGES, Findings, Offer
from contextls.package_data import read_packaged


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
    """Whether some installed package may be a source; yes where a quick look cannot tell.

    ``importlib.metadata`` takes twenty times as long to say that none is.
    """
    return any(_names_source(Path(folder)) for folder in sys.path)


def _names_source(folder: Path) -> bool:
    try:
        inside = list(folder.iterdir())
    except FileNotFoundError:
        return False
    except OSError:  # an archive, perhaps
        return True
    described = [each for each in inside if each.suffix in (".dist-info", ".egg-info", ".egg")]
    return any(each.suffix == ".egg" or PACKAGES in _entry_points(each) for each in described)


def _entry_points(described: Path) -> str:
    try:
        return read_packaged(described / "entry_points.txt")
    except (OSError, UnicodeDecodeError):
        return ""
