"""One command's time with an engine: opening it, bringing its index up to date, letting go."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from contextls.asking import path_from
from contextls.cli.output import count, note
from contextls.errors import InvalidRequestError
from contextls.settings import user_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from contextls.engine import Engine
    from contextls.model import IndexReport
    from contextls.recording import Recording


# Modules and an index are hundreds of thousands of objects that stay to the end of a command: at Python's own rate, looking
# through them again and again is a fifth of its time.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


@contextmanager
def open_engine(root: Path) -> Iterator[Engine]:
    """Open the workspace at ``root`` and close it at the end. Raises ``WorkspaceError``, ``StoreError``."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    from contextls.engine import Engine

    engine = Engine.open(root, user_settings())
    engine.listen(_warn)
    try:
        yield engine
    finally:
        engine.close()


@contextmanager
def recording(root: Path) -> Iterator[Recording]:
    """Open the workspace at ``root`` to record events only, which is much faster. Raises as ``opened`` does."""
    from contextls.recording import Recording

    opened_for = Recording.open(root, user_settings())
    opened_for.notices.listen(_warn)
    try:
        yield opened_for
    finally:
        opened_for.close()


def bring_up_to_date(engine: Engine) -> IndexReport:
    """Index with progress on standard error. Ctrl-C keeps what was finished and raises ``CancelledError``."""
    from contextls.cli.progress import show_progress

    with _cancel_on_interrupt() as cancel, show_progress() as progress:
        return engine.index(progress=progress, cancel=cancel)


def refresh(engine: Engine) -> None:
    """Bring the index up to date before a question; says on standard error what changed, if anything."""
    report = bring_up_to_date(engine)
    if report.changed or report.removed:
        note(summary(report))
    mended = engine.mend()
    if mended is not None:
        note(f"the index was damaged; {summary(mended)}")


def summary(report: IndexReport) -> str:
    """One line about an indexing run."""
    parts = [f"{count(report.changed, 'file')} indexed"]
    if report.removed:
        parts.append(f"{report.removed:,} removed")
    left_out = sum(report.skipped.values())
    if left_out:
        parts.append(f"{left_out:,} left out")
    totals = f"{count(report.files, 'file')} and {count(report.chunks, 'chunk')} in all"
    return f"{', '.join(parts)}; {totals}; {report.ms / 1000:.1f} s"


def workspace_path(workspace: Engine | Recording, given: Path, option: str) -> str:
    """``path_from`` the current folder."""
    return path_from(workspace, Path.cwd(), given, option)


def asked_scope(given: Sequence[str] | None, *, none: bool) -> tuple[str, ...] | None:
    """What ``--scope`` and ``--no-scope`` ask for; ``None`` leaves it to the saved scope. Raises ``InvalidRequestError``."""
    if none and given:
        raise InvalidRequestError("--no-scope", "either this or --scope")
    return () if none else tuple(given) if given else None


@contextmanager
def readable(file: Path, option: str) -> Iterator[BinaryIO]:
    """Open ``file`` for reading bytes; ``-`` is standard input.

    Raises ``InvalidRequestError`` naming ``option`` when it cannot be read.
    """
    if str(file) == "-":
        yield sys.stdin.buffer
        return
    try:
        source = file.open("rb")
    except OSError as error:
        raise InvalidRequestError(option, f"a file that can be read ({error.strerror})", str(file)) from None
    with source:
        yield source


def _warn(message: str) -> None:
    note(f"warning: {message}")


@contextmanager
def _cancel_on_interrupt() -> Iterator[threading.Event]:
    """Give an event that the first Ctrl-C sets; a second one interrupts at once."""
    cancel = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        cancel.set()
        note("stopping; what is finished is kept")

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)
