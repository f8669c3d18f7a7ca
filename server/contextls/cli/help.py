"""Pages of help: commands in groups, colour where a terminal shows it, and help instead of a complaint for no arguments."""

from __future__ import annotations

import re
from typing import Any

import typer
import typer.core

from contextls.cli.output import emit, has_colour
from contextls.cli.plain_values import read_plainly
from contextls.regex import compile_late

# The groups of commands, in the order of the page; a command without one stands at its end.
ASK, WORKSPACE, ACTIVITY, STEER, CONVERSATIONS, TEXTS, CONNECT = GROUPS = (
    "Ask",
    "Workspace",
    "Activity",
    "Steer what goes in",
    "Conversations",
    "Texts",
    "Connect editors, shells and agents",
)
_OTHER = "More commands"
_MAX_SUMMARY_CHARS = 200
_HEADING = compile_late(r"^(?:Usage|\S[^\n]*)(?=:)", re.MULTILINE)
# An option too long for its column stands alone on its line; a command that does would be a line of text.
_FIRST_COLUMN = compile_late(r"^(  (?! ))(--?\S*(?: \S+)*(?=  |$)|[a-z]\S*(?: \S+)*(?=  ))", re.MULTILINE)


class HelpContext(typer.Context):
    """A context whose page of help has colours."""

    def get_help(self) -> str:
        """The page of help of its command."""
        for param in self.command.get_params(self):
            name_value(param)
        page = super().get_help()
        return colour_page(page) if has_colour() else page


class HelpGroup(typer.core.TyperGroup):
    """A command with commands, which stand in groups on its page."""

    context_class = HelpContext

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - a private type
        """Read the arguments; without any, print the page of help and end well."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            emit(ctx.get_help())
            raise typer.Exit(0)
        read_plainly(self, ctx)
        return super().parse_args(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - a private type
        """The command of this name, whose page gets colours too, and which starts at once."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            command.context_class = HelpContext
            read_plainly(command, ctx)
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - private types
        """Write the commands by their groups, each with its first sentence, whole."""
        sections: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                panel = getattr(command, "rich_help_panel", None)
                title = panel if isinstance(panel, str) else _OTHER if ctx.parent is None else "Commands"
                sections.setdefault(title, []).append((name, command.get_short_help_str(_MAX_SUMMARY_CHARS)))
        widest = max(len(name) for rows in sections.values() for name, _ in rows)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl([(name.ljust(widest), text) for name, text in rows])


def name_value(param: Any) -> None:  # noqa: ANN401 - a private type
    """Let the page of help call what a parameter takes by a word for people, where typer would name the type in Python."""
    kind = param.type_descriptor
    if param.param_type_name == "argument":
        param._usage_display_name = lambda: _usage_of(param)
        if not kind.is_choice:
            param.display_type_rich = lambda **_: None
    elif param.metavar is None and not (param.is_flag or kind.is_choice):
        is_number = kind.annotation in (int, int | None, float, float | None)
        param.metavar = "N" if is_number else "PATH" if kind.is_path else "TEXT"


def _usage_of(argument: Any) -> str:  # noqa: ANN401 - a private type
    """An argument as the first line of a page has it: in brackets where it may be left out, with dots for several."""
    name = str(argument.display_name_raw)
    if not (argument.required or name.startswith("[")):
        name = f"[{name}]"
    return name if argument.nargs == 1 or name.rstrip("]").endswith(("...", "…")) else f"{name}..."


def colour_page(page: str) -> str:
    """A page of help with its headings bold, and commands and options in a colour."""
    head, examples, rest = page.partition("Examples:")
    head = _HEADING.sub(lambda found: typer.style(found[0], bold=True), head)
    head = _FIRST_COLUMN.sub(lambda found: found[1] + typer.style(found[2], fg="cyan"), head)
    return head + (typer.style("Examples", bold=True) + ":" if examples else "") + rest
