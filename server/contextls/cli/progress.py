"""Shows the progress of indexing on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from contextls.cli.output import note, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from contextls.model import IndexProgress

_PHASES = {"scan": "Looking for files", "fetch": "Fetching", "index": "Indexing", "store": "Storing"}
_SECONDS_BETWEEN_LINES = 5.0
_PATH_CHARS = 40


@contextmanager
def show_progress() -> Iterator[Callable[[IndexProgress], None]]:
    """Give a callback for ``Engine.index`` that shows what it is told until the block ends."""
    if sys.stderr.isatty():
        with _bar() as update:
            yield update
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[Callable[[IndexProgress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[path]}", style="dim", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Looking for files", total=None, path="")

        def update(step: IndexProgress) -> None:
            progress.update(
                task,
                description=_PHASES.get(step.phase, step.phase),
                completed=step.done,
                total=step.total or None,
                path=_short(step.path),
            )

        yield update


def _lines() -> Callable[[IndexProgress], None]:
    last = time.monotonic()

    def update(step: IndexProgress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _SECONDS_BETWEEN_LINES:
            last = now
            phase = _PHASES.get(step.phase, step.phase)
            note(f"{phase}: {step.done:,} of {step.total:,}" if step.total else f"{phase} ...")

    return update


def _short(path: str) -> str:
    shown = one_line(path)
    return shown if len(shown) <= _PATH_CHARS else "…" + shown[1 - _PATH_CHARS :]
