"""One ``Engine`` per workspace: the whole public Python API, with no protocol types.

All methods are synchronous and safe to call from any thread. Reading methods (``search``, ``assemble``, ``events``,
``status``) may run at the same time; writes go through one writer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from contextls.model import (
    AssembleRequest,
    ClearReport,
    Context,
    Event,
    Filters,
    IndexProgress,
    IndexReport,
    NewEvent,
    SearchResult,
    Status,
)
from contextls.settings import Settings


class Engine:
    """The memory of one workspace and what can be asked of it."""

    @classmethod
    def open(cls, root: Path, settings: Settings | None = None) -> Engine:
        """Open the workspace at ``root``; cheap: reads no file of it. Raises ``WorkspaceError`` when it cannot be used."""
        raise NotImplementedError

    def index(
        self,
        progress: Callable[[IndexProgress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> IndexReport:
        """Bring the content index up to date with the disk; touches only what changed.

        Raises ``CancelledError`` when ``cancel`` is set; what was finished stays.
        """
        raise NotImplementedError

    def update_files(self, paths: Iterable[str]) -> None:
        """Bring these files (relative paths; deleted ones too) up to date. Returns when they are searchable."""
        raise NotImplementedError

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved editor text of ``path`` wins over disk until ``None`` takes it away. Cheap: work happens at the next question."""
        raise NotImplementedError

    def accepts(self, path: str) -> bool:
        """Whether the file at this relative path belongs to the memory (inside the root, not ignored)."""
        raise NotImplementedError

    def relative(self, path: Path) -> str | None:
        """The workspace-relative form of an absolute path; ``None`` when it lies outside the root."""
        raise NotImplementedError

    def record(self, event: NewEvent) -> Event | None:
        """Append an event; durable when this returns. ``None`` when it concerns an ignored file and is not kept.

        Raises ``InvalidRequestError`` naming the field that is wrong.
        """
        raise NotImplementedError

    def events(self, limit: int = 50, filters: Filters = Filters()) -> tuple[Event, ...]:
        """The newest events, newest first."""
        raise NotImplementedError

    def search(self, query: str, limit: int = 10) -> SearchResult:
        """The chunks that answer ``query``, best first."""
        raise NotImplementedError

    def assemble(self, request: AssembleRequest) -> Context:
        """The best prompt for the request that fits its budget. Raises ``InvalidRequestError``."""
        raise NotImplementedError

    def status(self) -> Status:
        """The truth about the index, the events and where they live."""
        raise NotImplementedError

    def clear(self, *, index: bool = True, events: bool = False) -> ClearReport:
        """Delete what was asked for. The index can be rebuilt; events cannot."""
        raise NotImplementedError

    def close(self) -> None:
        """Finish pending writes and let go of files, threads and worker processes. Safe to call twice."""
        raise NotImplementedError
