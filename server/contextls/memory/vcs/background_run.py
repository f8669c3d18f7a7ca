"""A job that runs in the background at low priority, one run at a time."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from contextls.errors import CancelledError

_NICENESS = 10


class BackgroundRun:
    """Runs ``job`` on a thread of its own. Safe to use from any thread."""

    def __init__(self, job: Callable[[], object], name: str) -> None:
        """Start nothing yet. The thread is called ``name``; the job may check ``stopped`` and end early."""
        self.stopped = threading.Event()
        self._job = job
        self._name = name
        self._guard = threading.Lock()  # held to look at the fields below
        self._thread: threading.Thread | None = None
        self._is_due = False

    def start(self) -> None:
        """Run the job, once more if it is at work already. Returns at once; does nothing after ``stop``."""
        with self._guard:
            if self.stopped.is_set():
                return
            self._is_due = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait until nothing runs; False when something still does after ``seconds``."""
        with self._guard:  # a thread is seen only after it was started
            thread = self._thread
        if thread is None:
            return True
        thread.join(seconds)
        return not thread.is_alive()

    def stop(self) -> None:
        """Ask the job to end soon, and start no other."""
        self.stopped.set()

    def _run(self) -> None:
        _lower_priority()
        while True:
            with self._guard:
                if self.stopped.is_set() or not self._is_due:
                    self._thread = None
                    return
                self._is_due = False
            with suppress(CancelledError):
                self._job()


def _lower_priority() -> None:
    # Elsewhere a thread has no priority of its own that could be set by its number.
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
