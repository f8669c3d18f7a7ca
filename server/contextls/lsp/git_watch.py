"""Follows what git does in each workspace: looks at the length of two small files, every other second."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.lsp.workspaces import Workspace

PAUSE_SECONDS = 2.0


class GitWatch:
    """Asks each workspace to catch up with git. Belongs to the event loop."""

    def __init__(self, server: ContextServer) -> None:
        self._server = server
        self._waiting: set[Workspace] = set()

    async def run(self) -> None:
        """Go on until the server ends."""
        while not self._server.ended.is_set():
            if self._server.settings.watch:
                for workspace in self._server.workspaces:
                    self.look(workspace)
            await asyncio.sleep(PAUSE_SECONDS)

    def look(self, workspace: Workspace) -> None:
        """Catch up with one workspace, behind the writes that wait; once at a time."""
        if workspace in self._waiting:
            return
        self._waiting.add(workspace)

        def follow(engine: Engine) -> None:
            self._waiting.discard(workspace)
            engine.follow_git()

        workspace.write(follow, "following git")
