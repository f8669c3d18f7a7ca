"""``contextls index``: bring the content index up to date."""

from __future__ import annotations

from pathlib import Path

from contextls.cli.options import Json, Root
from contextls.cli.output import emit, emit_json, note
from contextls.cli.session import bring_up_to_date, open_engine, summary

EXAMPLES = ("contextls index", "contextls index ~/src/flask", "contextls index --json . | jq .chunks")


def index(root: Root = Path(), as_json: Json = False) -> None:
    """Bring the index up to date.

    Only what changed since the last time is read again.
    """
    with open_engine(root) as engine:
        report = bring_up_to_date(engine)
        engine.read_history()
    for problem in report.problems:
        note(f"read in part: {problem}")
    if as_json:
        emit_json(report)
        return
    emit(summary(report))
    for reason, files in sorted(report.skipped.items(), key=lambda pair: -pair[1]):
        emit(f"  left out, {reason}: {files:,}")
