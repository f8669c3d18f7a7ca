"""The program ``contextls``. An editor's way to start its server loads no command line: it would take half of the time."""

from __future__ import annotations

import sys

from contextls.isolation import isolate

_AS_EDITORS_START_IT = (["serve"], ["serve", "--stdio"])


def run(arguments: list[str]) -> int:
    """Run one command line; returns the exit status. Never raises, never prints a traceback unasked."""
    from contextls.cli.app import run_command

    return run_command(arguments)


def main() -> None:
    """Run the ``contextls`` command and end the process with its exit status."""
    isolate()
    if sys.argv[1:] in _AS_EDITORS_START_IT:
        from contextls.cli.serving import serve_editor

        sys.exit(serve_editor())
    from contextls.cli.output import prepare_streams

    prepare_streams()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
