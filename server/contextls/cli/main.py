"""The program ``contextls``. An editor's way to start its server loads no command line: it would take half of the time."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

from contextls.cli.short_process import ProcessEnd, collect_rarely
from contextls.errors import INTERRUPTED, TERMINATED
from contextls.isolation import isolate

if TYPE_CHECKING:
    from types import FrameType

_AS_EDITORS_START_IT = (["serve"], ["serve", "--stdio"])


def run(arguments: list[str]) -> int:
    """Run one command line; returns the exit status. Never raises, never prints a traceback unasked."""
    from contextls.cli.app import run_command

    return run_command(arguments)


def end_when_asked() -> None:
    """Let a command that is asked to end close what it opened, instead of leaving that to its other processes."""

    def end(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a second signal ends it at once
        sys.exit(TERMINATED)

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)


def main() -> None:
    """Run the ``contextls`` command and end the process with its exit status."""
    isolate()
    if sys.argv[1:] in _AS_EDITORS_START_IT:
        from contextls.cli.serving import serve_editor

        sys.exit(serve_editor())
    end = ProcessEnd()
    collect_rarely()
    end_when_asked()
    try:
        from contextls.cli.output import prepare_streams

        prepare_streams()
        end.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:  # before a command began, which tells of it itself
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
