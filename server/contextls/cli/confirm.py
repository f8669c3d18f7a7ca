"""The question before something is deleted or written."""

from __future__ import annotations

import sys

import typer


def confirm(question: str) -> None:
    """Ask, and end with status 1 after a no. Raises ``typer.BadParameter`` where nobody is there to answer."""
    if not sys.stdin.isatty():
        raise typer.BadParameter("nobody is there to ask; add --yes", param_hint="--yes")
    if not typer.confirm(question, err=True):
        raise typer.Exit(1)
