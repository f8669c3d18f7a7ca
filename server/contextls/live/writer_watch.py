"""Notices when the process ended that kept an index in step with the disk, or the index is gone: this one goes on then."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from contextls.errors import ContextlsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.live.clock import Clock
    from contextls.live.executors import Executors
    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces

PAUSE_MS = 1_000
log = logging.getLogger(__name__)


class WriterWatch:
    """Asks each workspace whether the work fell to this process. Belongs to the event loop."""

    def __init__(
        self,
        workspaces: Workspaces,
        executors: Executors,
        clock: Clock,
        index: Callable[[Workspace], None],
    ) -> None:
        """``index`` looks at a whole workspace in the background."""
        self._workspaces = workspaces
        self._executors = executors
        self._clock = clock
        self._index = index

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            for workspace in self._workspaces:
                await self._look_at(workspace)
            await self._clock.sleep(PAUSE_MS)

    async def _look_at(self, workspace: Workspace) -> None:
        engine = workspace.engine_if_open
        if engine is None:
            return
        try:
            if not await self._executors.quick(engine.upkeep.has_to_index):
                return
        except ContextlsError:  # too much waits; the next look is soon
            return
        except Exception:  # of one workspace; the others are looked at all the same
            log.exception("cannot tell who writes the index of %s", workspace.root)
            return
        log.info("indexing %s: its writer ended, or its index was deleted", workspace.root)
        self._index(workspace)
