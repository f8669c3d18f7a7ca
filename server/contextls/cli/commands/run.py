"""``contextls run``: run a command and tell the workspace what it printed and how it ended."""

from __future__ import annotations

import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Annotated

import typer

from contextls.cli.output import note
from contextls.cli.session import recording
from contextls.errors import ContextlsError
from contextls.isolation import users_environment
from contextls.model import EventType, NewEvent

EXAMPLES = ("contextls run -- pytest -q", "contextls run --root ~/src/app -- make test")
# What a runner says about failures is at the end, what ran is at the beginning.
_KEPT = 64 * 1024


class _Tee:
    """Copies a stream on, and keeps both of its ends."""

    def __init__(self, source: IO[bytes], target: IO[bytes]) -> None:
        self._head = b""
        self._tail = b""
        self._thread = threading.Thread(target=self._copy, args=(source, target), daemon=True)
        self._thread.start()

    def text(self) -> str:
        """Everything that passed through; waits for its end."""
        self._thread.join()
        gap = b"\n[...]\n" if len(self._tail) >= _KEPT else b""
        return (self._head + gap + self._tail).decode("utf-8", "replace")

    def _copy(self, source: IO[bytes], target: IO[bytes]) -> None:
        open_end = True
        while block := source.read1(_KEPT):  # type: ignore[attr-defined]
            if open_end:
                try:
                    target.write(block)
                    target.flush()
                except (BrokenPipeError, ValueError):
                    open_end = False
            room = _KEPT - len(self._head)
            self._head += block[:room]
            self._tail = (self._tail + block[room:])[-_KEPT:]


def run(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND…", help="What to run.", show_default=False)
    ],
    root: Annotated[
        Path, typer.Option("--root", help="The workspace.", show_default="current folder")
    ] = Path(),
) -> None:
    """Run a command and record what it printed.

    The command is looked up and runs exactly as it would without contextls, in this folder and with your variables.
    Passes its output through and ends with its exit status. A failed test or build becomes errors with file and line.
    """
    started = time.monotonic()
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's own words, with the user's own variables
            command, env=users_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except OSError as error:
        note(f"contextls: {command[0]}: {error.strerror}")
        raise typer.Exit(127 if isinstance(error, FileNotFoundError) else 126) from None
    assert process.stdout is not None and process.stderr is not None  # noqa: S101, PT018 - both are pipes
    out, err = _Tee(process.stdout, sys.stdout.buffer), _Tee(process.stderr, sys.stderr.buffer)
    code = _wait(process)
    content = {
        "command": shlex.join(command),
        "exitCode": code,
        "cwd": str(Path.cwd()),
        "stdout": out.text(),
        "stderr": err.text(),
        "durationMs": round((time.monotonic() - started) * 1000),
    }
    try:
        with recording(root) as workspace:
            workspace.record(NewEvent(EventType.SHELL_EXEC, content))
    except ContextlsError as error:  # the command's own ending counts
        note(f"contextls: not recorded: {error}")
    raise typer.Exit(code)


def _wait(process: subprocess.Popen[bytes]) -> int:
    while True:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            continue  # the command heard it as well, and decides what to do
        return code if code >= 0 else 128 - code
