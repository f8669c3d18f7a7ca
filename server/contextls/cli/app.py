"""``contextls``: wires the commands together and turns every ending into one line and an exit status."""

from __future__ import annotations

import os
import shlex
import traceback
from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import Annotated

import typer

from contextls import __version__
from contextls.cli.command_table import COMMANDS
from contextls.cli.commands import completion
from contextls.cli.help import HelpGroup
from contextls.cli.options import epilog
from contextls.cli.output import complain, note, warn
from contextls.cli.shortage import find_shortage
from contextls.cli.user_settings import user_settings
from contextls.errors import INTERRUPTED, ContextlsError, WorkspaceError
from contextls.isolation import current_folder

_VERSION = "--version"


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"contextls {__version__}")
        raise typer.Exit


def _contextls(
    _show_version: Annotated[
        bool, typer.Option(_VERSION, callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Turn a question about a workspace into the best prompt that fits a token budget."""


def build_app(names: Collection[str] = COMMANDS) -> typer.Typer:
    """The command line with the commands of these names: loading all of them takes longer than most do their work."""
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
    app.callback()(_contextls)
    for name in names:
        COMMANDS[name].add_to(app)
    return app


def _names_called(arguments: Sequence[str]) -> Collection[str]:
    """The names of the commands that are needed: the one that is called, or all for help and for shells that complete."""
    if completion.VARIABLE in os.environ or not arguments:
        return COMMANDS
    called = arguments[0]
    return (called,) if called in COMMANDS else () if called == _VERSION else COMMANDS


def _hint_at_dashes(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """The way to give a question or a path that was taken for an option, because it begins with a dash."""
    option = str(getattr(error, "option_name", ""))
    for word in takewhile(lambda each: each != "--", arguments):
        is_long = word.startswith("--")
        names = word.partition("=")[:1] if is_long else [f"-{letter}" for letter in word.removeprefix("-")]
        is_text = " " in word or (not is_long and len(word) > len("-x"))
        if word.startswith("-") and option in names and is_text:
            return f"; a text that begins with a dash comes last, after --: -- {shlex.quote(word)}"
    return ""


def _hint_at_question(message: str, arguments: Sequence[str]) -> str:
    """The way to ask where a question stands in the place of a command."""
    question = " ".join(arguments)
    is_command = any(word in COMMANDS or word.startswith("-") for word in arguments[:1])
    if is_command or " " not in question or not message.endswith("'."):
        return ""
    return f" To ask: contextls assemble {shlex.quote(question)}"


def run_command(arguments: list[str]) -> int:
    """Run one command line; returns the exit status. Never raises, never prints a traceback unasked."""
    if completion.VARIABLE in os.environ:
        completion.prepare()
    user_settings.cache_clear()
    warn.cache_clear()
    try:
        app = build_app(_names_called(arguments))
        return app(args=arguments, prog_name="contextls", standalone_mode=False) or 0
    except ContextlsError as error:
        complain(error)
        return error.exit_status
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context else "contextls"
        message = " ".join(error.format_message().split())  # typer lists choices in lines of their own
        hint = _hint_at_dashes(error, arguments) or _hint_at_question(message, arguments)
        note(f"{where}: {message}{hint} (see {where} --help)")
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        note("interrupted")
        return INTERRUPTED
    except Exception as error:
        return _tell_of(error)


def _tell_of(error: Exception) -> int:
    """Tell in one line of what a command did not foresee; the exit status."""
    if (shortage := find_shortage(error)) is not None:
        complain(shortage)
        return shortage.exit_status
    if isinstance(error, OSError):
        if isinstance(error, FileNotFoundError) and current_folder() is None:
            note("contextls: the current folder was deleted; go to one that exists")
            return WorkspaceError.exit_status
        complain(error)
        return 1
    # The last line of defence: a defect is one line too.
    if os.environ.get("CONTEXTLS_DEBUG"):
        traceback.print_exception(error)
    note(f"contextls: internal error: {type(error).__name__}: {error} (CONTEXTLS_DEBUG=1 shows where)")
    return 1
