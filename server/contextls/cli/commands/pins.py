"""``contextls pin``, ``unpin``, ``exclude``, ``include`` and ``pins``: what every prompt shall hold, and what none may."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from contextls.cli.indexing import refresh
from contextls.cli.options import Json, Root
from contextls.cli.output import emit, note, warn
from contextls.cli.session import open_engine
from contextls.cli.targets import TargetArgument, find_target
from contextls.cli.working_set_output import print_update, print_working_set
from contextls.model import Role, TruncateStrategy, WorkingSetView
from contextls.standalone import manifest_schema

PIN_EXAMPLES = (
    "contextls pin docs/conventions.md --priority 1 --strategy never --role system",
    "contextls pin shop/cart.py#Cart.total",
    "contextls pin shop/ ~/src/app --priority 0.3",
    "contextls pin 'docs/**/*.md' --priority 0.4",
)
UNPIN_EXAMPLES = ("contextls unpin shop/cart.py",)
EXCLUDE_EXAMPLES = ("contextls exclude fixtures/", "contextls exclude shop/legacy.py ~/src/app")
INCLUDE_EXAMPLES = ("contextls include fixtures/",)
EXAMPLES = (
    "contextls pins",
    "contextls pins --json | jq '.files[].path'",
    "contextls pins --schema > schema.json",
)


def pin(
    what: TargetArgument,
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
        if any(sign in what for sign in "#*?"):  # symbols and patterns are looked up in the index
            refresh(engine)
        view = engine.working_set.pin(find_target(engine, what), priority, role, strategy, max_lines)
        print_working_set(view, as_json=as_json)


def unpin(what: TargetArgument, root: Root = Path(), as_json: Json = False) -> None:
    """Let a pinned file, folder or symbol go."""
    with open_engine(root) as engine:
        target, before = find_target(engine, what), engine.working_set.view()
        after = engine.working_set.unpin(target)
        print_working_set(after, as_json=as_json)
        _check_changed(before.files, after.files, f"{target.text} is not pinned")
        _note_if_empty(after, as_json=as_json)


def exclude(what: TargetArgument, root: Root = Path(), as_json: Json = False) -> None:
    """Keep a file, a folder or a symbol out of every prompt. It stays in the index and can be searched."""
    with open_engine(root) as engine:
        target = find_target(engine, what)
        print_working_set(engine.working_set.exclude(target), as_json=as_json)
        if not target.pattern and _is_missing(engine.root / target.path):
            warn(f"there is no {target.path} here")


def include(what: TargetArgument, root: Root = Path(), as_json: Json = False) -> None:
    """Take an exclusion back."""
    with open_engine(root) as engine:
        target, before = find_target(engine, what), engine.working_set.view()
        after = engine.working_set.include(target)
        print_working_set(after, as_json=as_json)
        _check_changed(before.excluded, after.excluded, f"{target.text} is not excluded")
        _note_if_empty(after, as_json=as_json)


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
    print_working_set(view, as_json=as_json)
    for update in () if as_json else view.updates:
        print_update(update)
    _note_if_empty(view, as_json=as_json)


def _note_if_empty(view: WorkingSetView, *, as_json: bool) -> None:
    if not (as_json or view.files or view.excluded):
        note("nothing is pinned or excluded")


def _check_changed(before: object, after: object, problem: str) -> None:
    """End the command with status 1 and ``problem`` where it changed nothing."""
    if before == after:
        note(problem)
        raise typer.Exit(1)


def _is_missing(path: Path) -> bool:
    """Whether there is surely nothing at ``path``: what may not be looked at may be there."""
    try:
        path.lstat()
    except PermissionError:
        return False
    except OSError:
        return True
    return False
