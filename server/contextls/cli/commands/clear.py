"""``contextls clear``: delete what is remembered about a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from contextls.cli.confirm import LacksOption, confirm
from contextls.cli.options import Json, Root
from contextls.cli.output import count, emit, emit_json, warn
from contextls.cli.session import open_engine
from contextls.errors import StoreError
from contextls.model import ClearReport
from contextls.standalone import delete_index

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
        raise LacksOption("say what to delete: --index, --events, --conversations, or several of them")
    wanted = {"index": index, "events": events, "conversations": conversations}
    ask = not yes
    try:
        with open_engine(root, looks_only=True) as engine:
            if ask:
                _confirm(wanted, engine.status().root)
                ask = False
            report = engine.clear(**wanted)
    except StoreError as error:
        if not index:
            raise
        if ask:
            _confirm(wanted, str(root.resolve()))
        warn(f"{error}; the index is deleted all the same")
        report = _clear_unopened(root, events=events, conversations=conversations)
    if as_json:
        emit_json(report)
        return
    if report.index:
        emit("index deleted")
    if events:
        emit(f"{count(report.events, 'event')} deleted")
    if conversations:
        emit(f"{count(report.conversations, 'conversation')} deleted")


def _confirm(wanted: Mapping[str, bool], root: str) -> None:
    what = " and ".join(name for name, is_wanted in wanted.items() if is_wanted)
    confirm(f"Delete the {what} of {root}?")


def _clear_unopened(root: Path, *, events: bool, conversations: bool) -> ClearReport:
    """Delete an index that cannot be opened, as on a full disk; the room that it leaves is what the rest needs."""
    delete_index(root)
    if not (events or conversations):
        return ClearReport(index=True, events=0, conversations=0)
    with open_engine(root, looks_only=True) as engine:
        return replace(engine.clear(index=False, events=events, conversations=conversations), index=True)
