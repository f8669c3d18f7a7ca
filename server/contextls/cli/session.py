"""One command's time with an engine: opening it, bringing its index up to date, letting go."""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from contextls.asking import path_from
from contextls.cli.output import count, note
from contextls.errors import InvalidRequestError
from contextls.settings import user_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

    from contextls.engine import Engine
    from contextls.model import IndexExtent, IndexProgress, IndexReport
    from contextls.recording import Recording


# Who has asked a question waits so long for an index, and as long again for one that is nearly done.
ANSWER_SECONDS = 5.0


@contextmanager
def open_engine(root: Path) -> Iterator[Engine]:
    """Open the workspace at ``root`` and close it at the end. Raises ``WorkspaceError``, ``StoreError``."""
    from contextls.engine import Engine

    engine = Engine.open(root, user_settings())
    engine.listen(_warn)
    try:
        yield engine
    finally:
        engine.close()


@contextmanager
def recording(root: Path) -> Iterator[Recording]:
    """Open the workspace at ``root`` to record events only, which is much faster. Raises as ``open_engine`` does."""
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
    _mend(engine)


def _mend(engine: Engine) -> None:
    mended = engine.mend()
    if mended is not None:
        note(f"the index was damaged; {summary(mended)}")


def refresh_in_time(engine: Engine) -> None:
    """Like ``refresh``, before a single question: an index that would take longer than some seconds is left unfinished.

    What was indexed by then is kept; the answer finds the rest of what it needs in the files themselves.
    """
    from contextls.cli.progress import show_progress
    from contextls.errors import CancelledError

    with _cancel_on_interrupt() as cancel, show_progress() as progress:
        timeout = IndexingTimeout(cancel)
        try:
            report = engine.index(progress=timeout.watching(progress), cancel=cancel)
        except CancelledError:
            if not timeout.is_over:
                raise
            report = None
    if report is None:
        note(f"{timeout.describe()}: run `contextls index` once")
        return
    if report.changed or report.removed:
        note(summary(report))
    _mend(engine)


class IndexingTimeout:
    """Ends a run of indexing that takes longer than a user waits for an answer."""

    def __init__(self, cancel: threading.Event, now: Callable[[], float] = time.monotonic) -> None:
        """``cancel`` is set when it is over; ``now`` counts seconds."""
        self._cancel = cancel
        self._now = now
        self._started = self._began = now()
        self._newest: IndexProgress | None = None
        self.is_over = False

    def watching(self, progress: Callable[[IndexProgress], None]) -> Callable[[IndexProgress], None]:
        """``progress``, and ``watch`` before it."""

        def both(step: IndexProgress) -> None:
            self.watch(step)
            progress(step)

        return both

    def watch(self, step: IndexProgress) -> None:
        """See how far the run is. One that is nearly done is waited for."""
        now = self._now()
        if self._newest is None or self._newest.phase != step.phase:
            self._began = now
        self._newest = step
        spent = now - self._started
        if step.phase == "scan":  # what is found is of use to the answer too
            is_over = spent > 2 * ANSWER_SECONDS
        else:
            left = step.seconds_left(now - self._began) if step.phase == "index" else 0.0
            is_over = spent > ANSWER_SECONDS and left > ANSWER_SECONDS
        if is_over:
            self.is_over = True
            self._cancel.set()

    def describe(self) -> str:
        """How far the run came."""
        step = self._newest
        done = f"{step.done:,} of {step.total:,} files are" if step and step.total else "no file is"
        return f"{done} indexed; a question does not wait for the rest"


def summary(report: IndexReport) -> str:
    """One line about an indexing run."""
    parts = [f"{count(report.changed, 'file')} indexed"]
    if report.taken:
        parts.append(f"{report.taken:,} of them taken from the shared index")
    if report.removed:
        parts.append(f"{report.removed:,} removed")
    left_out = sum(report.skipped.values())
    if left_out:
        parts.append(f"{left_out:,} left out")
    totals = f"{count(report.files, 'file')} and {count(report.chunks, 'chunk')} in all"
    return f"{', '.join(parts)}; {totals}; {report.ms / 1000:.1f} s"


def note_missing(extent: IndexExtent | None) -> None:
    """Say on standard error that an answer does not draw on all files."""
    share = f" ({extent.indexed:,} of {extent.found:,} files)" if extent else ""
    note(f"the index is not complete{share}; there may be better answers")


def workspace_path(workspace: Engine | Recording, given: Path, option: str) -> str:
    """``path_from`` the current folder."""
    return path_from(workspace, Path.cwd(), given, option)


def asked_scope(given: Sequence[str] | None, *, none: bool) -> tuple[str, ...] | None:
    """The scope that the options name; ``None`` means the saved one. Raises ``InvalidRequestError``."""
    if none and given:
        raise InvalidRequestError("--no-scope", "either this or --scope")
    return () if none else tuple(given) if given else None


def check_query(query: str) -> None:
    """Raise ``InvalidRequestError`` where a question is longer than one may be: at once, and in words for who typed it."""
    from contextls.model import MAX_QUERY_CHARS

    if len(query) > MAX_QUERY_CHARS:
        expected = f"at most {MAX_QUERY_CHARS:,} characters; `contextls compress` shortens a log"
        raise InvalidRequestError("query", expected, query)


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


def read_whole(file: Path, option: str, most: int) -> bytes:
    """Read a file that ``readable`` opens. Raises ``InvalidRequestError`` naming ``option`` above ``most`` bytes."""
    with readable(file, option) as source:
        raw = source.read(most + 1)
    if len(raw) > most:
        raise InvalidRequestError(option, f"at most {most:,} bytes", str(file))
    return raw


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
