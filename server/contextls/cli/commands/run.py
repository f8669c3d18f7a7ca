"""``contextls run``: run a command and tell the workspace what it printed and how it ended."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Annotated

import typer

from contextls.cli.options import RootOption
from contextls.cli.output import note
from contextls.cli.passed_signals import CommandEnd, pass_on_signals
from contextls.cli.running_output import RunningOutput
from contextls.cli.session import recording
from contextls.cli.tee import Tee
from contextls.cli.terminal import make_terminal, run_in_terminal
from contextls.errors import INTERRUPTED, ContextlsError
from contextls.isolation import (
    child_environment,
    current_folder,
    find_program,
    safe_folder,
    users_environment,
)
from contextls.model import EventType, NewEvent
from contextls.standalone import was_stopped

EXAMPLES = ("contextls run -- pytest -q", "contextls run --root ~/src/app -- make test")


def run(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND…", help="What to run.", show_default=False)
    ],
    root: RootOption = Path(),
) -> None:
    """Run a command and record what it printed.

    The command is looked up and runs exactly as it would without contextls, in this folder and with your variables.
    In a terminal it gets one of its own, so that colours, progress and questions work.
    Passes its output through and ends with its exit status. A failed test or build becomes errors with file and line.
    """
    started = time.monotonic()
    here = current_folder()  # the command may take it away
    known = {"command": shlex.join(command), **({"cwd": here} if here else {})}
    output = RunningOutput(root, known)
    try:
        terminal = make_terminal()
        if terminal is None:
            end = _run_in_pipes(command, output)
        else:
            end = run_in_terminal(command, users_environment(), output.keep("stdout"), terminal)
    except OSError as error:
        note(f"contextls: {_explain(command, error)}")
        raise typer.Exit(127 if isinstance(error, FileNotFoundError) else 126) from None
    output.end()
    code = end.status if end.status >= 0 else 128 - end.status  # as a shell says it
    content = {
        **known,
        **_say_code(code, end, output),
        **output.texts(),
        "durationMs": round((time.monotonic() - started) * 1000),
    }
    try:
        with recording(root) as workspace:
            workspace.record(NewEvent(EventType.SHELL_EXEC, content))
    except ContextlsError as error:  # the command's own ending counts
        is_lost = root == Path() and current_folder() is None
        note(f"contextls: not recorded: {'the current folder was deleted' if is_lost else error}")
    raise typer.Exit(code)


def _say_code(code: int, end: CommandEnd, output: RunningOutput) -> dict[str, int]:
    """The exit code as it is recorded; nothing where a user stopped the command and the output says how it ended."""
    if output.is_failing and (end.signal is not None or was_stopped(code)):
        return {}
    if end.signal != signal.SIGINT:
        return {"exitCode": code}
    # What heeds Ctrl-C ends with a code of its own: a server with 0, pytest with 2.
    return {"exitCode": INTERRUPTED} if code else {}


def _explain(command: list[str], error: OSError) -> str:
    """The reason why a command was not started."""
    name = command[0]
    if not isinstance(error, FileNotFoundError) or (os.sep in name and " " not in name):
        return f"{name}: {error.strerror}"  # of a script, what it names to run it may be missing
    if len(command) == 1 and len(name.split()) > 1:
        return (
            f"{name}: command not found; for a line of the shell: contextls run -- sh -c {shlex.quote(name)}"
        )
    return f"{name}: command not found"


def _run_in_pipes(command: list[str], output: RunningOutput) -> CommandEnd:
    with pass_on_signals() as passed:
        process = subprocess.Popen(  # noqa: S603 - the user's own words, with the user's own variables
            command, env=users_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        passed.pass_to(process.send_signal)
        assert process.stdout is not None and process.stderr is not None  # noqa: S101, PT018 - both are pipes
        out = Tee(process.stdout, sys.stdout.buffer, output.keep("stdout"))
        err = Tee(process.stderr, sys.stderr.buffer, output.keep("stderr"))
        end = passed.wait_for_end(process.wait)
        for each in (out, err):
            if each.finish():
                _leave_copying(each.source, each.target)
            each.source.close()
    return end


def _leave_copying(source: IO[bytes], target: IO[bytes]) -> None:
    """Leave a process that passes on what the command's own children print after its end.

    They keep on running as they would without us: nobody waits for them, and what they print does not end them.
    """
    program = find_program("cat")
    if program is not None:
        subprocess.Popen(  # noqa: S603 - what we found, outside of any workspace
            [program], stdin=source, stdout=target, env=child_environment(), cwd=safe_folder()
        )
