"""The truth about a workspace and about one file, and forgetting what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.requests.turn import TrustState
from contextls.requests.uris import from_path, to_path

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.model import ClearReport, FileStatus, ScopeView, Status
    from contextls.requests.common import RootParams
    from contextls.requests.turn import SetTrustParams
    from contextls.requests.workspace import ClearParams, FileStatusParams, ScopeParams

_FIELD = "textDocument.uri"


async def status(ls: ContextServer, params: RootParams) -> Status:
    """Answer with the status of the workspace that is meant."""
    return await ls.workspaces.choose(params.root_uri).look(lambda engine: engine.status())


async def file_status(ls: ContextServer, params: FileStatusParams) -> FileStatus:
    """Answer about the document, which may be closed, new or ignored."""
    uri = params.text_document.uri
    workspace = ls.workspaces.choose(params.root_uri, uri)
    return await workspace.ask(lambda engine: _file_status(engine, uri))


async def clear(ls: ContextServer, params: ClearParams) -> ClearReport:
    """Answer with what was deleted."""
    workspace = ls.workspaces.choose(params.root_uri)
    return await ls.live.clear(
        workspace, index=params.index, events=params.events, conversations=params.conversations
    )


async def scope(ls: ContextServer, params: ScopeParams) -> ScopeView:
    """Answer with the scope, saved before where one is given."""
    workspace = ls.workspaces.choose(params.root_uri)
    entries = params.scope
    if entries is None:
        return await workspace.ask(lambda engine: engine.scope.view())
    return await workspace.change(lambda engine: engine.scope.save(entries))


async def set_trust(ls: ContextServer, params: SetTrustParams) -> TrustState:
    """Take the user's word on a folder; it holds until the server ends, and nothing of it is stored."""
    workspace = ls.workspaces.choose(params.root_uri)
    await workspace.set_trust(params.trusted)
    return TrustState(root_uri=from_path(workspace.root), trusted=params.trusted)


def _file_status(engine: Engine, uri: str) -> FileStatus:
    path = to_path(uri)
    if path is None:
        raise InvalidRequestError(_FIELD, "an absolute file: URI", uri)
    try:
        return engine.file_status(path)
    except InvalidRequestError as error:
        raise InvalidRequestError(_FIELD, error.expected, uri) from None
