"""Worker processes limit their own running time and end with their parent."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

Item = TypeVar("Item")
Answer = TypeVar("Answer")

NICENESS = 10
# Objects between two collections: a tree of thousands of nodes is dropped as a whole, nothing of it is garbage before.
COLLECTED_AFTER = 50_000
# The kernel counts: by the time of a processor and by a clock that stands still while the machine sleeps.
CAN_END_ITSELF = hasattr(signal, "setitimer")


class Limits(Struct, frozen=True):
    """After what time a worker ends itself, by its own work and by the clock. 0 is never."""

    cpu_seconds: float
    wall_seconds: float

    def exceeded(self, exit_code: int) -> str | None:
        """Which of them a process exceeded that ended so, in words; ``None`` where it died of something else."""
        if not CAN_END_ITSELF:
            return None
        if exit_code == -signal.SIGPROF:
            return f"took longer than {self.cpu_seconds:g} s of a processor"
        return f"took longer than {self.wall_seconds:g} s" if exit_code == -signal.SIGALRM else None


def run_limited(run: Callable[[list[Item]], Answer], batch: list[Item], limits: Limits) -> Answer:
    """Apply ``run`` to a batch within its ``limits``."""
    _arm(limits)
    try:
        return run(batch)
    finally:
        _arm(Limits(0, 0))


def prepare_worker() -> None:
    """Make this process a worker: of low priority, without input and output, and gone when its parent is."""
    gc.freeze()  # what the fork server imported stays, and is not copied by looking through it
    gc.set_threshold(COLLECTED_AFTER, 20, 100)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    with contextlib.suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        os.close(nothing)
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A handler in Python never runs while a parser hangs: pebble would wait three seconds before it kills.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for name in ("SIGALRM", "SIGPROF"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=[parent.sentinel], daemon=True).start()


def _arm(limits: Limits) -> None:
    """Let the kernel end this process; a hung parser would let no Python code do it."""
    if CAN_END_ITSELF:
        signal.setitimer(signal.ITIMER_PROF, limits.cpu_seconds)
        signal.setitimer(signal.ITIMER_REAL, limits.wall_seconds)


def _end_with(sentinel: int) -> None:
    from multiprocessing import connection

    connection.wait([sentinel])
    os._exit(1)
