"""The roots of a client: asked for when it is ready, or, in newer versions of the protocol, with its first question."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from contextls.mcp.folders import Folders

_KEY = "roots"
log = logging.getLogger(__name__)


async def ask_roots(folders: Folders, context: ServerRequestContext[Any, Any]) -> None:
    """Ask a client that has roots for them; of one that has none, or does not answer, there are none."""
    uris: list[str] = []
    if has_roots(context):
        try:
            answer = await context.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
            uris = [str(root.uri) for root in answer.roots]
        except Exception as error:
            log.warning("the client did not say which roots it has: %s", error)
    folders.take_roots(uris)


def need_roots(
    folders: Folders, context: ServerRequestContext[Any, Any], params: types.InputResponseRequestParams
) -> types.InputRequiredResult | None:
    """The question for the roots, where a client can only be asked in an answer and was not yet; else ``None``."""
    if (
        not folders.asks_client
        or folders.are_known
        or context.protocol_version not in MODERN_PROTOCOL_VERSIONS
    ):
        return None
    given = (params.input_responses or {}).get(_KEY)
    if isinstance(given, types.ListRootsResult):
        folders.take_roots(str(root.uri) for root in given.roots)
        return None
    if given is None and has_roots(context):
        return types.InputRequiredResult(input_requests={_KEY: types.ListRootsRequest()})
    folders.take_roots(())
    return None


def has_roots(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client declared that it has roots."""
    capabilities = context.session.client_capabilities
    return capabilities is not None and capabilities.roots is not None
