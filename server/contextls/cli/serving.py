"""Starts the language server, with the user's settings and a log on standard error."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from contextls.text.gated_stream import start_log

if TYPE_CHECKING:
    from contextls.access import AccessToken
    from contextls.settings import Settings
    from contextls.settings_file import UserSettings

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


def settings_or_defaults() -> UserSettings:
    """The user's settings and what is wrong in their file; the defaults where it has no place."""
    from contextls.errors import InvalidRequestError
    from contextls.settings import Settings
    from contextls.settings_file import UserSettings, read_user_settings

    try:
        return read_user_settings()
    except InvalidRequestError as error:  # an editor is better off with a server than without
        return UserSettings(Settings(), error.field, (str(error).removeprefix(f"{error.field}: "),))


def log_user_settings() -> Settings:
    """The user's settings for a client that cannot be told what is wrong in their file: the log says it."""
    user = settings_or_defaults()
    for warning in user.warnings:
        logging.getLogger(__name__).warning("%s", warning)
    return user.settings
