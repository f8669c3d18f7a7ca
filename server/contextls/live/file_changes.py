"""Takes in files that were saved, changed, deleted or renamed on disk.

Events keep the order in which they came, and so do index updates; no event waits for one of these.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from contextls.live.written_files import Update, WrittenFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.live.clock import Clock
    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces


class FileChanges:
    """Hands changes of files to the workspaces that they lie in. Belongs to the event loop."""

    def __init__(self, workspaces: Workspaces, clock: Clock, changed: Callable[[Workspace], None]) -> None:
        """``changed`` hears in which workspace files changed."""
        self._workspaces = workspaces
        self._changed = changed
        self._written = WrittenFiles(clock)

    def save(self, path: Path) -> None:
        """The editor saved a file."""
        workspace = self._workspaces.containing(path)
        if workspace is not None:
            self._follow(workspace, partial(self._written.take, [path]), "following a saved file")

    def touch(self, paths: Iterable[Path]) -> None:
        """Files were made, changed or deleted on disk; each goes to the workspace that is closest."""
        by_workspace: dict[Workspace, list[Path]] = {}
        for path in paths:
            workspace = self._workspaces.containing(path)
            if workspace is not None:
                by_workspace.setdefault(workspace, []).append(path)
        for workspace, found in by_workspace.items():
            self.touch_in(workspace, found)

    def touch_in(self, workspace: Workspace, paths: Iterable[Path]) -> None:
        """Files of this workspace were made, changed or deleted on disk."""
        found = list(dict.fromkeys(paths))
        if found:
            self._follow(workspace, partial(self._written.take, found), "following changes on disk")

    def rename(self, pairs: Iterable[tuple[Path, Path]]) -> None:
        """The user renamed or moved files or folders within the editor, as (old, new)."""
        by_workspace: dict[Workspace, list[tuple[Path, Path]]] = {}
        for pair in pairs:
            for workspace in {self._workspaces.containing(path) for path in pair}:
                if workspace is not None:
                    by_workspace.setdefault(workspace, []).append(pair)
        for workspace, found in by_workspace.items():
            self._follow(workspace, partial(self._written.take_renames, found), "following a rename")

    def _follow(self, workspace: Workspace, take: Callable[[Engine, Update], None], name: str) -> None:
        def record(engine: Engine) -> None:
            def update(paths: Iterable[str]) -> None:
                workspace.follow(engine, lambda engine: engine.update_files(paths), name)

            take(engine, update)

        workspace.write(record, name, workspace.changes.begin())
        self._changed(workspace)
