"""``contextls``: wires the commands together and turns every ending into one line and an exit status."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from typing import Annotated

import typer

from contextls import __version__
from contextls.cli.commands import (
    activity,
    ask,
    assemble,
    chat,
    clear,
    completion,
    compress,
    doctor,
    entities,
    events,
    feedback,
    graph,
    hook,
    index,
    mcp,
    pack,
    patterns,
    record,
    scope,
    search,
    serve,
    status,
    task,
    tokens,
    working_set,
)
from contextls.cli.commands import run as run_and_record
from contextls.cli.help import ACTIVITY, ASK, CONNECT, CONVERSATIONS, STEER, TEXTS, WORKSPACE, HelpGroup
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
    cls=HelpGroup,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,  # `contextls completion` writes into no file of the user
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


def _add(command: Callable[..., None], examples: tuple[str, ...], group: str) -> None:
    app.command(epilog=epilog(*examples), rich_help_panel=group)(command)


_add(assemble.assemble, assemble.EXAMPLES, ASK)
_add(search.search, search.EXAMPLES, ASK)
_add(graph.graph, graph.EXAMPLES, ASK)
_add(entities.entities, entities.EXAMPLES, ASK)
_add(patterns.patterns, patterns.EXAMPLES, ASK)
_add(index.index, index.EXAMPLES, WORKSPACE)
_add(status.status, status.EXAMPLES, WORKSPACE)
_add(clear.clear, clear.EXAMPLES, WORKSPACE)
_add(doctor.doctor, doctor.EXAMPLES, WORKSPACE)
_add(activity.activity, activity.EXAMPLES, ACTIVITY)
_add(events.events, events.EXAMPLES, ACTIVITY)
app.command(
    epilog=epilog(*run_and_record.EXAMPLES),
    rich_help_panel=ACTIVITY,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)(run_and_record.run)
app.add_typer(record.record, rich_help_panel=ACTIVITY)
_add(working_set.pin, working_set.PIN_EXAMPLES, STEER)
_add(working_set.unpin, working_set.UNPIN_EXAMPLES, STEER)
_add(working_set.exclude, working_set.EXCLUDE_EXAMPLES, STEER)
_add(working_set.include, working_set.INCLUDE_EXAMPLES, STEER)
_add(working_set.pins, working_set.PINS_EXAMPLES, STEER)
app.add_typer(scope.scope, rich_help_panel=STEER)
app.add_typer(working_set.working_set, rich_help_panel=STEER)
app.add_typer(task.task, rich_help_panel=STEER)
_add(feedback.feedback, feedback.EXAMPLES, STEER)
app.add_typer(chat.chat, rich_help_panel=CONVERSATIONS)
_add(pack.pack, pack.EXAMPLES, TEXTS)
_add(tokens.tokens, tokens.EXAMPLES, TEXTS)
_add(compress.compress, compress.EXAMPLES, TEXTS)
_add(serve.serve, serve.EXAMPLES, CONNECT)
_add(mcp.mcp, mcp.EXAMPLES, CONNECT)
_add(hook.hook, hook.EXAMPLES, CONNECT)
_add(completion.completion, completion.EXAMPLES, CONNECT)
app.command(epilog=epilog(*ask.EXAMPLES), hidden=True)(ask.ask)


def run(arguments: list[str]) -> int:
    """Run one command line; returns the exit status. Never raises, never prints a traceback unasked."""
    if completion.VARIABLE in os.environ:
        completion.prepare()
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
