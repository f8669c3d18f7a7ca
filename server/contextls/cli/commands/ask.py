"""``contextls ask``: ask a real server process over standard input and output, as an editor would."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contextls import __version__
from contextls.cli.options import Json, Root, parse_tokens
from contextls.cli.output import count, emit_json, emit_text, note, printable
from contextls.cli.roots import find_folder
from contextls.isolation import python_command
from contextls.text.gate import clean

if TYPE_CHECKING:
    from contextls.cli.client import Client, Message

EXAMPLES = ('contextls ask "how does a request reach its handler?" ~/src/app --budget 2000',)
_SECONDS_TO_BEGIN = 10.0
_SECONDS_TO_INDEX = 1800.0


def ask(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question.", show_default=False)],
    root: Root = Path(),
    budget: Annotated[
        int,
        typer.Option(
            "--budget",
            "--max-tokens",
            parser=parse_tokens,
            metavar="N",
            help="The most tokens the prompt may have, such as 4000 or 4k.",
        ),
    ] = 4000,
    as_json: Json = False,
) -> None:
    """Ask a server over stdio, as an editor would.

    Starts `contextls serve`, opens ROOT, waits until it is indexed and sends context/assemble.
    """
    from contextls.cli.client import start_client

    folder = find_folder(root)
    with start_client(python_command("contextls", "serve", "--stdio")) as client:
        client.on_progress = _show
        _open_folder(client, folder)
        answer = _assemble(client, folder, query, budget)
    _wipe()
    if as_json:
        emit_json(answer)
    else:
        emit_text(answer["content"])
    figures = answer["metadata"]
    note(
        f"{answer['tokenCount']:,} of {budget:,} tokens, "
        f"{count(figures['chunksSearched'], 'chunk')} searched, confidence {answer['confidence']:.2f}, "
        f"{figures['assemblyTimeMs']:.0f} ms"
    )


def _open_folder(client: Client, folder: Path) -> None:
    client.request(
        "initialize",
        {
            "processId": os.getpid(),
            "clientInfo": {"name": "contextls ask", "version": __version__},
            "rootUri": folder.as_uri(),
            "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}],
            "capabilities": {"window": {"workDoneProgress": True}, "workspace": {"workspaceFolders": True}},
        },
    )
    client.notify("initialized", {})


def _assemble(client: Client, folder: Path, query: str, budget: int) -> Any:  # noqa: ANN401 - JSON
    params = {"query": query, "maxTokens": budget, "rootUri": folder.as_uri()}
    client.wait_for_progress(lambda: client.busy or client.finished > 0, _SECONDS_TO_BEGIN)
    client.wait_for_progress(lambda: not client.busy, _SECONDS_TO_INDEX)
    return client.request("context/assemble", params)


def _show(value: Message) -> None:
    if sys.stderr.isatty() and value.get("message"):
        _wipe()
        sys.stderr.write(printable(clean(value["message"]))[: get_terminal_size().columns - 1])
        sys.stderr.flush()


def _wipe() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
