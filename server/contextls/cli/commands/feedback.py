"""``contextls feedback``: say whether a piece of a prompt helped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextls.cli.options import RootOption
from contextls.cli.output import note
from contextls.cli.session import open_engine

EXAMPLES = (
    "contextls feedback pattern-3f2a9c01d4 --helpful",
    "contextls feedback src/cart.py:10-24 --unhelpful --root ~/src/app",
)


def feedback(
    source: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="The id of a pattern, or the source of a component.", show_default=False
        ),
    ],
    helpful: Annotated[
        bool | None, typer.Option("--helpful/--unhelpful", help="Whether it helped.", show_default=False)
    ] = None,
    context_id: Annotated[
        str | None, typer.Option("--context", help="The id of the context that it was in.")
    ] = None,
    root: RootOption = Path(),
) -> None:
    """Say whether a piece of a prompt helped.

    Later prompts rank the same piece a little higher or lower; it fades with a half-life of 30 days.
    """
    if helpful is None:
        raise typer.BadParameter("give one of the two", param_hint="--helpful/--unhelpful")
    with open_engine(root) as engine:
        engine.feedback(source, helpful=helpful, context_id=context_id)
    note("noted")
