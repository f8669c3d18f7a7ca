"""``contextls tokens``: how many tokens files have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from contextls.cli.arguments import read_whole
from contextls.cli.options import Json, Tokenizer
from contextls.cli.output import emit, emit_json, one_line
from contextls.cli.user_settings import user_settings
from contextls.standalone import count_tokens, decode_text

EXAMPLES = (
    "contextls tokens README.md docs/protocol.md",
    "git diff | contextls tokens - --tokenizer gpt-4o",
)

_MAX_BYTES = 256_000_000  # of one file: some twenty seconds; a device has no end


def tokens(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Files; - is standard input, the default."),
    ] = None,
    tokenizer: Tokenizer = None,
    as_json: Json = False,
) -> None:
    """Count the tokens of files.

    Counts are exact where a model's tokenizer is public; elsewhere they are estimated on the safe side, marked with ~.
    """
    names = files or [Path("-")]
    counts = count_tokens(tuple(map(_text_of, names)), tokenizer or user_settings().tokenizer)
    if as_json:
        emit_json(counts)
        return
    mark = "" if counts.tokenizer_exact else "~"
    rows = list(zip(map(str, names), counts.counts, strict=True))
    if len(rows) > 1:
        rows.append(("total", counts.total))
    for name, number in rows:
        emit(f"{mark}{number}\t{one_line(name)}" if len(rows) > 1 else f"{mark}{number}")


def _text_of(file: Path) -> str:
    """The text of a file, whatever its bytes; ``-`` is standard input."""
    raw = read_whole(file, "FILE", _MAX_BYTES)
    return decode_text(raw) or raw.decode("utf-8", "replace")
