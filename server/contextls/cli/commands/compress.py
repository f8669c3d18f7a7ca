"""``contextls compress``: a file within a token budget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextls.cli.arguments import readable
from contextls.cli.both_ends import BothEnds
from contextls.cli.options import Json, Tokenizer, parse_tokens
from contextls.cli.output import emit_json, emit_text, note
from contextls.cli.user_settings import user_settings
from contextls.errors import InvalidRequestError
from contextls.standalone import compress_file, decode_text

EXAMPLES = (
    "contextls compress src/app.py --max-tokens 800",
    "pytest 2>&1 | contextls compress --max-tokens 300",
)

_BLOCK = 1_000_000
_EACH_END = 4_000_000  # bytes of a text that is too long to be looked through whole
_MAX_BYTES = 4_000_000_000  # a device has no end


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
        _read(file),
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


def _read(file: Path) -> str:
    """The text of a file, of a very long one both ends. Raises ``InvalidRequestError`` for what holds none."""
    with readable(file, "FILE") as source:
        raw = source.read(2 * _EACH_END)
        text = decode_text(raw, file.name)
        if text is None:
            raise InvalidRequestError("FILE", "a text; this is binary", str(file))
        ends, size = BothEnds(_EACH_END), len(raw)
        ends.add(raw)
        while block := source.read(_BLOCK):
            size += len(block)
            if size > _MAX_BYTES:
                raise InvalidRequestError("FILE", f"at most {_MAX_BYTES:,} bytes", str(file))
            ends.add(block)
    if size == len(raw):
        return text
    note(f"of {size:,} bytes only the first and the last {_EACH_END:,} are looked at")
    return ends.text()
