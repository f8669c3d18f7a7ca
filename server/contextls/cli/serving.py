"""Starts the language server, with the user's settings and a log on standard error."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from contextls.text.gated_stream import start_log

if TYPE_CHECKING:
    from contextls.access import AccessToken
    from contextls.settings import Settings

_LOG_LEVEL = "info"


def serve_editor(log_level: str = _LOG_LEVEL) -> int:
    """Serve one client over standard input and output until it leaves; the exit status."""
    start_log(log_level)
    tell_at_terminal("an editor, which speaks LSP")
    from contextls.lsp.start import serve_stdio

    return serve_stdio(settings_or_defaults)


def serve_port(host: str, port: int, token: AccessToken, log_level: str = _LOG_LEVEL) -> int:
    """Serve one client that comes to the port with its token; the exit status. Raises ``ContextlsError``."""
    start_log(log_level)
    from contextls.lsp.start import serve_tcp

    return serve_tcp(host, port, token, settings_or_defaults)


def tell_at_terminal(client: str) -> None:
    """Say to a person who started the server by hand what it waits for."""
    if sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(f"contextls: waiting for {client} over standard input and output; Ctrl-C ends it\n")
        sys.stderr.flush()


def settings_or_defaults() -> Settings:
    """The user's settings; where the file is wrong, the log says so and the defaults hold."""
    from contextls.errors import InvalidRequestError
    from contextls.settings import Settings, user_settings

    try:
        return user_settings()
    except InvalidRequestError as error:  # an editor is better off with a server than without
        logging.getLogger(__name__).warning("the user's settings are left out: %s", error)
        return Settings()
