"""Files that were saved, changed, deleted or renamed on disk, on their way into the memory.

Events and index updates queue behind each other on the writing thread, so they keep the order in which they came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.live.written_files import WrittenFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.live.clock import Clock
    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces


class FileChanges:
    """Hands changes of files to the workspaces that they lie in. Belongs to the event loop."""

    def __init__(
        self, workspaces: Workspaces, clock: Clock, changed: Callable[[Workspace], None] = lambda _: None
    ) -> None:
        """``changed`` hears in which workspace files changed."""
        self._workspaces = workspaces
        self._changed = changed
        self._written = WrittenFiles(clock)

    def save(self, path: Path) -> None:
        """The editor saved a file."""
        workspace = self._workspaces.containing(path)
        if workspace is not None:
            self._follow(
                workspace, lambda engine: self._written.take(engine, [path]), "following a saved file"
            )

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
            self._follow(
                workspace, lambda engine: self._written.take(engine, found), "following changes on disk"
            )

    def rename(self, pairs: Iterable[tuple[Path, Path]]) -> None:
        """The user renamed or moved files or folders within the editor, as (old, new)."""
        by_workspace: dict[Workspace, list[tuple[Path, Path]]] = {}
        for pair in pairs:
            for workspace in {self._workspaces.containing(path) for path in pair}:
                if workspace is not None:
                    by_workspace.setdefault(workspace, []).append(pair)
        for workspace, found in by_workspace.items():
            self._follow(
                workspace,
                lambda engine, found=found: self._written.take_renames(engine, found),  # type: ignore[misc]
                "following a rename",
            )

    def _follow(self, workspace: Workspace, job: Callable[[Engine], None], name: str) -> None:
        workspace.write(job, name, workspace.changes.begin())
        self._changed(workspace)
