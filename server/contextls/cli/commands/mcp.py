"""``contextls mcp``: serve agents over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextls.access import WHAT_REMOTE_MEANS, open_door
from contextls.cli.commands.serve import LogLevel, address_in
from contextls.cli.serving import settings_or_defaults
from contextls.mcp.limits import DEFAULT_TOKENS, MIN_TOKENS
from contextls.text.gated_stream import start_log

EXAMPLES = (
    "contextls mcp",
    "contextls mcp --root ~/src/app --max-tokens 20000",
    "contextls mcp --root ~/src/app --http 8766 --token-file ~/.contextls-token",
)


def mcp(
    root: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="The workspace folder; may be repeated.",
            show_default="the client's roots, else the current folder",
            file_okay=False,
        ),
    ] = None,
    max_tokens: Annotated[
        int, typer.Option(min=MIN_TOKENS, help="No answer has more tokens than this.")
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
    roots = tuple(folder.resolve() for folder in root or ())
    for folder in roots:
        if not folder.is_dir():
            raise typer.BadParameter(f"{folder} is no folder", param_hint="--root")
    settings = settings_or_defaults()
    if address is None:
        from contextls.mcp.stdio import serve_stdio

        raise typer.Exit(serve_stdio(settings, roots, max_tokens))
    from contextls.mcp.http import serve_http

    token = open_door(address[0], token_file, allow_remote=allow_remote, option="--http")
    raise typer.Exit(serve_http(*address, token, settings, roots, max_tokens))
