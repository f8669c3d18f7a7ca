"""What the server announces in ``initialize``, as pygls makes it of the features that are registered."""

from __future__ import annotations

import json
from typing import Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder

from contextls.lsp.features import REQUESTS
from contextls.lsp.server import MEMORY_METHOD, ContextServer

# Where what is announced depends on the client, this is one that can do everything.
ABLE_CLIENT = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        file_operations=types.FileOperationClientCapabilities(
            did_create=True,
            will_create=True,
            did_rename=True,
            will_rename=True,
            did_delete=True,
            will_delete=True,
        )
    ),
    notebook_document=types.NotebookDocumentClientCapabilities(
        types.NotebookDocumentSyncClientCapabilities()
    ),
)


def capabilities_of(client: types.ClientCapabilities) -> dict[str, Any]:
    """The capabilities of the server for a client that announces these; its version is left out."""
    server = ContextServer()
    features = server.protocol.fm
    built = ServerCapabilitiesBuilder(
        client,
        {*features.features, *features.builtin_features},
        features.feature_options,
        list(features.commands),
        types.TextDocumentSyncKind.Incremental,
        None,
        ServerCapabilitiesBuilder.choose_position_encoding(client),
    ).build()
    built.experimental = {"contextls": {"methods": list(REQUESTS), "notifications": [MEMORY_METHOD]}}
    plain: dict[str, Any] = json.loads(json.dumps(server.protocol._converter.unstructure(built)))
    return plain


def capabilities_file() -> str:
    """The text of ``lsp/capabilities.json``."""
    return json.dumps(capabilities_of(ABLE_CLIENT), indent=2) + "\n"
