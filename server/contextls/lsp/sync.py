"""Document events on their way into the memory: open, edit, save, close, and changes on disk.

Texts go to the workspace's overlays at once; events and index updates queue behind each other on the writing
thread, so they keep the order in which they came.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from contextls.lsp.uris import to_path
from contextls.model import EventType, NewEvent, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from lsprotocol import types

    from contextls.engine import Engine
    from contextls.lsp.documents import Document
    from contextls.lsp.server import ContextServer
    from contextls.lsp.workspaces import Workspace

# A checkout or a generator touches more files at once than a person does: one event then stands for all.
_MANY_FILES = 50
FILES_CHANGED = "files_changed"
FILE_DELETE = "file_delete"
_PATHS_NAMED = 20
_KEPT_STAMPS = 4096
log = logging.getLogger(__name__)


class Sync:
    """Keeps documents and workspaces equal to what the editor holds. Belongs to the event loop."""

    def __init__(self, server: ContextServer) -> None:
        self._server = server
        self._written = WrittenFiles()

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """``didOpen``: the editor's text wins over the disk from here on."""
        item = params.text_document
        document = self._server.documents.open(item.uri, item.version, item.text)
        workspace = self._server.workspaces.touch(document.path)
        if workspace is not None and document.path is not None:
            path = document.path
            workspace.overlays.put(path, document.text)
            workspace.write(
                lambda engine: _record(engine, EventType.FILE_READ, path), "recording a read file"
            )

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """``didChange``: edits apply in order; a document that was never opened is left alone."""
        document = self._server.documents.get(params.text_document.uri)
        if document is None:
            log.warning("an edit of %s, which is not open, was ignored", params.text_document.uri)
            return
        for change in params.content_changes:
            document.apply(change)
        document.version = params.text_document.version
        workspace = self._server.workspaces.touch(document.path)
        if workspace is not None and document.path is not None:
            workspace.overlays.put(document.path, document.text)

    def saved(self, params: types.DidSaveTextDocumentParams) -> None:
        """``didSave``: an event, and the index follows the disk."""
        path = to_path(params.text_document.uri)
        workspace = self._server.workspaces.touch(path)
        if workspace is not None and path is not None:
            workspace.write(lambda engine: self._written.take(engine, [path]), "following a saved file")

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """``didClose``: the disk holds the truth again."""
        document = self._server.documents.close(params.text_document.uri)
        if document is not None and document.path is not None:
            for workspace in self._server.workspaces:
                if workspace.depth_of(document.path):
                    workspace.overlays.put(document.path, None)

    def touched(self, workspace: Workspace, paths: Iterable[Path]) -> None:
        """Files were made, changed or deleted on disk, by whomever."""
        found = list(dict.fromkeys(paths))
        if found:
            workspace.write(lambda engine: self._written.take(engine, found), "following changes on disk")

    def reroute(self) -> None:
        """Folders came or went: each open document belongs to the workspace that is closest now."""
        for document in self._server.documents:
            self._route(document)

    def _route(self, document: Document) -> None:
        if document.path is None:
            return
        home = self._server.workspaces.containing(document.path)
        for workspace in self._server.workspaces:
            if workspace is home:
                workspace.overlays.put(document.path, document.text)
            elif workspace.depth_of(document.path):
                workspace.overlays.put(document.path, None)


class WrittenFiles:
    """Takes in files that changed on disk. Belongs to the writing thread.

    A save is reported twice by most editors, as ``didSave`` and as a watched change: a file whose size and
    time are those of the last report is not taken in again.
    """

    def __init__(self) -> None:
        self._stamps: dict[Path, tuple[int, int]] = {}

    def take(self, engine: Engine, paths: Iterable[Path]) -> None:
        """Record what happened and bring the index up to date."""
        news = [(path, self._is_new(path)) for path in paths]
        fresh = {
            relative: path
            for path, is_new in news
            if is_new and (relative := engine.relative(path)) is not None and engine.accepts(relative)
        }
        if not fresh:
            return
        if len(fresh) > _MANY_FILES:
            named = sorted(fresh)[:_PATHS_NAMED]
            content = {"count": len(fresh), "paths": named}
            engine.record(NewEvent(FILES_CHANGED, content, Outcome.SUCCESS))
        else:
            for relative, path in fresh.items():
                if not path.is_dir():
                    kind = EventType.FILE_WRITE if path.exists() else FILE_DELETE
                    engine.record(NewEvent(kind, {"path": relative}, Outcome.SUCCESS))
        engine.update_files(fresh)

    def _is_new(self, path: Path) -> bool:
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
        except OSError:
            self._stamps.pop(path, None)
            return True
        if self._stamps.get(path) == stamp:
            return False
        if len(self._stamps) >= _KEPT_STAMPS:
            self._stamps.clear()
        self._stamps[path] = stamp
        return True


def _record(engine: Engine, kind: str, path: Path) -> None:
    relative = engine.relative(path)
    if relative is not None and engine.accepts(relative):
        engine.record(NewEvent(kind, {"path": relative}, Outcome.SUCCESS))
