"""``contextls clear``: delete what is remembered about a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextls.cli.confirm import confirm
from contextls.cli.options import Json, Root
from contextls.cli.output import count, emit, emit_json
from contextls.cli.session import open_engine

EXAMPLES = (
    "contextls clear --index",
    "contextls clear ~/src/app --index --events --conversations --yes",
)


def clear(
    root: Root = Path(),
    index: Annotated[bool, typer.Option("--index", help="Delete the index; it can be rebuilt.")] = False,
    events: Annotated[
        bool, typer.Option("--events", help="Delete the events; they cannot be brought back.")
    ] = False,
    conversations: Annotated[
        bool, typer.Option("--conversations", help="Delete the conversations; they cannot be brought back.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Delete the index, the events, the conversations, or several of them.

    Files of the workspace are never touched.
    """
    if not (index or events or conversations):
        raise typer.BadParameter("say what to delete", param_hint="--index, --events or --conversations")
    with open_engine(root) as engine:
        if not yes:
            wanted = {"index": index, "events": events, "conversations": conversations}
            what = " and ".join(name for name, is_wanted in wanted.items() if is_wanted)
            confirm(f"Delete the {what} of {engine.status().root}?")
        report = engine.clear(index=index, events=events, conversations=conversations)
    if as_json:
        emit_json(report)
        return
    if report.index:
        emit("index deleted")
    if events:
        emit(f"{count(report.events, 'event')} deleted")
    if conversations:
        emit(f"{count(report.conversations, 'conversation')} deleted")
