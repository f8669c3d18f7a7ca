"""``contextls pin``, ``unpin``, ``exclude``, ``include`` and ``pins``: what every prompt shall hold, and what none may.

``contextls working-set`` is for models, and undoes what they did.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.asking import path_from
from contextls.cli.help import HelpGroup
from contextls.cli.options import Json, Root, RootOption, epilog
from contextls.cli.output import emit, emit_json, emit_text, note
from contextls.cli.roots import is_root_given
from contextls.cli.session import open_engine, refresh
from contextls.errors import InvalidRequestError
from contextls.model import Role, TruncateStrategy, UpdateAction, Updater
from contextls.requests.working_set import Update
from contextls.standalone import manifest_schema

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.model import AppliedUpdate, ExcludedFile, PinnedFile, Target, WorkingSetView

PIN_EXAMPLES = (
    "contextls pin docs/conventions.md --priority 1 --strategy never --role system",
    "contextls pin shop/cart.py#Cart.total",
    "contextls pin shop/ ~/src/app --priority 0.3",
    "contextls pin 'docs/**/*.md' --priority 0.4",
)
UNPIN_EXAMPLES = ("contextls unpin shop/cart.py",)
EXCLUDE_EXAMPLES = ("contextls exclude fixtures/", "contextls exclude shop/legacy.py ~/src/app")
INCLUDE_EXAMPLES = ("contextls include fixtures/",)
PINS_EXAMPLES = (
    "contextls pins",
    "contextls pins --json | jq '.files[].path'",
    "contextls pins --schema > schema.json",
)

ROLES_OF_MODELS = "As what it is read: context; people alone give others."

working_set = typer.Typer(
    name="working-set",
    help="What models do to the working set: within bounds, with a reason, and undone by undo.",
    cls=HelpGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
)

What = Annotated[
    str,
    typer.Argument(
        metavar="PATH[#SYMBOL]",
        help="A file, a folder, a symbol or lines (a.py:10-40) of a file, or a quoted pattern ('src/**/*.py').",
        show_default=False,
    ),
]


def pin(
    what: What,
    root: Root = Path(),
    priority: Annotated[
        float | None,
        typer.Option("--priority", help="0 to 1: what comes first; 0.8 at first.", show_default=False),
    ] = None,
    role: Annotated[
        Role | None, typer.Option("--role", help="As what it is read; context at first.", show_default=False)
    ] = None,
    strategy: Annotated[
        TruncateStrategy | None,
        typer.Option(
            "--strategy", help="What goes when there is too little room; middle at first.", show_default=False
        ),
    ] = None,
    max_lines: Annotated[
        int | None, typer.Option("--max-lines", min=1, help="Never more lines than this.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Put a file, a folder or a symbol into every prompt that has room for it.

    Pins live in .context/working-set.yml of the workspace; pinning again changes the options given.
    """
    with open_engine(root) as engine:
        if any(sign in what for sign in "#*?"):
            refresh(engine)
        _tell(
            engine.working_set.pin(_target(engine, what), priority, role, strategy, max_lines),
            as_json=as_json,
        )


def unpin(what: What, root: Root = Path(), as_json: Json = False) -> None:
    """Let a pinned file, folder or symbol go."""
    with open_engine(root) as engine:
        target, before = _target(engine, what), engine.working_set.view()
        after = engine.working_set.unpin(target)
        _tell(after, as_json=as_json)
        _check_changed(before.files, after.files, f"{target.text} is not pinned")


def exclude(what: What, root: Root = Path(), as_json: Json = False) -> None:
    """Keep a file, a folder or a symbol out of every prompt. It stays in the index and can be searched."""
    with open_engine(root) as engine:
        target = _target(engine, what)
        _tell(engine.working_set.exclude(target), as_json=as_json)
        if not target.pattern and _is_missing(engine.root / target.path):
            note(f"warning: there is no {target.path} here")


def _is_missing(path: Path) -> bool:
    """Whether nothing lies there; of what cannot be looked at nobody knows."""
    try:
        path.lstat()
    except PermissionError:
        return False
    except OSError:
        return True
    return False


def include(what: What, root: Root = Path(), as_json: Json = False) -> None:
    """Take an exclusion back."""
    with open_engine(root) as engine:
        target, before = _target(engine, what), engine.working_set.view()
        after = engine.working_set.include(target)
        _tell(after, as_json=as_json)
        _check_changed(before.excluded, after.excluded, f"{target.text} is not excluded")


def pins(
    root: Root = Path(),
    as_json: Json = False,
    schema: Annotated[
        bool,
        typer.Option(
            "--schema", help="Instead, print the JSON schema of .context/working-set.yml, for editors."
        ),
    ] = False,
) -> None:
    """List what is pinned, highest priority first, and what is excluded."""
    if schema:
        emit(json.dumps(manifest_schema(), indent=2))
        return
    with open_engine(root) as engine:
        view = engine.working_set.view()
    _tell(view, as_json=as_json)
    for update in () if as_json else view.updates:
        _update_line(update)
    if not (as_json or view.files or view.excluded):
        note("nothing is pinned or excluded")


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
    what: What,
    why: Why,
    priority: Priority = None,
    role: Annotated[Role | None, typer.Option("--role", help=ROLES_OF_MODELS, show_default=False)] = None,
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Put a file, a folder or a symbol into prompts, below what people pinned."""
    _update(UpdateAction.ADD, what, why, root, priority, role, as_json=as_json)


@working_set.command(
    "remove", epilog=epilog('contextls working-set remove docs/api.md --why "that part is done"')
)
def remove(what: What, why: Why, root: RootOption = Path(), as_json: Json = False) -> None:
    """Take out what a model added; never what a person pinned."""
    _update(UpdateAction.REMOVE, what, why, root, as_json=as_json)


@working_set.command(
    "adjust",
    epilog=epilog('contextls working-set adjust docs/api.md --priority 0.9 --why "it is the heart of it"'),
)
def adjust(
    what: What,
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
    _tell(undone.working_set, as_json=False)
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
    """Ask for one update, by the rules of those that come over the wire; refused is a status of 1."""
    with open_engine(root) as engine:
        if "#" in what:
            refresh(engine)
        asked = Update(action=action, path=_target(engine, what).text, why=why, priority=priority, role=role)
        answer = engine.working_set.update([asked.wanted])
    if as_json:
        emit_json(answer)
    else:
        _tell(answer.working_set, as_json=False)
    for refused in answer.refused:
        note(f"{refused.path}: {refused.reason}")
    if not answer.applied:
        raise typer.Exit(1)


def _target(engine: Engine, what: str) -> Target:
    """Find the typed target. Raises ``InvalidRequestError``."""
    before, mark, symbol = what.partition("#")
    if mark and (_folder_of(engine, what) / what).is_file():
        return engine.working_set.target_of(path_from(engine, _folder_of(engine, what), Path(what), "PATH"))
    place = _folder_of(engine, before)
    if not before or Path(os.path.normpath(place / before)) == engine.root:
        raise InvalidRequestError("PATH", "a file or a folder below the workspace, not the whole of it", what)
    path = path_from(engine, place, Path(before), "PATH")
    folder = "/" if before.endswith("/") else ""
    return engine.working_set.target(f"{path}{folder}{mark}{symbol}")


def _folder_of(engine: Engine, typed: str) -> Path:
    """The folder that a typed path counts from: the root that was given, unless only the current folder has such a file."""
    here = Path.cwd()
    is_below_root = is_root_given() and (
        os.path.lexists(engine.root / typed) or not os.path.lexists(here / typed)
    )
    return engine.root if is_below_root else here


def _check_changed(before: object, after: object, problem: str) -> None:
    """End the command with a status of 1 where it changed nothing, as what was named is not there."""
    if before == after:
        note(problem)
        raise typer.Exit(1)


def _tell(view: WorkingSetView, *, as_json: bool) -> None:
    for warning in view.warnings:
        note(warning)
    if as_json:
        emit_json(view)
        return
    for pinned in view.files:
        _line("pinned", pinned, f"{pinned.priority:g}", _details(pinned))
    for excluded in view.excluded:
        _line("excluded", excluded, "", f"from {excluded.included_from}" if excluded.included_from else "")


def _line(word: str, entry: PinnedFile | ExcludedFile, priority: str, details: str) -> None:
    """On a terminal aligned; in a pipe with tabs: word, priority, place, details."""
    if sys.stdout.isatty():
        emit_text(f"{word:<9}{priority:<5} {entry.target}{f'  ({details})' if details else ''}")
    else:
        emit("\t".join((word, priority, entry.target, details)))


def _update_line(update: AppliedUpdate) -> None:
    """One line for each step: the id by which it is undone, what was done, and why."""
    for step in update.steps:
        if sys.stdout.isatty():
            emit_text(f"{update.id:<14} {step.action} {step.target}  ({step.why})")
        else:
            emit("\t".join((update.id, step.action, step.target, step.why)))


def _details(pinned: PinnedFile) -> str:
    limit = f"at most {pinned.max_lines} lines" if pinned.max_lines else ""
    origin = f"from {pinned.included_from}" if pinned.included_from else ""
    by = (
        f"by a {pinned.by}{f': {pinned.why}' if pinned.why else ''}"
        if pinned.by is not Updater.PERSON
        else ""
    )
    details = (pinned.problem, pinned.role, pinned.truncate_strategy, limit, origin, by)
    return ", ".join(filter(None, details))
