"""``contextls record``: tell a workspace what happened, from a shell hook or a script."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contextls.asking import path_from
from contextls.cli.arguments import readable
from contextls.cli.both_ends import BothEnds
from contextls.cli.help import HelpGroup
from contextls.cli.options import Json, RootOption, epilog
from contextls.cli.output import emit, emit_json, note
from contextls.cli.session import recording
from contextls.model import EventType, NewEvent

if TYPE_CHECKING:
    from contextls.recording import Recording

# The beginning of an output says what ran, the end how it went; a prompt never needs more than this of each.
_BYTES_OF_EACH_END = 64 * 1024

PathOption = Annotated[
    Path, typer.Option("--path", help="The file, from the current folder or from ROOT.", show_default=False)
]

record = typer.Typer(
    name="record",
    help="Record an event. Works while servers run on the same workspace.",
    cls=HelpGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
)


@record.command(
    "shell_exec",
    epilog=epilog(
        'contextls record shell_exec --command "pytest -q" --exit-code 1 --output-file /tmp/pytest.log',
        "make 2>&1 | contextls record shell_exec --command make --exit-code 0 --output-file -",
    ),
)
def shell_exec(
    command: Annotated[str, typer.Option(help="The command line that ran.", show_default=False)],
    exit_code: Annotated[
        int | None, typer.Option(help="How it ended; 0 is success.", show_default="not known")
    ] = None,
    root: RootOption = Path(),
    output_file: Annotated[
        Path | None,
        typer.Option(
            help="File with what it printed (- is standard input); of a long one, both ends are kept."
        ),
    ] = None,
    cwd: Annotated[
        Path | None, typer.Option(help="The folder it ran in.", show_default="current folder")
    ] = None,
    duration_ms: Annotated[int | None, typer.Option(min=0, help="How long it ran, in milliseconds.")] = None,
    at_ms: Annotated[
        int | None,
        typer.Option(min=0, help="When it ended, in milliseconds since 1970.", show_default="now"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Record a command that ran in a shell."""
    content: dict[str, Any] = {
        "command": command,
        "cwd": str((cwd or Path()).absolute()),
    }
    if exit_code is not None:
        content["exitCode"] = exit_code
    if output_file is not None:
        content["stdout"] = _excerpt(output_file)
    if duration_ms is not None:
        content["durationMs"] = duration_ms
    with recording(root) as workspace:
        _record(workspace, NewEvent(EventType.SHELL_EXEC, content, timestamp=at_ms), as_json=as_json)


@record.command("file_read", epilog=epilog("contextls record file_read --path src/app.py"))
def file_read(path: PathOption, root: RootOption = Path(), as_json: Json = False) -> None:
    """Record that a file was read."""
    _record_file(EventType.FILE_READ, path, root, as_json=as_json)


@record.command("file_write", epilog=epilog("contextls record file_write --path src/app.py --root ~/src/app"))
def file_write(path: PathOption, root: RootOption = Path(), as_json: Json = False) -> None:
    """Record that a file was written."""
    _record_file(EventType.FILE_WRITE, path, root, as_json=as_json)


@record.command(
    "error", epilog=epilog('contextls record error --message "KeyError: user" --path src/app.py --line 12')
)
def error(
    message: Annotated[str, typer.Option(help="What went wrong.", show_default=False)],
    path: Annotated[Path | None, typer.Option(help="The file it is about.")] = None,
    line: Annotated[int | None, typer.Option(min=1, help="The line it is about; needs --path.")] = None,
    source: Annotated[str | None, typer.Option(help="The tool that reported it.")] = None,
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Record an error."""
    if line is not None and path is None:
        raise typer.BadParameter("give --path as well", param_hint="--line")
    content: dict[str, Any] = {"message": message}
    with recording(root) as workspace:
        if path is not None:
            content["path"] = path_from(workspace, Path.cwd(), path, "--path")
        if line is not None:
            content["line"] = line
        if source is not None:
            content["source"] = source
        _record(workspace, NewEvent(EventType.ERROR, content), as_json=as_json)


def _record_file(kind: EventType, path: Path, root: Path, *, as_json: bool) -> None:
    with recording(root) as workspace:
        content = {"path": path_from(workspace, Path.cwd(), path, "--path")}
        _record(workspace, NewEvent(kind, content), as_json=as_json)


def _record(workspace: Recording, event: NewEvent, *, as_json: bool) -> None:
    stored = workspace.record(event)
    if stored is None:
        note("not kept: it concerns an ignored file, or the settings leave such events out")
    if as_json:
        emit_json(stored)
    elif stored is not None:
        emit(stored.id)


def _excerpt(file: Path) -> str:
    kept = BothEnds(_BYTES_OF_EACH_END)
    with readable(file, "--output-file") as source:
        while block := source.read(_BYTES_OF_EACH_END):
            kept.add(block)
    return kept.text()
