"""Tells clients that asked for it which memories have changed, by whichever process."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from contextls.errors import ContextlsError

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from contextls.lsp.server import ContextServer
    from contextls.lsp.workspaces import Workspace

CAPABILITY = "didChangeMemory"
METHOD = "context/didChangeMemory"
PAUSE_SECONDS = 0.5
log = logging.getLogger(__name__)


class MemoryWatch:
    """Compares what the memories of each open workspace say of themselves, twice a second. Belongs to the event loop."""

    def __init__(self, server: ContextServer) -> None:
        self._server = server
        self._known: dict[Workspace, Mapping[str, Hashable]] = {}
        self._stopped = False

    async def run(self) -> None:
        """Go on until the server ends; for a client that did not ask, end at once."""
        if not self._server.client_handles(CAPABILITY):
            return
        while not (self._stopped or self._server.ended.is_set()):
            workspaces = tuple(self._server.workspaces)
            self._known = {each: known for each, known in self._known.items() if each in workspaces}
            for workspace in workspaces:
                await self._look(workspace)
            await asyncio.sleep(PAUSE_SECONDS)

    def stop(self) -> None:
        """Tell nothing more."""
        self._stopped = True

    async def _look(self, workspace: Workspace) -> None:
        engine = workspace.opened
        if engine is None:
            return
        try:
            found = await self._server.work.question(engine.generations)
        except ContextlsError:  # it was closed meanwhile; the next look sees another engine or none
            return
        except Exception:
            if self._stopped or self._server.ended.is_set():  # nobody works for a server that is ending
                return
            log.exception("cannot look at the memories of %s", workspace.root)
            return
        known = self._known.get(workspace, {})
        changed = [name for name, value in found.items() if known.get(name) != value]
        self._known[workspace] = {**known, **found}
        if changed and not self._stopped:
            self._server.protocol.notify(METHOD, {"rootUri": workspace.uri, "changed": changed})
