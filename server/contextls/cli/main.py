"""``contextls``: wires the commands together and turns every ending into one line and an exit status."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Annotated

import typer

from contextls import __version__
from contextls.cli.commands import (
    activity,
    ask,
    assemble,
    clear,
    compress,
    entities,
    events,
    feedback,
    graph,
    hook,
    index,
    patterns,
    record,
    search,
    serve,
    status,
    task,
    tokens,
    working_set,
)
from contextls.cli.commands import run as run_and_record
from contextls.cli.options import epilog
from contextls.cli.output import complain, note, prepare_streams
from contextls.errors import ContextlsError
from contextls.isolation import isolate

INTERRUPTED = 130

app = typer.Typer(
    name="contextls",
    epilog=epilog(
        'contextls assemble "how does a request reach its handler?"',
        'contextls search "retry with backoff" ~/src/app',
        "contextls serve",
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=True,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"contextls {__version__}")
        raise typer.Exit


@app.callback()
def _contextls(
    _show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Turn a question about a workspace into the best prompt that fits a token budget."""


app.command(epilog=epilog(*assemble.EXAMPLES))(assemble.assemble)
app.command(epilog=epilog(*search.EXAMPLES))(search.search)
app.command(epilog=epilog(*index.EXAMPLES))(index.index)
app.command(epilog=epilog(*status.EXAMPLES))(status.status)
app.command(epilog=epilog(*events.EXAMPLES))(events.events)
app.command(epilog=epilog(*activity.EXAMPLES))(activity.activity)
app.add_typer(record.record)
app.command(
    epilog=epilog(*run_and_record.EXAMPLES),
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)(run_and_record.run)
app.command(epilog=epilog(*hook.EXAMPLES))(hook.hook)
app.add_typer(task.task)
app.command(epilog=epilog(*working_set.PIN_EXAMPLES))(working_set.pin)
app.command(epilog=epilog(*working_set.UNPIN_EXAMPLES))(working_set.unpin)
app.command(epilog=epilog(*working_set.EXCLUDE_EXAMPLES))(working_set.exclude)
app.command(epilog=epilog(*working_set.INCLUDE_EXAMPLES))(working_set.include)
app.command(epilog=epilog(*working_set.PINS_EXAMPLES))(working_set.pins)
app.command(epilog=epilog(*entities.EXAMPLES))(entities.entities)
app.command(epilog=epilog(*graph.EXAMPLES))(graph.graph)
app.command(epilog=epilog(*patterns.EXAMPLES))(patterns.patterns)
app.command(epilog=epilog(*feedback.EXAMPLES))(feedback.feedback)
app.command(epilog=epilog(*tokens.EXAMPLES))(tokens.tokens)
app.command(epilog=epilog(*compress.EXAMPLES))(compress.compress)
app.command(epilog=epilog(*clear.EXAMPLES))(clear.clear)
app.command(epilog=epilog(*serve.EXAMPLES))(serve.serve)
app.command(epilog=epilog(*ask.EXAMPLES), hidden=True)(ask.ask)


def run(arguments: list[str]) -> int:
    """Run one command line; returns the exit status. Never raises, never prints a traceback unasked."""
    try:
        return app(args=arguments, prog_name="contextls", standalone_mode=False) or 0
    except ContextlsError as error:
        complain(error)
        return error.exit_status
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context else "contextls"
        note(f"{where}: {error.format_message()} (see {where} --help)")
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        note("interrupted")
        return INTERRUPTED
    except OSError as error:
        complain(error)
        return 1
    except Exception as error:  # the last line of defence: a defect is one line too
        if os.environ.get("CONTEXTLS_DEBUG"):
            traceback.print_exc()
        note(f"contextls: internal error: {type(error).__name__}: {error} (CONTEXTLS_DEBUG=1 shows where)")
        return 1


def main() -> None:
    """Run the ``contextls`` command and end the process with its exit status."""
    isolate()
    prepare_streams()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
