"""The border to a face: it hears of its live workspaces through a listener."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from contextls.model import IndexProgress, IndexReport

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """The memories of the workspace at ``root`` that have changed, by name."""

    root: Path
    memories: tuple[str, ...]


class IndexingDisplay(Protocol):
    """One run of indexing on show."""

    def report(self, progress: IndexProgress) -> None:
        """It is so far. Called from any thread."""

    def finish(self, report: IndexReport) -> None:
        """It is done."""

    def stop(self) -> None:
        """It was stopped; what was finished is kept."""

    def fail(self) -> None:
        """It failed."""


class Listener(Protocol):
    """Hears what happens in live workspaces, on the event loop."""

    def warn(self, message: str) -> None:
        """Something that a user should know."""

    def report_memory_change(self, change: MemoryChange) -> None:
        """Memories have changed, by whichever process."""

    async def show_indexing(self, root: Path, cancel: Callable[[], None]) -> IndexingDisplay:
        """Indexing of a workspace begins; ``cancel`` stops it."""


class SilentDisplay:
    """Shows nothing."""

    def report(self, progress: IndexProgress) -> None:
        """Show nothing."""

    def finish(self, report: IndexReport) -> None:
        """Show nothing."""

    def stop(self) -> None:
        """Show nothing."""

    def fail(self) -> None:
        """Show nothing."""


class SilentListener:
    """For faces that show nothing: warnings go to the log."""

    def warn(self, message: str) -> None:
        """Log it."""
        log.warning("%s", message)

    def report_memory_change(self, change: MemoryChange) -> None:
        """Do nothing."""

    async def show_indexing(self, root: Path, cancel: Callable[[], None]) -> IndexingDisplay:  # noqa: ARG002
        """Show nothing."""
        return SilentDisplay()
