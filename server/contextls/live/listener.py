"""The border to the faces: they hear of live workspaces through listeners."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from contextls.model import CheckedManifest, IndexProgress, IndexReport, MemoryPart

Face = TypeVar("Face")
log = logging.getLogger(__name__)


class IndexingDisplay(Protocol):
    """One run of indexing on show."""

    def report(self, progress: IndexProgress) -> None:
        """Show the progress. Called from any thread."""

    def finish(self, report: IndexReport) -> None:
        """Show that the run is done."""

    def stop(self) -> None:
        """Show that the run was stopped; what was finished is kept."""

    def fail(self) -> None:
        """Show that the run failed."""


class Listener(Protocol):
    """Hears what happens in live workspaces, on the event loop."""

    def warn(self, message: str) -> None:
        """Something that a user should know."""

    def report_memory_change(self, root: Path, changed: Sequence[MemoryPart]) -> None:
        """These memories of the workspace at ``root`` have changed, by whichever process."""

    def show_manifest_faults(self, root: Path, files: Sequence[CheckedManifest]) -> None:
        """In these files of the working set at ``root`` something is wrong; in no others any more."""

    async def show_indexing(self, root: Path, cancel: Callable[[], None]) -> IndexingDisplay:
        """Indexing of a workspace begins; ``cancel`` stops it."""


class Listeners:
    """All faces of live workspaces as one listener; one that fails is logged and keeps nothing from the others.

    Without any, warnings are in the log alone.
    """

    def __init__(self) -> None:
        self._all: list[Listener] = []

    def add(self, listener: Listener) -> None:
        """Let ``listener`` hear of everything from now on."""
        self._all.append(listener)

    def warn(self, message: str) -> None:
        """Warn the users of all faces."""
        if not self._all:
            log.warning("%s", message)
        _tell(self._all, lambda face: face.warn(message))

    def report_memory_change(self, root: Path, changed: Sequence[MemoryPart]) -> None:
        """Tell all faces which memories have changed."""
        _tell(self._all, lambda face: face.report_memory_change(root, changed))

    def show_manifest_faults(self, root: Path, files: Sequence[CheckedManifest]) -> None:
        """Show all faces what is wrong in a working set."""
        _tell(self._all, lambda face: face.show_manifest_faults(root, files))

    async def show_indexing(self, root: Path, cancel: Callable[[], None]) -> IndexingDisplay:
        """Show a run of indexing at all faces; a user at any of them may stop it."""
        begun = await asyncio.gather(
            *(each.show_indexing(root, cancel) for each in self._all), return_exceptions=True
        )
        shown = []
        for display in begun:
            if isinstance(display, BaseException):
                log.warning("a face cannot show indexing", exc_info=display)
            else:
                shown.append(display)
        return _Displays(shown)


class _Displays:
    """One run of indexing, on show at several faces."""

    def __init__(self, displays: Sequence[IndexingDisplay]) -> None:
        self._displays = displays

    def report(self, progress: IndexProgress) -> None:
        _tell(self._displays, lambda display: display.report(progress))

    def finish(self, report: IndexReport) -> None:
        _tell(self._displays, lambda display: display.finish(report))

    def stop(self) -> None:
        _tell(self._displays, lambda display: display.stop())

    def fail(self) -> None:
        _tell(self._displays, lambda display: display.fail())


def _tell(faces: Iterable[Face], act: Callable[[Face], None]) -> None:
    for face in faces:
        try:
            act(face)
        except Exception:
            log.exception("%s failed", type(face).__name__)
