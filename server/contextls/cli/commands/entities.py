"""``contextls entities``: what a query mentions, or what matters most in a workspace right now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.cli.indexing import refresh
from contextls.cli.options import Json, NoIndex, Root
from contextls.cli.output import emit_json, emit_rows, note, one_line, printable
from contextls.cli.session import open_engine
from contextls.text.kept_ends import keep_beginning

if TYPE_CHECKING:
    from contextls.model import EntityView

EXAMPLES = (
    "contextls entities",
    'contextls entities "Cart.total in shop/cart.py:12"',
    'contextls entities "" ~/src/app --type package --type person --limit 10',
)
_WIDTH = 100


def entities(
    query: Annotated[
        str,
        typer.Argument(
            metavar="[QUERY]", help='Names, paths, path:line, in any style of writing; "" for all.'
        ),
    ] = "",
    root: Root = Path(),
    limit: Annotated[int, typer.Option(min=1, help="At most this many.")] = 30,
    types: Annotated[
        list[str] | None,
        typer.Option(
            "--type", metavar="TYPE", help="Only of this type (file, class, package, …); may be repeated."
        ),
    ] = None,
    as_json: Json = False,
    no_index: NoIndex = False,
) -> None:
    """List the things worth naming: files, symbols, packages, people, commands, errors, tests.

    With QUERY those that it mentions, surest first; without, the most salient.
    """
    with open_engine(root) as engine:
        if not no_index:
            refresh(engine)
            engine.read_history()
        found = engine.entities(query.strip() or None, tuple(types) if types else None, limit)
    if as_json:
        emit_json(found)
    else:
        emit_rows(("Salience", "Type", "Name", "Where", "About"), map(_row, found))
    if not found:
        note("nothing found")
        raise typer.Exit(1)


def place(entity: EntityView) -> str:
    """``path:line``, or nothing for what has no place."""
    if entity.path is None:
        return ""
    return entity.path if entity.id == entity.path else f"{entity.path}:{entity.line}"


def _row(entity: EntityView) -> tuple[tuple[str, str], ...]:
    about = entity.signature or "; ".join(f"{name} {value}" for name, value in entity.properties.items())
    line = printable(" ".join(about.split()))
    return (
        (f"{entity.salience:.2f}", ""),
        (entity.type, ""),
        (one_line(entity.name), "bold"),
        (one_line(place(entity)), "cyan"),
        (keep_beginning(line, _WIDTH), "dim"),
    )
