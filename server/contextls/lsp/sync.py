"""Document events on their way into the memory: open, edit, save, close, rename, and changes on disk.

Texts go to the workspace's overlays at once; events and index updates queue behind each other on the writing
thread, so they keep the order in which they came.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from contextls.lsp.uris import to_path
from contextls.lsp.written import WrittenFiles

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from lsprotocol import types

    from contextls.lsp.documents import Document
    from contextls.lsp.server import ContextServer
    from contextls.lsp.workspaces import Workspace

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
            workspace.overlays.put(document.path, document.text)
            self._server.attention.opened(document.path)
            self._server.edits.opened(document, document.path)

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
            self._server.attention.turned_to(document.path)
            self._server.edits.changed(document.path)

    def saved(self, params: types.DidSaveTextDocumentParams) -> None:
        """``didSave``: an event, and the index follows the disk."""
        path = to_path(params.text_document.uri)
        workspace = self._server.workspaces.touch(path)
        if workspace is not None and path is not None:
            self._server.attention.worked_in(path)
            self._server.edits.tell(path, saved=True)
            workspace.write(
                lambda engine: self._written.take(engine, [path]),
                "following a saved file",
                workspace.changes.begin(),
            )

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """``didClose``: the disk holds the truth again."""
        document = self._server.documents.close(params.text_document.uri)
        if document is not None and document.path is not None:
            self._server.edits.closed(document.path)
            self._server.attention.closed(document.path)
            for workspace in self._server.workspaces:
                if workspace.depth_of(document.path):
                    workspace.overlays.put(document.path, None)

    def touched(self, workspace: Workspace, paths: Iterable[Path]) -> None:
        """Files were made, changed or deleted on disk, by whomever."""
        found = list(dict.fromkeys(paths))
        if found:
            workspace.write(
                lambda engine: self._written.take(engine, found),
                "following changes on disk",
                workspace.changes.begin(),
            )

    def renamed(self, params: types.RenameFilesParams) -> None:
        """``didRenameFiles``: the user renamed or moved files or folders within the editor."""
        by_workspace: dict[Workspace, list[tuple[Path, Path]]] = {}
        for file in params.files:
            old, new = to_path(file.old_uri), to_path(file.new_uri)
            if old is not None and new is not None:
                for workspace in {self._server.workspaces.containing(path) for path in (old, new)}:
                    if workspace is not None:
                        by_workspace.setdefault(workspace, []).append((old, new))
        for workspace, pairs in by_workspace.items():
            workspace.write(
                lambda engine, pairs=pairs: self._written.renamed(engine, pairs),  # type: ignore[misc]
                "following a rename",
                workspace.changes.begin(),
            )

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
