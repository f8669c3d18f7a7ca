"""``contextls events``: what happened in a workspace, newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contextls.cli.local_time import write_time
from contextls.cli.options import Json, Root
from contextls.cli.output import emit_json, emit_rows, note, printable
from contextls.cli.session import open_engine
from contextls.model import EventType
from contextls.standalone import summarize_event
from contextls.text.kept_ends import keep_beginning

if TYPE_CHECKING:
    from contextls.model import Event

EXAMPLES = (
    "contextls events",
    "contextls events ~/src/app --limit 5 --type shell_exec",
    "contextls events --json | jq '.[0].content'",
)
_SUMMARY_WIDTH = 120
_COLOURS = {"failure": "red", "success": "green"}


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
    else:
        emit_rows(("When", "What", "Outcome", "About"), map(_row, found))


def _describe(event: Event) -> str:
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
    return keep_beginning(line, _SUMMARY_WIDTH)


def _error_text(content: Mapping[str, Any]) -> str:
    place = str(content.get("path") or "")
    if place and content.get("line") is not None:
        place += f":{content['line']}"
    return f"{place}: {content['message']}" if place else str(content["message"])


def _row(event: Event) -> tuple[tuple[str, str], ...]:
    outcome = event.outcome.value if event.outcome else "-"
    return (
        (write_time(event.timestamp), ""),
        (event.type, ""),
        (outcome, _COLOURS.get(outcome, "")),
        (_describe(event), ""),
    )
