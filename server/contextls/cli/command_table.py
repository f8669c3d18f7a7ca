"""Every command of ``contextls``: its name, the module that it lives in, the group that its help stands in.

A module is loaded when its command is called, or when all of them are shown: most need other libraries.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand

from contextls.cli.help import ACTIVITY, ASK, CONNECT, CONVERSATIONS, STEER, TEXTS, WORKSPACE
from contextls.cli.options import epilog
from contextls.cli.roots import CommandWithRoot, DeletingCommand


@dataclass(frozen=True, slots=True)
class Entry:
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
        Entry("assemble", ASK),
        Entry("search", ASK),
        Entry("graph", ASK),
        Entry("entities", ASK),
        Entry("patterns", ASK),
        Entry("index", WORKSPACE),
        Entry("status", WORKSPACE),
        Entry("clear", WORKSPACE, kind=DeletingCommand),
        Entry("doctor", WORKSPACE),
        Entry("activity", ACTIVITY),
        Entry("events", ACTIVITY),
        Entry("run", ACTIVITY, settings=_PASSES_WORDS_ON),
        Entry("record", ACTIVITY),
        Entry("pin", STEER, "working_set", "PIN_EXAMPLES"),
        Entry("unpin", STEER, "working_set", "UNPIN_EXAMPLES"),
        Entry("exclude", STEER, "working_set", "EXCLUDE_EXAMPLES"),
        Entry("include", STEER, "working_set", "INCLUDE_EXAMPLES"),
        Entry("pins", STEER, "working_set", "PINS_EXAMPLES"),
        Entry("scope", STEER),
        Entry("working-set", STEER),
        Entry("task", STEER),
        Entry("feedback", STEER),
        Entry("chat", CONVERSATIONS),
        Entry("pack", TEXTS, kind=TyperCommand),  # without a word it packs the current folder
        Entry("tokens", TEXTS),
        Entry("compress", TEXTS),
        Entry("serve", CONNECT),
        Entry("mcp", CONNECT),
        Entry("hook", CONNECT),
        Entry("completion", CONNECT),
        Entry("ask", "", hidden=True),
    )
}
