"""The workspace that a URI of the client names."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError, WorkspaceError
from contextls.requests.uris import from_path, to_path
from contextls.text.gate import MARK, clean

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces

log = logging.getLogger(__name__)


class WorkspaceUris:
    """Finds open workspaces by URI. Belongs to the event loop."""

    def __init__(self, workspaces: Workspaces) -> None:
        self._workspaces = workspaces

    def containing(self, path: Path | None) -> Workspace | None:
        """The workspace with the longest root that holds ``path``."""
        return self._workspaces.containing(path)

    def touch(self, path: Path | None) -> Workspace | None:
        """The workspace of a file that was just used; requests without a document go there from now on."""
        return self._workspaces.use(path)

    def choose(
        self, root_uri: str | None, uri: str | None = None, uri_field: str = "textDocument.uri"
    ) -> Workspace:
        """The workspace that a request means.

        ``root_uri`` names one; else the document at ``uri`` lies in one; else it is the one used last, or the
        first. Raises ``InvalidRequestError`` naming the field, or ``WorkspaceError`` when no folder is open.
        """
        preferred = self._workspaces.default
        if preferred is None:
            raise WorkspaceError("no workspace folder is open; open a folder in the editor and ask again")
        path = to_path(self.named(uri)) if uri else None
        inside = self.containing(path)
        if path is not None and inside is None:
            raise InvalidRequestError(uri_field, f"a document inside {self._names()}", uri)
        if root_uri is None:
            return inside or preferred
        root = to_path(self.named(root_uri))
        named = self._workspaces.get(root) if root else None
        if named is None:
            raise InvalidRequestError("rootUri", f"one of {self._names()}", root_uri)
        if path is not None and not named.depth_of(path):
            raise InvalidRequestError(uri_field, f"a document inside {from_path(named.root)}", uri)
        return named

    def named(self, uri: str) -> str:
        """The URI that a client means, be it named only as it was answered: without the secrets in a root's path."""
        if MARK in uri:
            for workspace in self._workspaces:
                root = from_path(workspace.root)
                shown = clean(root)
                if uri == shown or uri.startswith(f"{shown}/"):
                    return root + uri.removeprefix(shown)
        return uri

    def _names(self) -> str:
        roots = ", ".join(from_path(workspace.root) for workspace in self._workspaces)
        return f"the open workspace folders ({roots})"


def folder_path(uri: str) -> Path | None:
    """The folder of a workspace; ``None``, with a line in the log, when it has no place on disk."""
    root = to_path(uri)
    if root is None:
        log.warning("workspace folder %s is not on this machine's disk and is left out", uri)
    return root
