"""Changes on disk: the client watches when it can, else we do."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer

_REGISTRATION = "contextls-watched-files"
log = logging.getLogger(__name__)


class ClientWatch:
    """Decides who watches. Belongs to the event loop."""

    def __init__(self, server: ContextServer) -> None:
        self._server = server
        self._client_watches = False

    async def start(self) -> None:
        """Begin to watch, or to watch by the newest settings; where they say so, stop."""
        watch = self._server.live.file_watch
        watch.stop()
        if not self._server.settings.watch:
            await self._stop_client()
            return
        if self._server.client.watches_files and not self._client_watches:
            self._client_watches = await self._ask_client()
        if not self._client_watches:
            watch.start()

    async def _ask_client(self) -> bool:
        options = types.DidChangeWatchedFilesRegistrationOptions(
            watchers=[types.FileSystemWatcher(glob_pattern="**/*")]
        )
        registration = types.Registration(_REGISTRATION, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        try:
            await self._server.client_register_capability_async(types.RegistrationParams([registration]))
        except Exception as error:
            log.warning("the client does not watch files after all: %s", error)
            return False
        return True

    async def _stop_client(self) -> None:
        if not self._client_watches:
            return
        self._client_watches = False
        registration = types.Unregistration(_REGISTRATION, types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
        try:
            await self._server.client_unregister_capability_async(types.UnregistrationParams([registration]))
        except Exception as error:
            log.info("the client goes on watching: %s", error)
