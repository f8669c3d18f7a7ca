"""Keeps a log within its bounds, on a thread of its own that nobody waits for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from contextls.errors import StoreError
from contextls.memory.events.retention import Retention, enforce, is_due

if TYPE_CHECKING:
    from contextls.store.database import Database

# Of all processes that write to a log, the one whose event has a number divisible by this looks whether a pass is due;
# each also looks after it has added that many bytes itself.
EVERY_EVENTS = 1_000
EVERY_BYTES = 4_000_000


class Keeper:
    """Starts a pass when one is due: at opening, and every so many events."""

    def __init__(self, database: Database, limits: Retention, clock: Callable[[], int]) -> None:
        """``clock`` gives the time in ms. Nothing is started yet."""
        self._database = database
        self._limits = limits
        self._clock = clock
        self._guard = threading.Lock()
        self._stopped = threading.Event()
        self._thread: ThreadPoolExecutor | None = None
        self._running = False
        self._asked_meanwhile = False
        self._added = 0
        self.problem = ""

    def look(self) -> None:
        """Start a pass in the background if one is due; when one is running, another follows it."""
        if self._database.read_only:
            return
        try:
            due = self._database.sensibly(lambda: is_due(self._database, self._limits, self._clock()))
        except StoreError as error:
            self.problem = str(error)
            return
        with self._guard:
            if not due or self._stopped.is_set():
                return
            if self._running:
                # What was added since may be behind the point up to which the running pass counts.
                self._asked_meanwhile = True
                return
            self._start()

    def note_appended(self, first: int, last: int, size: int) -> None:
        """The events from ``first`` to ``last``, ``size`` bytes together, were added by this process."""
        with self._guard:
            self._added += size
            full = self._added >= EVERY_BYTES
            if full:
                self._added = 0
        if full or first <= last - last % EVERY_EVENTS:
            self.look()

    def close(self) -> None:
        """End a running pass soon and start no other."""
        self._stopped.set()
        with self._guard:
            thread = self._thread
        if thread is not None:
            thread.shutdown()

    def _start(self) -> None:
        """Put a pass on the thread; the guard is held."""
        self._running = True
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "contextls-retention")
        self._thread.submit(self._pass)

    def _pass(self) -> None:
        try:
            self._database.sensibly(
                lambda: enforce(self._database, self._limits, self._clock(), self._stopped.is_set)
            )
            self.problem = ""
        except StoreError as error:
            self.problem = f"old events could not be deleted: {error}"
        finally:
            with self._guard:
                self._running = False
                if self._asked_meanwhile and not self._stopped.is_set():
                    self._start()
                self._asked_meanwhile = False
