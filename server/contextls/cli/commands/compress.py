"""``contextls compress``: a file within a token budget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextls.cli.commands.tokens import text_of
from contextls.cli.options import Json, Tokenizer, parse_tokens
from contextls.cli.output import emit_json, emit_text, note
from contextls.cli.user_settings import user_settings
from contextls.standalone import compress_file

EXAMPLES = (
    "contextls compress src/app.py --max-tokens 800",
    "pytest 2>&1 | contextls compress --max-tokens 300",
)


def compress(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="A file; - is standard input.")] = Path("-"),
    max_tokens: Annotated[
        int,
        typer.Option(
            "--max-tokens",
            "--budget",
            parser=parse_tokens,
            metavar="N",
            help="The most tokens that may come out, such as 800 or 2k.",
        ),
    ] = 1000,
    language: Annotated[
        str | None, typer.Option(help="What the text is written in; by default told from FILE's name.")
    ] = None,
    tokenizer: Tokenizer = None,
    as_json: Json = False,
) -> None:
    """Shorten a text to a token budget, without a model.

    Code keeps its signatures, a log its first error and its end, prose its main sentences. Secrets are redacted.
    """
    settings = user_settings()
    short = compress_file(
        text_of(file),
        max_tokens,
        tokenizer or settings.tokenizer,
        name=file.name,
        language=language,
        parse_seconds=settings.parse_timeout_seconds,
    )
    if as_json:
        emit_json(short)
        return
    emit_text(short.text)
    note(f"{short.token_count:,} of {max_tokens:,} tokens ({short.tokenizer}), {short.method}")
    if short.warning:
        note(short.warning)
