"""``context/fileStatus``: whether prompts can draw on one file and, if not, why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.errors import InvalidRequestError
from contextls.lsp.fields import Fields
from contextls.lsp.uris import to_path
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.model import FileStatus

_FIELD = "textDocument.uri"


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer about the document, which may be closed, new or ignored."""
    fields = Fields(params, ("textDocument", "rootUri"))
    document = fields.nested("textDocument", ("uri", "version"))
    if document is None:
        raise InvalidRequestError("textDocument", "an object with uri; it is missing")
    document.signed("version")
    uri = document.needed_text("uri")
    workspace = ls.workspaces.choose(fields.file_uri("rootUri"), uri)
    answer: dict[str, Any] = to_wire(await workspace.ask(lambda engine: _status(engine, uri)))
    return answer


def _status(engine: Engine, uri: str) -> FileStatus:
    path = to_path(uri)
    if path is None:
        raise InvalidRequestError(_FIELD, "an absolute file: URI", uri)
    try:
        return engine.file_status(path)
    except InvalidRequestError as error:
        raise InvalidRequestError(_FIELD, error.expected, uri) from None
