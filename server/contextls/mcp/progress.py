"""The first index of a workspace, for those who wait for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from contextls.live.workspace import Workspace
    from contextls.model import IndexProgress, IndexReport

    Report = Callable[[float, float | None, str], Awaitable[None]]

# Agents wait longer than people do, and half an answer sends them searching by themselves; clients give up after 60 s.
FIRST_INDEX_SECONDS = 30
# A server that has just started looks whether the index that it found is old by now: most often in no time.
FRESH_SECONDS = 4
_LOOK_SECONDS = 0.2
_POLL_MS = 20


class IndexingProgress:
    """How far the indexing of each workspace is."""

    def __init__(self) -> None:
        self._newest: dict[Path, IndexProgress] = {}

    def display(self, root: Path) -> IndexingDisplay:
        """A listener for one run of indexing."""
        return IndexingDisplay(self._newest, root)

    async def wait(self, workspace: Workspace, report: Report) -> str:
        """Wait until there is an index, for a while, telling ``report`` how far it is; the warning where it gave up.

        Cancelling ends the wait.
        """
        waiting = asyncio.ensure_future(_wait(workspace))
        told = 0
        try:
            while not (await asyncio.wait({waiting}, timeout=_LOOK_SECONDS))[0]:
                newest = self._newest.get(workspace.root)
                # A client may count on it to grow: not the files that are found and then indexed from the first on.
                if newest is not None and newest.total and newest.done > told:
                    told = newest.done
                    await report(told, newest.total or None, f"indexing {workspace.root.name}")
            return waiting.result()
        finally:
            waiting.cancel()


async def _wait(workspace: Workspace) -> str:
    """Wait for the run of indexing that is at work; less long where it only looks what changed since the last one."""
    await workspace.engine()
    built = not workspace.runs or await workspace.is_built()
    clock = workspace.clock
    deadline = clock.now_ms() + (FRESH_SECONDS if built else FIRST_INDEX_SECONDS) * 1000
    while workspace.runs and (left := deadline - clock.now_ms()) > 0:
        if not built and workspace.pace.exceeds(left):
            break
        await clock.sleep(_POLL_MS)
    if built or not workspace.runs:
        return ""
    return (
        f"the first index of this workspace is still being built{workspace.pace.describe()}; this answer draws on what is "
        "there and on a quick look at the rest, ask again in a moment"
    )


class IndexingDisplay:
    """One run of indexing; as ``live.listener`` asks for it."""

    def __init__(self, newest: dict[Path, IndexProgress], root: Path) -> None:
        self._newest = newest
        self._root = root

    def report(self, progress: IndexProgress) -> None:
        """Keep the progress. Called from any thread."""
        self._newest[self._root] = progress

    def finish(self, report: IndexReport) -> None:  # noqa: ARG002 - as the listener asks for it
        """Forget the run, which is done."""
        self._newest.pop(self._root, None)

    def stop(self) -> None:
        """Forget the run, which was stopped."""
        self._newest.pop(self._root, None)

    def fail(self) -> None:
        """Forget the run, which failed."""
        self._newest.pop(self._root, None)
