"""Brings the index of an open workspace up to date for one command, and says on standard error what changed."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from contextls.cli.output import count, note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from contextls.engine import Engine
    from contextls.model import IndexExtent, IndexProgress, IndexReport


# How long a question waits for the index, and again as long for one that is nearly done.
ANSWER_SECONDS = 5.0


def bring_up_to_date(engine: Engine) -> IndexReport:
    """Index with progress on standard error. Ctrl-C keeps what was finished and raises ``CancelledError``."""
    from contextls.cli.progress import show_progress

    with _cancel_on_interrupt() as cancel, show_progress() as progress:
        return engine.index(progress=progress, cancel=cancel)


def refresh(engine: Engine) -> None:
    """Bring the index up to date before a question; says on standard error what changed, if anything."""
    _finish(engine, bring_up_to_date(engine))


def _finish(engine: Engine, report: IndexReport) -> None:
    """Say what a run of indexing changed, and index again what turned out to be damaged."""
    if report.changed or report.removed:
        note(summary(report))
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
    else:
        _finish(engine, report)


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
        """A listener that looks at the time before it passes a step on to ``progress``."""

        def both(step: IndexProgress) -> None:
            self.watch(step)
            progress(step)

        return both

    def watch(self, step: IndexProgress) -> None:
        """End the run where it takes too long; one that is nearly done may go on."""
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
        """Say how far the run came."""
        step = self._newest
        done = f"{step.done:,} of {step.total:,} files are" if step and step.total else "no file is"
        return f"{done} indexed; a question does not wait for the rest"


def summary(report: IndexReport) -> str:
    """Describe an indexing run in one line."""
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
