"""Follows what git does in each workspace: looks at a few small files, every other second."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.live.clock import Clock
    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces

PAUSE_MS = 2_000


class GitWatch:
    """Asks each workspace to catch up with git. Belongs to the event loop."""

    def __init__(self, workspaces: Workspaces, clock: Clock) -> None:
        self._workspaces = workspaces
        self._clock = clock
        self._waiting: set[Workspace] = set()

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            if self._workspaces.settings.watch:
                for workspace in self._workspaces:
                    self.look_at(workspace)
            await self._clock.sleep(PAUSE_MS)

    def look_at(self, workspace: Workspace) -> None:
        """Catch up with one workspace, after the writes that wait; once at a time, and not while it cannot be opened."""
        if workspace in self._waiting or workspace.failed_to_open:
            return
        self._waiting.add(workspace)

        def follow(engine: Engine) -> None:
            engine.upkeep.follow_git()
            if engine.upkeep.has_other_rules():
                # These files are not watched. A change of a watched one has the same effect.
                workspace.follow(engine, lambda engine: engine.index(), "following ignore rules")

        workspace.write(follow, "following git", partial(self._waiting.discard, workspace))
