"""Changes on disk, watched by ourselves where the editor does not do it for us."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from contextls.engine import Engine
    from contextls.live.file_changes import FileChanges
    from contextls.live.listener import Listener
    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces
    from contextls.workspace.watch import Watcher


class FileWatch:
    """One watcher for each workspace. Belongs to the event loop."""

    def __init__(
        self,
        workspaces: Workspaces,
        changes: FileChanges,
        listener: Listener,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        """``spawn`` runs something in the background."""
        self._workspaces = workspaces
        self._changes = changes
        self._listener = listener
        self._spawn = spawn
        self._watchers: dict[Workspace, Watcher] = {}
        self._is_on = False

    def start(self) -> None:
        """Watch all workspaces, by the newest settings."""
        self.stop()
        self._is_on = True
        for workspace in self._workspaces:
            self.add(workspace)

    def add(self, workspace: Workspace) -> None:
        """A folder was opened: watch it too, if any is watched."""
        if self._is_on:
            self._spawn(self._watch(workspace))

    def remove(self, workspace: Workspace) -> None:
        """A folder was closed."""
        workspace.has_unreported_changes = lambda: False
        watcher = self._watchers.pop(workspace, None)
        if watcher is not None:
            watcher.stop()

    def stop(self) -> None:
        """Watch nothing."""
        self._is_on = False
        for workspace in tuple(self._watchers):
            self.remove(workspace)

    async def _watch(self, workspace: Workspace) -> None:
        from contextls.workspace.ignore import IgnoreRules
        from contextls.workspace.watch import Watcher

        engine = await workspace.wait_until_open()
        if engine is None:
            return
        if not self._is_on or workspace not in self._workspaces or workspace in self._watchers:
            return
        loop, settings, root = asyncio.get_running_loop(), self._workspaces.settings, engine.root

        def report(changed: frozenset[str], deleted: frozenset[str]) -> None:
            paths = [root / path for path in sorted(changed | deleted)]
            finish = workspace.changes.begin()

            def touch() -> None:
                self._changes.touch_in(workspace, paths)
                finish()

            try:
                loop.call_soon_threadsafe(touch)
            except RuntimeError:  # the loop has ended
                finish()

        def warn(message: str) -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._listener.warn, message)

        def look_at_all() -> None:
            finish = workspace.changes.begin()
            try:
                loop.call_soon_threadsafe(self._look_at_all, workspace, finish)
            except RuntimeError:  # the loop has ended
                finish()

        rules = IgnoreRules(root, patterns=settings.ignore, include_noise=settings.include_noise)
        watcher = Watcher(root, rules, report, warn, look_at_all)
        self._watchers[workspace] = watcher
        workspace.has_unreported_changes = lambda: watcher.stirred
        watcher.start()

    @staticmethod
    def _look_at_all(workspace: Workspace, finish: Callable[[], None]) -> None:
        name = "looking for changes on disk"

        def follow(engine: Engine) -> None:
            workspace.follow(engine, lambda engine: engine.index(), name)

        workspace.write(follow, name, finish)
