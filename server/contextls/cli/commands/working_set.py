"""``contextls working-set``: what models do to the working set, and how a person undoes it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextls.cli.help import HelpGroup
from contextls.cli.indexing import refresh
from contextls.cli.options import Json, RootOption, epilog
from contextls.cli.output import emit_json, note
from contextls.cli.session import open_engine
from contextls.cli.targets import TargetArgument, find_target
from contextls.cli.working_set_output import print_working_set
from contextls.model import Role, UpdateAction
from contextls.requests.working_set import Update

working_set = typer.Typer(
    name="working-set",
    help="What models do to the working set: within bounds, with a reason, and undone by undo.",
    cls=HelpGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
)

Why = Annotated[
    str, typer.Option("--why", help="Why, in one sentence: the person reads it.", show_default=False)
]
Priority = Annotated[
    float | None, typer.Option("--priority", min=0, max=1, help="0.7 at first.", show_default=False)
]


@working_set.command(
    "add", epilog=epilog('contextls working-set add docs/api.md --why "the routes are in it"')
)
def add(
    what: TargetArgument,
    why: Why,
    priority: Priority = None,
    role: Annotated[
        Role | None,
        typer.Option(
            "--role", help="As what it is read: context; people alone give others.", show_default=False
        ),
    ] = None,
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Put a file, a folder or a symbol into prompts, below what people pinned."""
    _update(UpdateAction.ADD, what, why, root, priority, role, as_json=as_json)


@working_set.command(
    "remove", epilog=epilog('contextls working-set remove docs/api.md --why "that part is done"')
)
def remove(what: TargetArgument, why: Why, root: RootOption = Path(), as_json: Json = False) -> None:
    """Take out what a model added; never what a person pinned."""
    _update(UpdateAction.REMOVE, what, why, root, as_json=as_json)


@working_set.command(
    "adjust",
    epilog=epilog('contextls working-set adjust docs/api.md --priority 0.9 --why "it is the heart of it"'),
)
def adjust(
    what: TargetArgument,
    why: Why,
    priority: Annotated[
        float, typer.Option("--priority", min=0, max=1, help="The new one.", show_default=False)
    ],
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Weigh otherwise what a model added; never what a person pinned."""
    _update(UpdateAction.ADJUST, what, why, root, priority, as_json=as_json)


@working_set.command(
    "undo", epilog=epilog("contextls working-set undo", "contextls working-set undo update-3")
)
def undo(
    update: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="As pins lists it; else the newest.", show_default=False),
    ] = None,
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Undo an update by a model; what a person changed since stays."""
    with open_engine(root) as engine:
        undone = engine.working_set.undo(update)
    if as_json:
        emit_json(undone)
        return
    note(
        f"undid {undone.id}"
        if undone.id
        else f"there is no {update} to undo"
        if update
        else "nothing to undo"
    )
    for kept in undone.kept:
        note(kept)
    print_working_set(undone.working_set, as_json=False)
    if update and not undone.id:
        raise typer.Exit(1)


def _update(
    action: UpdateAction,
    what: str,
    why: str,
    root: Path,
    priority: float | None = None,
    role: Role | None = None,
    *,
    as_json: bool,
) -> None:
    """Ask for one update under the rules that hold for a model's request; a refused one ends with status 1."""
    with open_engine(root) as engine:
        if "#" in what:
            refresh(engine)
        asked = Update(
            action=action, path=find_target(engine, what).text, why=why, priority=priority, role=role
        )
        answer = engine.working_set.update([asked.wanted])
    if as_json:
        emit_json(answer)
    else:
        print_working_set(answer.working_set, as_json=False)
    for refused in answer.refused:
        note(f"{refused.path}: {refused.reason}")
    if not answer.applied:
        raise typer.Exit(1)
