"""Arguments and options that several commands share, and the words of their help."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from contextls.regex import compile_late
from contextls.standalone import check_tokenizer

_NUMBER = compile_late(r"(\d{1,12}(?:[_,]\d{3})*(?:\.\d{1,3})?)\s*([kKmM]?)")
_FACTORS = {"": 1, "k": 1_000, "m": 1_000_000}


def parse_tokens(text: str | int) -> int:
    """Read a number of tokens: ``4000``, ``4_000``, ``4k``, ``1.5k``, ``1m``. Raises ``typer.BadParameter``."""
    found = _NUMBER.fullmatch(str(text).strip())
    number = float(re.sub("[_,]", "", found[1])) * _FACTORS[found[2].lower()] if found else -1.0
    if number < 1 or number != int(number):
        raise typer.BadParameter(
            f"expected a whole number of tokens from 1 on, such as 4000 or 4k, got {text!r}"
        )
    return int(number)


def parse_tokenizer(name: str) -> str:
    """``name`` itself, where it is an encoding or a model that is known. Raises ``InvalidRequestError``."""
    check_tokenizer(name)
    return name


_AROUND = "the known workspace around the current folder, else that folder"
Root = Annotated[
    Path,
    typer.Argument(
        metavar="ROOT",
        help="The workspace: any folder, git or not.",
        show_default=_AROUND,
    ),
]
RootOption = Annotated[
    Path,
    typer.Option("--root", help="The workspace.", show_default=_AROUND),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print JSON, with the names that the language server uses.")
]
NoIndex = Annotated[bool, typer.Option("--no-index", help="Do not bring the index up to date first.")]

Scope = Annotated[
    list[str] | None,
    typer.Option(
        "--scope",
        metavar="FOLDER|PACKAGE",
        help="Limit this question to a folder or a package; may be repeated.",
        show_default="the saved scope",
    ),
]
NoScope = Annotated[
    bool, typer.Option("--no-scope", help="Ask the whole workspace, whatever scope is saved.")
]
Tokenizer = Annotated[
    str | None,
    typer.Option(
        help="Encoding or model whose tokens are counted; estimate for any other.",
        show_default="the setting, o200k_base",
        parser=parse_tokenizer,
        metavar="NAME",
    ),
]

EXIT_CODES = (
    "Exit status: 0 done; 1 nothing found, or it failed; 2 wrong usage or a ROOT that cannot be used; "
    "3 state on disk cannot be read or written; 130 interrupted; 143 asked to end."
)


def epilog(*examples: str) -> str:
    """Write the end of a command's help: examples one per line, then the exit codes."""
    lines = "\n".join(f"  {example}" for example in examples)
    return f"\b\nExamples:\n{lines}\n\n{EXIT_CODES}"
