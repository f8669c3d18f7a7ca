"""Targets of the working set as they are typed: a file, a folder, a symbol or lines of a file, a pattern."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.asking import path_from
from contextls.cli.roots import is_root_given
from contextls.errors import InvalidRequestError

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.model import Target

TargetArgument = Annotated[
    str,
    typer.Argument(
        metavar="PATH[#SYMBOL]",
        help="A file, a folder, a symbol or lines (a.py:10-40) of a file, or a quoted pattern ('src/**/*.py').",
        show_default=False,
    ),
]


def find_target(engine: Engine, typed: str) -> Target:
    """The target that ``typed`` names. Raises ``InvalidRequestError``."""
    before, mark, symbol = typed.partition("#")
    # A file whose own name holds the mark is meant before a symbol of a shorter name.
    if mark and (_folder_of(engine, typed) / typed).is_file():
        return engine.working_set.target_of(path_from(engine, _folder_of(engine, typed), Path(typed), "PATH"))
    place = _folder_of(engine, before)
    if not before or Path(os.path.normpath(place / before)) == engine.root:
        raise InvalidRequestError(
            "PATH", "a file or a folder below the workspace, not the whole of it", typed
        )
    path = path_from(engine, place, Path(before), "PATH")
    folder = "/" if before.endswith("/") else ""
    return engine.working_set.target(f"{path}{folder}{mark}{symbol}")


def _folder_of(engine: Engine, typed: str) -> Path:
    """The folder that a typed path is relative to.

    That is the current folder, or the root where one was given, unless only the current folder has such a file.
    """
    here = Path.cwd()
    is_below_root = is_root_given() and (
        os.path.lexists(engine.root / typed) or not os.path.lexists(here / typed)
    )
    return engine.root if is_below_root else here
