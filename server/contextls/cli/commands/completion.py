"""``contextls completion``: what a shell needs to complete commands and options."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from contextls.cli.output import emit

VARIABLE = "_CONTEXTLS_COMPLETE"  # set by a shell that asks for completions
EXAMPLES = (
    'eval "$(contextls completion bash)"                                # in ~/.bashrc',
    'eval "$(contextls completion zsh)"                                 # in ~/.zshrc, after compinit',
    "contextls completion fish > ~/.config/fish/completions/contextls.fish",
    "contextls completion powershell | Out-String | Invoke-Expression   # in $PROFILE",
)


class Shell(StrEnum):
    """The shells that commands can be completed in."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    POWERSHELL = "powershell"


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="Your shell.", show_default=False)],
) -> None:
    """Print what completes commands, options and their values in a shell.

    At each TAB the shell asks the program `contextls` that it finds in its PATH.
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # typer lists no exports

    emit(get_completion_script(prog_name="contextls", complete_var=VARIABLE, shell=shell.value))


def prepare() -> None:
    """Make the answers to shells ready; only where one asks."""
    from typer.completion import completion_init  # type: ignore[attr-defined]

    completion_init()
