"""``contextls patterns``: the habits of a workspace, with their numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.asking import file_from
from contextls.cli.options import Json, Root
from contextls.cli.output import emit_json, emit_rows, note, printable
from contextls.cli.session import open_engine

if TYPE_CHECKING:
    from contextls.model import Pattern

EXAMPLES = (
    "contextls patterns",
    "contextls patterns --file src/cart.py --limit 5",
    "contextls patterns --json | jq '.[].description'",
)


def patterns(
    root: Root = Path(),
    limit: Annotated[int, typer.Option(min=1, help="At most this many.")] = 30,
    file: Annotated[Path | None, typer.Option("--file", help="Only what concerns this file.")] = None,
    as_json: Json = False,
) -> None:
    """List what you usually do here, surest first.

    What changes together, what is run after an edit, what put which error right, which steps follow each other.
    """
    with open_engine(root, looks_only=True) as engine:
        path = None if file is None else file_from(engine, Path.cwd(), file)
        found = engine.patterns(limit, path)
    if as_json:
        emit_json(found)
    elif not found:
        note("no habits yet")
    else:
        emit_rows(("Trust", "Id", "Seen", "Habit"), map(_row, found))


def _row(pattern: Pattern) -> tuple[tuple[str, str], ...]:
    passed = "" if pattern.passed is None else f", {pattern.passed} passed"
    said = f", said +{pattern.helpful} −{pattern.unhelpful}" if pattern.helpful or pattern.unhelpful else ""
    numbers = f"{pattern.successes} of {pattern.applications} {pattern.unit}{passed}{said}"
    return (
        (f"{pattern.confidence:.2f}", ""),
        (pattern.id, "dim"),
        (numbers, ""),
        (printable(pattern.description), ""),
    )
