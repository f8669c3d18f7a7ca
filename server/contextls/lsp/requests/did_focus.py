"""``context/didFocus``: the client says which file is in front. A notification; as a request it is answered with null."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.errors import InvalidRequestError
from contextls.lsp.fields import Fields
from contextls.lsp.uris import to_path

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


def handle(ls: ContextServer, params: Any) -> None:  # noqa: ANN401 - JSON
    """Turn to the file; one outside of every workspace, or none on disk, only takes the focus away."""
    uri = Fields(params, ("uri",)).needed_text("uri")
    path = to_path(uri)
    if path is None and uri.startswith("file:"):
        raise InvalidRequestError("uri", "the URI of a document", uri)
    if path is not None and ls.workspaces.touch(path) is not None:
        ls.attention.turned_to(path)
    else:
        ls.attention.turned_away()
