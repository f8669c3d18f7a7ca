"""The program ``contextls``. An editor's way to start its server loads no command line: it would take half of the time."""

from __future__ import annotations

import atexit
import gc
import signal
import sys
from typing import TYPE_CHECKING

from contextls.errors import INTERRUPTED, TERMINATED
from contextls.isolation import isolate

if TYPE_CHECKING:
    from types import FrameType

_AS_EDITORS_START_IT = (["serve"], ["serve", "--stdio"])
# Modules and an index are hundreds of thousands of objects that stay to the end of a command: at Python's own rate, looking
# through them again and again is a fifth of its time.
_OBJECTS_BETWEEN_COLLECTIONS = 200_000


def run(arguments: list[str]) -> int:
    """Run one command line; returns the exit status. Never raises, never prints a traceback unasked."""
    from contextls.cli.app import run_command

    return run_command(arguments)


def collect_rarely() -> None:
    """Let the garbage collector leave alone what a command loads, and what is there when it ends."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)  # the system takes all of it back at once


def end_when_asked() -> None:
    """Let a command that is asked to end close what it opened, instead of leaving that to the processes beside it."""

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
    collect_rarely()
    end_when_asked()
    try:
        from contextls.cli.output import prepare_streams

        prepare_streams()
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:  # before a command began, which tells of it itself
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
