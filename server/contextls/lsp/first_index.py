"""A question asked while the first index of a small workspace is built waits for it, within a bound."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextls.lsp.workspaces import Workspace
    from contextls.model import IndexProgress

# At most so long; people notice more, and half an answer is better than that.
MOST_SECONDS = 2.0
_POLL_SECONDS = 0.02
# Until the run's own pace is known: what two slow cores do. Python files of this repository: some 250 a second.
_FILES_PER_SECOND = 150
_ENOUGH_FILES = 32  # done, before their pace counts


class Pace:
    """How far a run of indexing is and how long it may yet take. Written by its thread, read by the event loop."""

    def __init__(self) -> None:
        self._started = 0.0
        self._progress: IndexProgress | None = None

    def begin(self) -> None:
        """A run begins."""
        self._progress = None

    def take(self, progress: IndexProgress) -> None:
        """What the run tells."""
        if self._progress is None or self._progress.phase != progress.phase:
            self._started = time.monotonic()
        self._progress = progress

    def exceeds(self, seconds: float) -> bool:
        """Whether the run will surely take longer; False as long as nobody knows how many files there are."""
        now = self._progress
        if now is None or now.phase != "index":
            return False
        rate = float(_FILES_PER_SECOND)
        if now.done >= _ENOUGH_FILES:
            rate = now.done / max(0.001, time.monotonic() - self._started)
        return now.total - now.done > rate * seconds

    def describe(self) -> str:
        """How far it is, for a message."""
        now = self._progress
        return f" ({now.done:,} of {now.total:,} files)" if now is not None and now.total else ""


async def wait_for_first_index(workspace: Workspace) -> str:
    """Wait until there is an index, or it is plain that there will be none in time; what to tell where it gave up.

    Cancelling the request ends the wait: no thread is held by it.
    """
    await workspace.engine()
    if not workspace.runs or await workspace.is_built():
        return ""
    deadline = time.monotonic() + MOST_SECONDS
    waited = False
    while workspace.runs and (left := deadline - time.monotonic()) > 0:
        if workspace.pace.exceeds(left):
            if not waited:
                return ""  # ``indexComplete`` tells all there is to tell
            break
        waited = True
        await asyncio.sleep(min(left, _POLL_SECONDS))
    if not workspace.runs:
        return ""
    return (
        f"the first index was not built within {MOST_SECONDS:g} s{workspace.pace.describe()}; "
        "this answer draws on what was there, ask again for more"
    )
