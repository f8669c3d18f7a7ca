"""``contextls serve``: run the language server."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from contextls.access import WHAT_REMOTE_MEANS, open_door
from contextls.cli.serving import serve_editor, serve_port

EXAMPLES = (
    "contextls serve",
    "contextls serve --tcp 8765 --token-file ~/.contextls-token",
    "contextls serve --tcp '[::1]:8765'",
)


class LogLevel(StrEnum):
    """Names of Python's log levels."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def serve(
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Speak over standard input and output, the default.")
    ] = False,
    tcp: Annotated[
        str | None,
        typer.Option(
            metavar="[HOST:]PORT", help="Listen on a port instead, for one client; HOST is 127.0.0.1."
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="For --tcp: holds the token that the client must send, or gets a new one (mode 600). "
            "Without it a new token is printed once.",
        ),
    ] = None,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help=f"For --tcp: any HOST may be given; {WHAT_REMOTE_MEANS}.")
    ] = False,
    log_level: Annotated[LogLevel, typer.Option(help="How much to say on standard error.")] = LogLevel.INFO,
) -> None:
    """Run the language server.

    Editors start it themselves. It speaks LSP over standard input and output; its log goes to standard error.
    A client that connects to --tcp must send the server's token with initialize, as initializationOptions.token.
    """
    if stdio and tcp is not None:
        raise typer.BadParameter("give --stdio or --tcp, not both", param_hint="--tcp")
    address = None if tcp is None else address_in(tcp)
    if address is None and (token_file is not None or allow_remote):
        raise typer.BadParameter("it is for --tcp only", param_hint="--token-file/--allow-remote")

    if address is None:
        raise typer.Exit(serve_editor(log_level))
    token = open_door(address[0], token_file, allow_remote=allow_remote)
    raise typer.Exit(serve_port(*address, token, log_level))


def address_in(text: str, option: str = "--tcp") -> tuple[str, int]:
    """``[HOST:]PORT`` taken apart; an IPv6 host stands in square brackets. Raises ``typer.BadParameter``."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or "127.0.0.1"
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise typer.BadParameter(
            f"expected PORT or HOST:PORT with a port from 1 to 65535, got {text!r}", param_hint=option
        )
    return host, int(port)
