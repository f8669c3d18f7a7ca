"""Arguments and options that several commands share, and the words of their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Root = Annotated[
    Path,
    typer.Argument(
        metavar="ROOT", help="The workspace: any folder, git or not.", show_default="current folder"
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print JSON, with the names that the language server uses.")
]
NoIndex = Annotated[
    bool, typer.Option("--no-index", help="Answer from the index as it is; do not bring it up to date first.")
]

EXIT_CODES = (
    "Exit status: 0 done; 1 nothing found, or it failed; 2 wrong usage or a ROOT that cannot be used; "
    "3 state on disk cannot be read or written; 130 interrupted."
)


def epilog(*examples: str) -> str:
    """Write the end of a command's help: examples one per line, then the exit codes."""
    lines = "\n".join(f"  {example}" for example in examples)
    return f"\b\nExamples:\n{lines}\n\n{EXIT_CODES}"
