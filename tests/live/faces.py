"""Faces of live workspaces for tests; each overrides what it is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from contextls.live.listener import IndexingDisplay, Listener
from contextls.model import CheckedManifest, IndexProgress, IndexReport, MemoryPart


class QuietFace(Listener, IndexingDisplay):
    """Shows nothing."""

    def warn(self, message: str) -> None:
        pass

    def report_memory_change(self, root: Path, changed: Sequence[MemoryPart]) -> None:
        pass

    def show_manifest_faults(self, root: Path, files: Sequence[CheckedManifest]) -> None:
        pass

    async def show_indexing(self, root: Path, cancel: Callable[[], None]) -> IndexingDisplay:  # noqa: ARG002
        return self

    def report(self, progress: IndexProgress) -> None:
        pass

    def finish(self, report: IndexReport) -> None:
        pass

    def stop(self) -> None:
        pass

    def fail(self) -> None:
        pass
