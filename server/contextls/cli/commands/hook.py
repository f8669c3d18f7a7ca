"""``contextls hook``: what a shell needs to tell workspaces of the commands that run in them."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from contextls.cli.output import emit
from contextls.isolation import python_command
from contextls.package_data import read_packaged
from contextls.standalone import workspace_list

EXAMPLES = (
    'eval "$(contextls hook bash)"                                 # in ~/.bashrc',
    "contextls hook zsh > ~/.contextls.zsh                         # then source it in ~/.zshrc",
    "contextls hook fish > ~/.config/fish/conf.d/contextls.fish",
)


class Shell(StrEnum):
    """The shells that there is a hook for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def hook(shell: Annotated[Shell, typer.Argument(help="Your shell.", show_default=False)]) -> None:
    """Print a shell integration.

    It records each command with its exit code and duration, in the background, within workspaces that contextls has
    opened or below CONTEXTLS_ROOT. It records no output; `contextls run` does.
    """
    script = read_packaged(Path(__file__).parents[1] / "hooks" / f"hook.{shell}")
    emit(script.replace("@KNOWN@", shlex.quote(str(workspace_list()))).replace("@COMMAND@", _command()))


def _command() -> str:
    """How this program is called from any folder, whatever the search path and Python's variables will be."""
    return shlex.join(python_command("contextls"))
