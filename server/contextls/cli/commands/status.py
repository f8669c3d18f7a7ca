"""``contextls status``: the truth about a workspace's index and events, or about one of its files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.cli.options import Json, Root
from contextls.cli.output import cell, emit, emit_json, emit_rich, emit_text, warn
from contextls.cli.session import open_engine
from contextls.errors import InvalidRequestError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contextls.engine import Engine
    from contextls.model import FileStatus, Status

_WRITERS = {
    "this": "by this process",
    "another": "by an editor or agent that has it open",
    "none": "by each command when it is asked",
}
EXAMPLES = (
    "contextls status",
    "contextls status ~/src/app --json | jq .indexBytes",
    "contextls status --file dist/app.js",
)


def status(
    root: Root = Path(),
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="PATH",
            help="Say of this file whether prompts can draw on it and, if not, why.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what is known, and where it lives.

    Counts what the index and the event log of a workspace hold, and names their places on disk.
    """
    with open_engine(root, looks_only=True) as engine:
        if file is not None:
            _show_file(_status_of(engine, file), as_json=as_json)
            return
        found = engine.status()
    if as_json:
        emit_json(found)
        return
    for warning in found.warnings:
        warn(warning)
    if sys.stdout.isatty():
        _show_table(found)
    else:
        for name, value in _rows(found):
            emit(f"{name}\t{value}")


def _status_of(engine: Engine, given: Path) -> FileStatus:
    """A relative path counts from the current folder or, when that leads outside of the workspace, from its root."""
    path = Path.cwd() / given
    inside = path.is_relative_to(engine.root) or engine.relative(path) is not None
    try:
        return engine.file_status(path if inside else engine.root / given)
    except InvalidRequestError as error:
        raise InvalidRequestError("--file", error.expected, str(given)) from None


def _show_file(found: FileStatus, *, as_json: bool) -> None:
    """Print a sentence for people; in a pipe every field with its name, as for the status of the workspace."""
    if as_json:
        emit_json(found)
    elif sys.stdout.isatty():
        emit_text(f"{found.path}: {found.sentence}")
    else:
        for name in ("path", "state", "reason", "chunks", "sentence"):
            value = getattr(found, name)
            emit(f"{name}\t{'none' if value is None else value}")


def _rows(found: Status) -> list[tuple[str, str]]:
    return [
        ("root", found.root),
        ("state", found.state),
        ("files", f"{found.files:,}"),
        ("chunks", f"{found.chunks:,}"),
        ("events", f"{found.events:,}"),
        ("languages", _list_counts(found.languages)),
        ("left out", _list_counts(found.skipped)),
        *([("scope", ", ".join(found.scope))] if found.scope else []),
        ("kept current", _WRITERS[found.writer]),
        ("embedder", found.embedder),
        ("tokenizer", found.tokenizer),
        ("index size", _size(found.index_bytes)),
        ("index", found.index_location),
        ("event log", found.state_location),
    ]


def _show_table(found: Status) -> None:
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for name, value in _rows(found):
        table.add_row(cell(name, "bold"), cell(value))
    emit_rich(table)


def _list_counts(counts: Mapping[str, int]) -> str:
    largest_first = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{name} {number:,}" for name, number in largest_first) or "none"


def _size(number: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if number < 1024:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1024
    return f"{number:.1f} GiB"
