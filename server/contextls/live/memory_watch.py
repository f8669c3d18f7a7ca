"""Notices which memories have changed, by whichever process."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from contextls.errors import ContextlsError
from contextls.model import MemoryPart

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from contextls.live.clock import Clock
    from contextls.live.executors import Executors
    from contextls.live.listener import Listener
    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces

PAUSE_MS = 500
# The part of a view that shows each memory; what people said of patterns is shown with them.
SHOWN_AS = {
    "index": MemoryPart.INDEX,
    "events": MemoryPart.EVENTS,
    "tasks": MemoryPart.TASKS,
    "workingSet": MemoryPart.WORKING_SET,
    "patterns": MemoryPart.PATTERNS,
    "feedback": MemoryPart.PATTERNS,
    "conversations": MemoryPart.CONVERSATIONS,
    "scope": MemoryPart.SCOPE,
}
log = logging.getLogger(__name__)


class MemoryWatch:
    """Compares the versions of the memories of each workspace, twice a second. Belongs to the event loop."""

    def __init__(
        self,
        workspaces: Workspaces,
        executors: Executors,
        clock: Clock,
        listener: Listener,
        working_set_changed: Callable[[Workspace], None],
    ) -> None:
        """``working_set_changed`` hears of those whose working set did."""
        self._workspaces = workspaces
        self._executors = executors
        self._clock = clock
        self._listener = listener
        self._working_set_changed = working_set_changed
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
            found = await self._executors.question(engine.versions)
        except ContextlsError:  # it was closed meanwhile; the next look sees another engine or none
            return
        except Exception:
            log.exception("cannot look at the memories of %s", workspace.root)
            return
        known = self._known.get(workspace, {})
        changed = [name for name, version in found.items() if name not in known or known[name] != version]
        self._known[workspace] = {**known, **found}
        parts = tuple(dict.fromkeys(SHOWN_AS[name] for name in changed if name in SHOWN_AS))
        if MemoryPart.WORKING_SET in parts:
            self._working_set_changed(workspace)
        if parts:
            self._listener.report_memory_change(workspace.root, parts)
