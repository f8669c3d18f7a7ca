"""``contextls hook``: what a shell or a coding agent needs to tell workspaces what happens in them."""

from __future__ import annotations

import json
import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from contextls.agents.table import AGENTS
from contextls.cli.agent_setup import (
    ENTRY,
    FileChange,
    command_line,
    hooks_of,
    plan_change,
    project_file,
    user_file,
)
from contextls.cli.confirm import confirm
from contextls.cli.options import parse_tokens
from contextls.cli.output import emit, emit_text, note
from contextls.cli.roots import find_folder
from contextls.errors import StoreError
from contextls.isolation import python_command
from contextls.package_data import read_packaged
from contextls.standalone import workspace_list
from contextls.user_files import replace_small_file

EXAMPLES = (
    'eval "$(contextls hook bash)"                                 # in ~/.bashrc',
    "contextls hook zsh > ~/.contextls.zsh                         # then source it in ~/.zshrc",
    "contextls hook fish > ~/.config/fish/conf.d/contextls.fish",
    "contextls hook claude-code                                    # print the hooks",
    "contextls hook claude-code --install                          # show what would change, ask, write it",
    "contextls hook cursor --install --root ~/src/app              # for one workspace alone",
)


class HookHost(StrEnum):
    """The shells and agents that there is a hook for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    COPILOT = "copilot"
    CURSOR = "cursor"


def hook(
    host: Annotated[
        HookHost,
        typer.Argument(metavar="SHELL|AGENT", help=f"One of {', '.join(HookHost)}.", show_default=False),
    ],
    install: Annotated[
        bool, typer.Option("--install", help="Write an agent's hooks: shows the change and asks first.")
    ] = False,
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Take an agent's hooks out again.")] = False,
    root: Annotated[
        Path | None,
        typer.Option(
            help="Set an agent up for this workspace alone, in its folder.",
            show_default="the user's own file, for all known workspaces",
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            parser=parse_tokens,
            metavar="N",
            help="The most tokens of context that a prompt of the agent gets, such as 1500 or 3k.",
            show_default="2000",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Print or install the hook of a shell or of a coding agent.

    A shell's hook records each command with its exit code and duration, in the background, within workspaces that
    contextls has opened or below CONTEXTLS_ROOT. It records no output; `contextls run` does.
    An agent's hooks record what it reads, edits and runs, and give it context; see docs/agents.md.
    """
    agent = AGENTS.get(host.value)
    if agent is None:
        if install or uninstall or root is not None or budget is not None:
            raise typer.BadParameter(
                f"for agents only: {', '.join(AGENTS)}",
                param_hint="--install, --uninstall, --root or --budget",
            )
        emit(_shell_script(host))
        return
    if install and uninstall:
        raise typer.BadParameter("give one of them", param_hint="--install or --uninstall")
    folder = None if root is None else find_folder(root)
    wanted = hooks_of(agent, command_line(agent, budget, folder))
    if not (install or uninstall):
        emit_text(json.dumps(wanted, indent=2, ensure_ascii=False))
        return
    file = user_file(agent) if folder is None else project_file(agent, folder)
    change = plan_change(file, wanted if install else None, agent.top)
    if not change.diff():
        note(f"{change.path}: nothing to change")
        return
    _write(change, ask=not yes)
    if install:
        note(f"Formats of {agent.title}, as of {agent.checked}. {agent.afterwards}")


def _write(change: FileChange, *, ask: bool) -> None:
    """Show the change and write it, after a yes where the user is to be asked."""
    emit_text(change.diff())
    if ask:
        confirm(f"{'Delete' if change.after is None else 'Write'} {change.path}?")
    try:
        if change.after is None:
            change.path.unlink()
            note(f"deleted: {change.path}, which held nothing else")
            return
        backup = replace_small_file(change.path, change.after)
    except OSError as error:
        raise StoreError(f"{change.path} cannot be written: {error.strerror or error}") from None
    kept = f"; as it was: {backup.name}" if backup is not None else ""
    note(f"written: {change.path}{kept}")


def _shell_script(host: HookHost) -> str:
    script = read_packaged(Path(__file__).parents[1] / "hooks" / f"hook.{host}")
    return script.replace("@KNOWN@", shlex.quote(str(workspace_list()))).replace("@COMMAND@", _command())


def _command() -> str:
    """The command line of this program for any folder, whatever the search path and Python's variables will be."""
    return shlex.join(python_command(ENTRY, "shell"))
