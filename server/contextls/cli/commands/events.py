"""``contextls events``: what happened in a workspace, newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contextls.cli.local_time import write_time
from contextls.cli.options import Json, Root
from contextls.cli.output import cell, emit, emit_json, emit_rich, has_table_room, note, printable
from contextls.cli.session import open_engine
from contextls.model import EventType
from contextls.standalone import summarize_event

if TYPE_CHECKING:
    from contextls.model import Event

EXAMPLES = (
    "contextls events",
    "contextls events ~/src/app --limit 5 --type shell_exec",
    "contextls events --json | jq '.[0].content'",
)
_SUMMARY_WIDTH = 120


def note_no_events(types: Sequence[str] | None) -> None:
    """Say that there are none, and which types there are where one that was asked for may be a slip."""
    of_types = f" of the type {' or '.join(types)}" if types else ""
    known = tuple(map(str, EventType))
    usual = "" if set(types or ()) <= set(known) else f"; contextls itself records {', '.join(known)}"
    note(f"no events{of_types}{usual}")


def events(
    root: Root = Path(),
    limit: Annotated[int, typer.Option(min=1, help="At most this many events.")] = 50,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="TYPE", help="Only events of this type; may be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List what happened, newest first.

    Files read and written, commands run and errors met in a workspace.
    """
    from contextls.model import Filters

    with open_engine(root, looks_only=True) as engine:
        found = engine.events(limit, Filters(event_types=tuple(types) if types else None))
    if as_json:
        emit_json(found)
    elif not found:
        note_no_events(types)
    elif has_table_room():
        _show_table(found)
    else:
        for event in found:
            emit("\t".join(_row(event)))


def describe(event: Event) -> str:
    """One line that says what an event was about."""
    content = event.content
    if event.type == EventType.SHELL_EXEC and "command" in content:
        text = f"{content['command']}  (exit {content.get('exitCode', '?')})"
    elif event.type in (EventType.FILE_READ, EventType.FILE_WRITE) and "path" in content:
        text = str(content["path"])
    elif event.type == EventType.ERROR and "message" in content:
        text = _error_text(content)
    else:
        text = summarize_event(event)
    line = printable(" ".join(text.split()))
    return line if len(line) <= _SUMMARY_WIDTH else line[: _SUMMARY_WIDTH - 1] + "…"


def _error_text(content: Mapping[str, Any]) -> str:
    place = str(content.get("path") or "")
    if place and content.get("line") is not None:
        place += f":{content['line']}"
    return f"{place}: {content['message']}" if place else str(content["message"])


def _row(event: Event) -> tuple[str, str, str, str]:
    outcome = event.outcome.value if event.outcome else "-"
    return write_time(event.timestamp), event.type, outcome, describe(event)


def _show_table(found: tuple[Event, ...]) -> None:
    from rich import box
    from rich.table import Table

    table = Table("When", "What", "Outcome", "About", box=box.SIMPLE_HEAD)
    for event in found:
        when, kind, outcome, about = _row(event)
        style = {"failure": "red", "success": "green"}.get(outcome, "")
        table.add_row(when, kind, cell(outcome, style), cell(about))
    emit_rich(table)
