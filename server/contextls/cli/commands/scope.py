"""``contextls scope``: the folders and packages that questions are limited to."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.asking import scope_from
from contextls.cli.help import HelpGroup
from contextls.cli.indexing import refresh
from contextls.cli.options import Json, RootOption, epilog
from contextls.cli.output import count, emit, emit_json, emit_text, note, warn
from contextls.cli.session import open_engine
from contextls.errors import InvalidRequestError

if TYPE_CHECKING:
    from contextls.model import ScopeFolder, ScopeView

scope = typer.Typer(
    name="scope",
    help="Limit questions to folders and packages, for every editor, agent and shell on the workspace, until cleared.",
    cls=HelpGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
)


@scope.command(
    "set", epilog=epilog("contextls scope set packages/api libs/auth", "contextls scope set @acme/api")
)
def save(
    entries: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER|PACKAGE...", help="Folders, and packages by their names.", show_default=False
        ),
    ],
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Limit questions to these from now on. Pins, and what a question points at, stay."""
    with open_engine(root) as engine:
        refresh(engine)
        try:
            view = engine.scope.save(scope_from(engine, Path.cwd(), entries) or ())
        except InvalidRequestError as error:
            raise InvalidRequestError("FOLDER|PACKAGE", error.expected, error.got) from None
        _tell(view, as_json=as_json)


@scope.command("show", epilog=epilog("contextls scope show", "contextls scope show --json | jq .choices"))
def show(root: RootOption = Path(), as_json: Json = False) -> None:
    """Show the scope, and what it can be made of where there is none."""
    with open_engine(root) as engine:
        refresh(engine)
        view = engine.scope.view()
    _tell(view, as_json=as_json)
    if not (as_json or view.folders):
        could = "; it could be made of" if view.choices else ""
        note(f"no scope: questions are about the whole workspace{could}")
        for choice in view.choices:
            _line(choice)


@scope.command("clear", epilog=epilog("contextls scope clear"))
def clear(root: RootOption = Path(), as_json: Json = False) -> None:
    """Let questions be about the whole workspace again."""
    with open_engine(root) as engine:
        _tell(engine.scope.save(()), as_json=as_json)


def _tell(view: ScopeView, *, as_json: bool) -> None:
    for warning in view.warnings:
        warn(warning)
    if as_json:
        emit_json(view)
        return
    for folder in view.folders:
        _line(folder)
    if view.files < view.total_files:
        note(f"questions are limited to {view.files:,} of {count(view.total_files, 'file')}")


def _line(folder: ScopeFolder) -> None:
    """On a terminal for people; in a pipe with tabs: path, package, files."""
    if sys.stdout.isatty():
        package = f"  {folder.package}" if folder.package else ""
        emit_text(f"{folder.path}{package}  ({count(folder.files, 'file')})")
    else:
        emit(f"{folder.path}\t{folder.package}\t{folder.files}")
