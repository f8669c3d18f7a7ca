"""The files that are open in an editor: their unsaved texts win over the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.live.overlays import OpenText

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from contextls.live.attention import Attention
    from contextls.live.edits import Edits
    from contextls.live.file_changes import FileChanges
    from contextls.live.workspaces import Workspaces


class OpenFiles:
    """Keeps workspaces equal to what the editor holds. Belongs to the event loop."""

    def __init__(
        self,
        workspaces: Workspaces,
        attention: Attention,
        edits: Edits,
        changes: FileChanges,
        changed: Callable[[Path], None],
    ) -> None:
        """``changed`` hears which file was opened, closed or has another text."""
        self._workspaces = workspaces
        self._attention = attention
        self._edits = edits
        self._changes = changes
        self._changed = changed
        self._texts: dict[Path, OpenText] = {}

    def __contains__(self, path: object) -> bool:
        return path in self._texts

    def texts(self) -> Mapping[Path, str]:
        """The texts of all open files."""
        return {path: shown.text for path, shown in self._texts.items()}

    def open_file(self, path: Path, text: str) -> None:
        """Let the editor's text win over the disk where they differ; opening a file again replaces its text."""
        self._show(path, text, compare=True)
        # Also outside of all workspaces: a folder that holds the file may open later.
        self._attention.open_file(path)
        self._edits.open_file(path, text)
        self._changed(path)

    def change_text(self, path: Path, text: str) -> None:
        """The user typed; a file that was never opened is left alone."""
        shown = self._texts.get(path)
        if shown is None:
            return
        if shown.text == text:
            self._workspaces.use(path)
        else:
            self._show(path, text)
        self._attention.turn_to(path)
        self._edits.change_text(path, text)
        self._changed(path)

    def save_file(self, path: Path) -> None:
        """The text was written to disk: what was typed becomes an event, and the index follows the disk."""
        shown = self._texts.get(path)
        if shown is None:
            self._workspaces.use(path)
        else:
            self._show(path, shown.text, compare=True, saved=True)
        self._attention.work_in(path)
        self._edits.record(path, saved=True)
        self._changes.save(path)
        self._changed(path)

    def ask_about(self, path: Path) -> None:
        """A question has this file as its place; one that is not open is not in front either."""
        if path in self._texts:
            self._attention.work_in(path)

    def close_file(self, path: Path) -> None:
        """The disk holds the truth again."""
        if self._texts.pop(path, None) is None:
            return
        self._edits.close_file(path)
        self._attention.close_file(path)
        for workspace in self._workspaces:
            if workspace.depth_of(path):
                workspace.overlays.set_text(path, None)
        self._changed(path)

    def reassign(self) -> None:
        """Folders came or went: each open file belongs to the workspace that is closest now."""
        for path, text in self._texts.items():
            home = self._workspaces.containing(path)
            for workspace in self._workspaces:
                if workspace is home:
                    workspace.overlays.set_text(path, text)
                elif workspace.depth_of(path):
                    workspace.overlays.set_text(path, None)
        self._attention.resume()

    def _show(self, path: Path, text: str, *, compare: bool = False, saved: bool = False) -> None:
        """Take a text for that of an open file. One that is typed changes too often to ``compare`` it with the disk."""
        shown = self._texts[path] = OpenText(path, text, saved=saved)
        workspace = self._workspaces.use(path)
        if workspace is not None:
            workspace.overlays.set_text(path, shown)
            if compare:
                # Soon, and off the event loop: when a question comes, git may have changed the file.
                workspace.queue(shown.is_unsaved)
