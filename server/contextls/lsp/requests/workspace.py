"""The truth about a workspace and about one file, and forgetting what is remembered."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.live.indexing import index_in_background
from contextls.model import ClearReport
from contextls.requests.uris import to_path

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.live.workspace import Workspace
    from contextls.lsp.server import ContextServer
    from contextls.model import FileStatus, Status
    from contextls.requests.common import RootParams
    from contextls.requests.workspace import ClearParams, FileStatusParams

_FIELD = "textDocument.uri"


async def status(ls: ContextServer, asked: RootParams) -> Status:
    """Answer with the status of the workspace that is meant."""
    return await ls.workspaces.choose(asked.root_uri).look(lambda engine: engine.status())


async def file_status(ls: ContextServer, asked: FileStatusParams) -> FileStatus:
    """Answer about the document, which may be closed, new or ignored."""
    uri = asked.text_document.uri
    workspace = ls.workspaces.choose(asked.root_uri, uri)
    return await workspace.ask(lambda engine: _file_status(engine, uri))


async def clear(ls: ContextServer, asked: ClearParams) -> ClearReport:
    """Answer with what was deleted; where folders are indexed when they are opened, this one is indexed again."""
    workspace = ls.workspaces.choose(asked.root_uri)
    deleted = await _clear_events(workspace) if asked.events else 0
    if asked.index:
        await _clear_index(ls, workspace)
    return ClearReport(index=asked.index, events=deleted)


def _file_status(engine: Engine, uri: str) -> FileStatus:
    path = to_path(uri)
    if path is None:
        raise InvalidRequestError(_FIELD, "an absolute file: URI", uri)
    try:
        return engine.file_status(path)
    except InvalidRequestError as error:
        raise InvalidRequestError(_FIELD, error.expected, uri) from None


async def _clear_events(workspace: Workspace) -> int:
    """Delete the events, those that wait to be written included."""
    report = await workspace.change(lambda engine: engine.clear(index=False, events=True))
    return report.events


async def _clear_index(ls: ContextServer, workspace: Workspace) -> None:
    """Delete the index; a run that is under way is stopped first, as it would only fill what is being emptied."""
    workspace.stop_indexing()
    await workspace.index(lambda engine, _stop: engine.clear(index=True), threading.Event())
    if ls.settings.index_on_open:
        ls.spawn(index_in_background(ls, workspace))
