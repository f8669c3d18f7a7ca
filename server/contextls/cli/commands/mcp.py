"""``contextls mcp``: serve agents over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextls.access import WHAT_REMOTE_MEANS, open_door
from contextls.cli.commands.serve import LogLevel, address_in
from contextls.cli.options import parse_tokens
from contextls.cli.roots import find_folder
from contextls.cli.serving import log_user_settings, tell_at_terminal
from contextls.mcp.limits import DEFAULT_TOKENS, MIN_TOKENS
from contextls.text.gated_stream import start_log

EXAMPLES = (
    "contextls mcp",
    "contextls mcp --root ~/src/app --max-tokens 20000",
    "contextls mcp --root ~/src/app --http 8766 --token-file ~/.contextls-token",
)


def _parse_tokens(text: str | int) -> int:
    """Like ``parse_tokens``, for a number that every answer can keep to."""
    number = parse_tokens(text)
    if number < MIN_TOKENS:
        raise typer.BadParameter(f"expected {MIN_TOKENS} tokens or more, got {text!r}")
    return number


def mcp(
    root: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="The workspace folder; may be repeated.",
            show_default="the client's roots, else the current folder",
        ),
    ] = None,
    max_tokens: Annotated[
        int,
        typer.Option(
            parser=_parse_tokens,
            metavar="N",
            help=f"No answer has more tokens than this, such as 20000 or 20k; {MIN_TOKENS} or more.",
        ),
    ] = DEFAULT_TOKENS,
    http: Annotated[
        str | None,
        typer.Option(
            metavar="[HOST:]PORT",
            help="Serve any number of clients over streamable HTTP at /mcp instead; HOST is 127.0.0.1.",
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="For --http: holds the token that clients must send as a bearer, or gets a new one (mode 600). "
            "Without it a new token is printed once.",
        ),
    ] = None,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help=f"For --http: any HOST may be given; {WHAT_REMOTE_MEANS}.")
    ] = False,
    log_level: Annotated[
        LogLevel, typer.Option(help="How much to say on standard error.")
    ] = LogLevel.WARNING,
) -> None:
    """Serve agents over the Model Context Protocol.

    Agents start it themselves: docs/mcp.md has the configuration of each. It speaks over standard input and output; its
    log goes to standard error.
    """
    address = None if http is None else address_in(http, "--http")
    if address is None and (token_file is not None or allow_remote):
        raise typer.BadParameter("it is for --http only", param_hint="--token-file/--allow-remote")
    start_log(log_level)
    roots = tuple(find_folder(folder) for folder in root or ())
    settings = log_user_settings()
    if address is None:
        tell_at_terminal("an agent, which speaks MCP")
        from contextls.mcp.stdio import serve_stdio

        raise typer.Exit(serve_stdio(settings, roots, max_tokens))
    from contextls.mcp.http import serve_http

    token = open_door(address[0], token_file, allow_remote=allow_remote, option="--http")
    raise typer.Exit(serve_http(*address, token, settings, roots, max_tokens))
