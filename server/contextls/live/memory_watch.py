"""Notices which memories have changed, by whichever process."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from contextls.errors import ContextlsError
from contextls.live.listener import MemoryChange

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from contextls.live.clock import Clock
    from contextls.live.executors import Executors
    from contextls.live.listener import Listener
    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces

PAUSE_MS = 500
log = logging.getLogger(__name__)


class MemoryWatch:
    """Compares change counters of the memories of each workspace, twice a second. Belongs to the event loop."""

    def __init__(
        self, workspaces: Workspaces, executors: Executors, clock: Clock, listener: Listener
    ) -> None:
        self._workspaces = workspaces
        self._executors = executors
        self._clock = clock
        self._listener = listener
        self._known: dict[Workspace, Mapping[str, Hashable]] = {}

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            await self.look()
            await self._clock.sleep(PAUSE_MS)

    async def look(self) -> None:
        """Tell the listener what has changed since the last look."""
        workspaces = tuple(self._workspaces)
        self._known = {each: known for each, known in self._known.items() if each in workspaces}
        for workspace in workspaces:
            await self._look_at(workspace)

    async def _look_at(self, workspace: Workspace) -> None:
        engine = workspace.engine_if_open
        if engine is None:
            return
        try:
            found = await self._executors.question(engine.generations)
        except ContextlsError:  # it was closed meanwhile; the next look sees another engine or none
            return
        except Exception:
            log.exception("cannot look at the memories of %s", workspace.root)
            return
        known = self._known.get(workspace, {})
        changed = tuple(name for name, value in found.items() if known.get(name) != value)
        self._known[workspace] = {**known, **found}
        if changed:
            self._listener.report_memory_change(MemoryChange(workspace.root, changed))
