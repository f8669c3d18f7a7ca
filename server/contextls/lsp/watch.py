"""Changes on disk: the client watches when it can, else the server does."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from contextls.lsp.uris import to_path

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.lsp.server import ContextServer
    from contextls.lsp.workspaces import Workspace
    from contextls.workspace.watch import Watcher

_REGISTRATION = "contextls-watched-files"
log = logging.getLogger(__name__)


class Watch:
    """Who watches, and what becomes of what was seen. Belongs to the event loop."""

    def __init__(self, server: ContextServer) -> None:
        self._server = server
        self._client_watches = False
        self._watchers: dict[Workspace, Watcher] = {}

    async def start(self) -> None:
        """Begin to watch, or to watch by the newest settings; where they say so, stop."""
        self.stop()
        if not self._server.settings.watch:
            await self._stop_client()
            return
        if self._client_can() and not self._client_watches:
            self._client_watches = await self._asked_client()
        for workspace in self._server.workspaces:
            self.add(workspace)

    def add(self, workspace: Workspace) -> None:
        """A folder was opened."""
        if self._server.settings.watch and not self._client_watches:
            self._server.spawn(self._watch(workspace))

    def remove(self, workspace: Workspace) -> None:
        """A folder was closed."""
        workspace.stirred = lambda: False
        watcher = self._watchers.pop(workspace, None)
        if watcher is not None:
            watcher.stop()

    def stop(self) -> None:
        """Stop the server's own watchers."""
        for workspace in tuple(self._watchers):
            self.remove(workspace)

    async def _watch(self, workspace: Workspace) -> None:
        from contextls.workspace.ignore import IgnoreRules
        from contextls.workspace.watch import Watcher

        try:
            engine = await workspace.engine()
        except Exception:
            log.debug("%s is not watched, as it could not be opened", workspace.root)
            return
        if workspace not in self._server.workspaces or workspace in self._watchers:
            return
        loop, settings, root = self._server.loop, self._server.settings, engine.root

        def seen(changed: frozenset[str], deleted: frozenset[str]) -> None:
            paths = [root / path for path in sorted(changed | deleted)]
            known = workspace.changes.begin()

            def tell() -> None:
                self._server.sync.touched(workspace, paths)
                known()

            try:
                loop.call_soon_threadsafe(tell)
            except RuntimeError:  # the server ends
                known()

        def trouble(message: str) -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._server.warn, message)

        rules = IgnoreRules(root, patterns=settings.ignore, include_noise=settings.include_noise)
        watcher = Watcher(root, rules, seen, trouble)
        self._watchers[workspace] = watcher
        workspace.stirred = lambda: watcher.stirred
        watcher.start()
        log.info("watching %s", root)

    def reported(self, params: types.DidChangeWatchedFilesParams) -> None:
        """The client saw files change."""
        if not self._server.settings.watch:
            return
        by_workspace: dict[Workspace, list[Path]] = {}
        for change in params.changes:
            path = to_path(change.uri)
            workspace = self._server.workspaces.containing(path)
            if path is not None and workspace is not None:
                by_workspace.setdefault(workspace, []).append(path)
        for workspace, paths in by_workspace.items():
            self._server.sync.touched(workspace, paths)

    def _client_can(self) -> bool:
        capabilities = self._server.client_capabilities.workspace
        watched = capabilities.did_change_watched_files if capabilities else None
        return watched is not None and bool(watched.dynamic_registration)

    async def _asked_client(self) -> bool:
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
