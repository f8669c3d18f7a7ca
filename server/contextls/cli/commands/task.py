"""``contextls task``: the stack of what is being worked on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.cli.confirm import confirm
from contextls.cli.help import HelpGroup
from contextls.cli.options import Json, RootOption, epilog
from contextls.cli.output import emit, emit_json, emit_text, note
from contextls.cli.session import open_engine
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.model import TaskFrame

_SIGNS = {"active": "▸", "blocked": "✗", "complete": "✓"}
_NONE = "no task is active"

task = typer.Typer(
    name="task",
    help="Say what you are working on. Editors, servers and shells share one stack per workspace.",
    cls=HelpGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
)


@task.command("push", epilog=epilog('contextls task push "make the importer read quoted fields"'))
def push(
    goal: Annotated[str, typer.Argument(metavar="GOAL", help="What is to be done.", show_default=False)],
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Begin a task below the current one."""
    with open_engine(root) as engine:
        _print_change(engine, engine.tasks.push(goal), as_json=as_json)


@task.command("pop", epilog=epilog('contextls task pop "csv.reader handles quotes; split() did not"'))
def pop(
    result: Annotated[
        str | None,
        typer.Argument(metavar="[RESULT]", help="What later tasks should know.", show_default=False),
    ] = None,
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Complete the current task; its result stays, its detail goes."""
    with open_engine(root) as engine:
        _print_change(engine, engine.tasks.pop(result), as_json=as_json)


@task.command("block", epilog=epilog('contextls task block "waiting for the key"'))
def block(
    reason: Annotated[
        str | None, typer.Argument(metavar="[WHY]", help="Why it cannot go on.", show_default=False)
    ] = None,
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Set the current task aside; resume brings it back."""
    with open_engine(root) as engine:
        _print_change(engine, engine.tasks.block(reason), as_json=as_json)


@task.command("resume", epilog=epilog("contextls task resume task-3"))
def resume(
    task_id: Annotated[str, typer.Argument(metavar="ID", help="As in task list.", show_default=False)],
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Go on with a task that was blocked or set aside."""
    with open_engine(root) as engine:
        _print_change(engine, engine.tasks.resume(task_id), as_json=as_json)


@task.command("show", epilog=epilog("contextls task show", "contextls task show --json | jq .goal"))
def show(root: RootOption = Path(), as_json: Json = False) -> None:
    """Show the way from the root goal to what is done now."""
    with open_engine(root) as engine:
        path = engine.tasks.path()
    if as_json:
        emit_json({"tasks": path})
    elif path:
        _print(path, path[-1].id)
    else:
        note(_NONE)


@task.command("list", epilog=epilog("contextls task list", "contextls task list --json"))
def list_all(root: RootOption = Path(), as_json: Json = False) -> None:
    """Show every task as a tree: ▸ under way, ✗ blocked, ✓ complete."""
    with open_engine(root) as engine:
        frames, current = engine.tasks.list(), engine.tasks.current_id()
    if as_json:
        emit_json({"tasks": frames, "current": current})
    elif frames:
        _print(frames, current)
    else:
        note("no tasks")


@task.command("clear", epilog=epilog("contextls task clear --yes"))
def clear(
    root: RootOption = Path(),
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete all tasks of the workspace, results too."""
    if not yes:
        confirm("Delete all tasks and their results?")
    with open_engine(root) as engine:
        engine.tasks.wipe()


def _print_change(engine: Engine, changed: TaskFrame, *, as_json: bool) -> None:
    current = engine.tasks.peek()
    if as_json:
        emit_json({"task": to_wire(changed), "current": to_wire(current)})
        return
    emit(changed.id)
    note(f"now: {current.goal}" if current else _NONE)


def _print(frames: Sequence[TaskFrame], current: str | None) -> None:
    """One line per task; on a terminal indented by depth, in a pipe with tabs: id, status, depth, goal, result."""
    for frame in frames:
        told = " ".join((frame.result or frame.reason or "").split())
        goal = " ".join(frame.goal.split())
        if sys.stdout.isatty():
            here = "  ← now" if frame.id == current else ""
            emit_text(
                f"{'  ' * frame.depth}{_SIGNS[frame.status]} {goal}{f' — {told}' if told else ''} ({frame.id}){here}"
            )
        else:
            emit("\t".join((frame.id, frame.status, str(frame.depth), goal, told)))
