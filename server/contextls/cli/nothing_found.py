"""Ends a command that found nothing, and says why there may be nothing to find."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import typer

from contextls.cli.output import note, warn
from contextls.cli.session import open_engine

if TYPE_CHECKING:
    from pathlib import Path


def end_with_nothing(root: Path) -> NoReturn:
    """Say that nothing was found and, where no file of the workspace is there to be found, why; end with status 1."""
    with open_engine(root) as engine:
        engine.prepare()
        if engine.status().files:
            note("nothing found")
            raise typer.Exit(1)
        engine.read_history()  # only then it is known that there is a repository without a working tree
        found = engine.status()
    left_out = ", ".join(f"{reason} {number:,}" for reason, number in found.skipped.items())
    note(
        f"nothing found: no file of {found.root} is indexed"
        + (f" (left out: {left_out})" if left_out else "")
    )
    for warning in found.warnings:
        warn(warning)
    raise typer.Exit(1)
