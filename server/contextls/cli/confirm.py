"""The question before something is deleted or written."""

from __future__ import annotations

import sys

import typer


class LacksOption(typer.BadParameter):
    """A command line to which an option has to be added; the message says which. No value in it is wrong."""

    def format_message(self) -> str:
        """The message alone."""
        return self.message


def confirm(question: str) -> None:
    """Ask, and end with status 1 after a no. Raises ``LacksOption`` where nobody is there to answer."""
    if not sys.stdin.isatty():
        raise LacksOption("nobody is there to ask; add --yes")
    if not typer.confirm(question, err=True):
        raise typer.Exit(1)
