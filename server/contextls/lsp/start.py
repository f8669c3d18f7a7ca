"""Starts the server over standard streams or TCP; most of it is loaded when a client needs it."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from contextls.lsp import transport

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.access import AccessToken
    from contextls.lsp.server import ContextServer
    from contextls.settings_file import UserSettings

    ReadSettings = Callable[[], UserSettings]

_OBJECTS_BETWEEN_COLLECTIONS = 20_000


def serve_stdio(read_settings: ReadSettings | None = None) -> int:
    """Serve one client over standard input and output until it leaves; the process's exit status.

    ``read_settings`` gives what the client's own settings go on top of; the client's user is told of the faults in it.
    """
    return transport.run_stdio(lambda: _build(read_settings))


def serve_tcp(host: str, port: int, token: AccessToken, read_settings: ReadSettings | None = None) -> int:
    """Serve the first client that connects to ``host:port`` and knows ``token`` until it leaves; the exit status.

    Port 0 takes a free one; the address is written to standard error once the server listens.
    """
    return transport.run_tcp(lambda: _build(read_settings), host, port, token)


def _build(read_settings: ReadSettings | None) -> ContextServer:
    from contextls.lsp.quick_import import import_protocol_types

    gc.disable()  # what is loaded stays: there is nothing to find in it
    try:
        import_protocol_types()
        from contextls.lsp.server import ContextServer

        if read_settings is None:
            return ContextServer()
        user = read_settings()
        return ContextServer(user.settings, user.summary)
    finally:
        # What the first requests load stays as well, so it is looked through rarely.
        gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
        gc.enable()
