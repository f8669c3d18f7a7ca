"""Notifications about documents and files on their way to the live workspaces: URIs become paths, positions texts."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from contextls.requests.uris import to_path

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from lsprotocol import types

    from contextls.live.live_workspaces import LiveWorkspaces
    from contextls.lsp.documents import Documents

log = logging.getLogger(__name__)


class Sync:
    """Keeps documents and live workspaces equal to what the editor holds. Belongs to the event loop."""

    def __init__(self, documents: Documents, live: LiveWorkspaces) -> None:
        self._documents = documents
        self._live = live

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """``didOpen``: the editor's text wins over the disk from here on."""
        item = params.text_document
        document = self._documents.open(item.uri, item.version, item.text)
        if document.path is not None:
            self._live.open_files.open_file(document.path, document.text)

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """``didChange``: edits apply in order; a document that was never opened is left alone."""
        document = self._documents.get(params.text_document.uri)
        if document is None:
            log.warning("an edit of %s, which is not open, was ignored", params.text_document.uri)
            return
        for change in params.content_changes:
            document.apply(change)
        document.version = params.text_document.version
        if document.path is not None:
            self._live.open_files.change_text(document.path, document.text)

    def did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """``didSave``: the disk holds the document's text."""
        path = to_path(params.text_document.uri)
        if path is not None:
            self._live.open_files.save_file(path)

    def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """``didClose``: the disk holds the truth again."""
        document = self._documents.close(params.text_document.uri)
        if document is not None and document.path is not None:
            self._live.open_files.close_file(document.path)

    def did_change_watched_files(self, params: types.DidChangeWatchedFilesParams) -> None:
        """``didChangeWatchedFiles``: the client saw files change, where that is wanted."""
        if self._live.settings.watch:
            self._live.changes.touch(_paths(change.uri for change in params.changes))

    def did_rename_files(self, params: types.RenameFilesParams) -> None:
        """``didRenameFiles``: the user renamed or moved files or folders within the editor."""
        pairs = ((to_path(file.old_uri), to_path(file.new_uri)) for file in params.files)
        self._live.changes.rename([(old, new) for old, new in pairs if old is not None and new is not None])


def _paths(uris: Iterable[str]) -> Iterable[Path]:
    return (path for uri in uris if (path := to_path(uri)) is not None)
