"""Clients that want to hear when a resource has changed, in versions of the protocol with a handshake."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from contextls.errors import InvalidRequestError
from contextls.mcp.resources import check_uri

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession

    Context = ServerRequestContext[Any, Any]

_MAX_SUBSCRIPTIONS = 256
log = logging.getLogger(__name__)


class Subscribers:
    """The newest session of each subscription. Belongs to the event loop."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[str, object], ServerSession] = {}

    async def subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        """Tell this client of changes of a resource from now on."""
        try:
            check_uri(str(params.uri))
        except InvalidRequestError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        if len(self._sessions) >= _MAX_SUBSCRIPTIONS:
            self._sessions.pop(next(iter(self._sessions)))
        self._sessions[str(params.uri), _client(context)] = context.session
        return types.EmptyResult()

    async def unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Tell this client nothing more of a resource."""
        self._sessions.pop((str(params.uri), _client(context)), None)
        return types.EmptyResult()

    async def tell(self, uri: str) -> None:
        """Tell those who subscribed that a resource has changed; who cannot be reached is forgotten."""
        message = types.ResourceUpdatedNotification(params=types.ResourceUpdatedNotificationParams(uri=uri))
        for key, session in tuple(self._sessions.items()):
            if key[0] != uri:
                continue
            try:
                await session.send_notification(message)
            except Exception as error:
                log.debug("a subscriber of %s is gone: %r", uri, error)
                self._sessions.pop(key, None)


def _client(context: Context) -> object:
    """The key of the client: its HTTP session, else the only client there is."""
    headers = getattr(context.request, "headers", None)
    return headers.get("mcp-session-id") if headers is not None else None
