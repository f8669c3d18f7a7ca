"""``contextls activity``: what happened in a workspace, by session, for a person."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.cli.commands.events import note_no_events
from contextls.cli.local_time import write_clock, write_time
from contextls.cli.options import Json, Root
from contextls.cli.output import count, emit, emit_json, printable
from contextls.cli.session import open_engine
from contextls.model import EventType
from contextls.requests.common import AGE_FORM, read_age
from contextls.standalone import describe_event
from contextls.text.kept_ends import keep_beginning

if TYPE_CHECKING:
    from contextls.model import Event

EXAMPLES = (
    "contextls activity",
    "contextls activity ~/src/app --since 2h --type shell_exec --type error",
    "contextls activity --json | jq '.[0].content'",
)
_LINE = 140
# A pause of this length within a session begins a new paragraph.
_PAUSE_MS = 30 * 60 * 1000


def activity(
    root: Root = Path(),
    since: Annotated[
        str | None, typer.Option(metavar="AGO", help="Only what is younger: 90s, 30m, 2h, 3d, 1w.")
    ] = None,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="TYPE", help="Only events of this type; may be repeated."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Look at most at so many events.")] = 200,
    as_json: Json = False,
) -> None:
    """Show what was done, by session, newest session first.

    The same thing done several times in a row is one line.
    """
    earliest = None if since is None else int(time.time() * 1000) - _ago(since)
    from contextls.model import Filters

    with open_engine(root, looks_only=True) as engine:
        found = engine.events(limit, Filters(since=earliest, event_types=tuple(types) if types else None))
    if as_json:
        emit_json(found)
    elif not found:
        note_no_events(types)
    else:
        emit("\n".join(_describe(found)))


def _ago(text: str) -> int:
    """The milliseconds of an age such as 2h. Raises ``typer.BadParameter``."""
    age = read_age(text)
    if age is None:
        raise typer.BadParameter(f"expected {AGE_FORM}, got {text!r}", param_hint="--since")
    return age


def _describe(events: Sequence[Event]) -> Iterable[str]:
    sessions: dict[str, list[Event]] = {}
    for event in events:  # newest first
        sessions.setdefault(event.session_id, []).append(event)
    for at, (session, newest_first) in enumerate(sessions.items()):
        mine = newest_first[::-1]
        if at:
            yield ""
        yield f"{write_time(mine[0].timestamp)}  session {printable(session)}, {count(len(mine), 'event')}"
        before = mine[0].timestamp
        for _, same in groupby(mine, key=_subject):
            run = list(same)
            first, last = run[0], run[-1]
            if first.timestamp - before > _PAUSE_MS:
                yield "  …"
            before = last.timestamp
            times = f"  ×{len(run)}" if len(run) > 1 else ""
            yield f"  {write_clock(last.timestamp)} {_mark(last)} {_line(last)}{times}"


def _subject(event: Event) -> tuple[object, ...]:
    content = event.content
    about = next(
        (content[name] for name in ("command", "message", "commit", "path") if name in content), event.id
    )
    return event.type, str(about), content.get("line"), content.get("state"), event.outcome


def _mark(event: Event) -> str:
    signs = ("x", "+", " ") if not sys.stdout.isatty() else ("✗", "✓", " ")
    if event.outcome is None:
        return signs[2]
    return signs[0] if event.outcome.value == "failure" else signs[1]


def _line(event: Event) -> str:
    line = printable(" ".join(describe_event(event).split()))
    if event.type == EventType.SHELL_EXEC and isinstance(event.content.get("durationMs"), (int, float)):
        line += f" ({event.content['durationMs'] / 1000:.1f} s)"
    return keep_beginning(line, _LINE)
