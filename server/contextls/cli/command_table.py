"""Every command of ``contextls``: its name, the module that it lives in, the group that its help stands in.

A module is loaded when its command is called, or when all of them are shown: most need other libraries.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from msgspec import Struct
from typer.core import TyperCommand

from contextls.cli.help import ACTIVITY, ASK, CONNECT, CONVERSATIONS, STEER, TEXTS, WORKSPACE
from contextls.cli.options import epilog
from contextls.cli.roots import CommandWithRoot, DeletingCommand, RunningCommand


class CommandEntry(Struct, frozen=True):
    """One command, or one with commands of its own (a ``typer.Typer``). ``examples`` is the name of its examples."""

    name: str
    group: str
    module: str = ""
    examples: str = "EXAMPLES"
    hidden: bool = False
    settings: tuple[tuple[str, Any], ...] = ()  # of the command's context
    kind: type[TyperCommand] = CommandWithRoot

    def add_to(self, app: typer.Typer) -> None:
        """Load the command and make it one of ``app``."""
        known = self.name.replace("-", "_")
        module = import_module(f"contextls.cli.commands.{self.module or known}")
        made = getattr(module, known)
        if isinstance(made, typer.Typer):
            for each in made.registered_commands:
                each.cls = CommandWithRoot
            app.add_typer(made, rich_help_panel=self.group)
            return
        app.command(
            cls=self.kind,
            epilog=epilog(*getattr(module, self.examples)),
            rich_help_panel=self.group or None,
            hidden=self.hidden,
            context_settings=dict(self.settings) or None,
        )(made)


_PASSES_WORDS_ON = (("ignore_unknown_options", True), ("allow_interspersed_args", False))

# In the order of the page of help.
COMMANDS = {
    entry.name: entry
    for entry in (
        CommandEntry("assemble", ASK),
        CommandEntry("search", ASK),
        CommandEntry("graph", ASK),
        CommandEntry("entities", ASK),
        CommandEntry("patterns", ASK),
        CommandEntry("index", WORKSPACE),
        CommandEntry("status", WORKSPACE),
        CommandEntry("clear", WORKSPACE, kind=DeletingCommand),
        CommandEntry("doctor", WORKSPACE),
        CommandEntry("activity", ACTIVITY),
        CommandEntry("events", ACTIVITY),
        CommandEntry("run", ACTIVITY, settings=_PASSES_WORDS_ON, kind=RunningCommand),
        CommandEntry("record", ACTIVITY),
        CommandEntry("pin", STEER, "pins", "PIN_EXAMPLES"),
        CommandEntry("unpin", STEER, "pins", "UNPIN_EXAMPLES"),
        CommandEntry("exclude", STEER, "pins", "EXCLUDE_EXAMPLES"),
        CommandEntry("include", STEER, "pins", "INCLUDE_EXAMPLES"),
        CommandEntry("pins", STEER),
        CommandEntry("scope", STEER),
        CommandEntry("working-set", STEER),
        CommandEntry("task", STEER),
        CommandEntry("feedback", STEER),
        CommandEntry("chat", CONVERSATIONS),
        CommandEntry("pack", TEXTS, kind=TyperCommand),  # without a word it packs the current folder
        CommandEntry("tokens", TEXTS),
        CommandEntry("compress", TEXTS),
        CommandEntry("serve", CONNECT),
        CommandEntry("mcp", CONNECT),
        CommandEntry("hook", CONNECT),
        CommandEntry("completion", CONNECT),
        CommandEntry("ask", "", hidden=True),
    )
}
