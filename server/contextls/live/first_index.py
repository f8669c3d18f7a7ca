"""Lets a question wait, within a bound, for the first index of a small workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextls.live.workspace import Workspace

# At most so long; people notice more, and half an answer is better than that.
MAX_SECONDS = 2
_POLL_MS = 20


async def wait_for_first_index(workspace: Workspace) -> str:
    """Let a question wait until the first index of ``workspace`` is built. Returns a warning if that takes too long.

    Cancelling the request ends the wait: no thread is held by it.
    """
    await workspace.engine()
    if not workspace.runs or await workspace.is_built():
        return ""
    clock = workspace.clock
    deadline = clock.now_ms() + MAX_SECONDS * 1000
    waited = False
    while workspace.runs and (left := deadline - clock.now_ms()) > 0:
        if workspace.pace.exceeds(left):
            if not waited:
                return ""  # ``indexComplete`` tells all there is to tell
            break
        waited = True
        await clock.sleep(min(left, _POLL_MS))
    if not workspace.runs:
        return ""
    return (
        f"the first index was not built within {MAX_SECONDS} s{workspace.pace.describe()}; "
        "this answer draws on what was there and on a quick look at the rest, ask again for more"
    )
