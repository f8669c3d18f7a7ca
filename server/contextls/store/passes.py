"""Work on a database that is done now and then in the background, on a thread of its own that nobody waits for."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from contextls.errors import StoreError

if TYPE_CHECKING:
    from contextls.store.database import Database

log = logging.getLogger(__name__)
DAY_MS = 86_400_000
# Ends early once what it is given says so.
Work = Callable[[Callable[[], bool]], None]


class BackgroundPass:
    """Starts a pass when one is due, one at a time. ``problem`` says why the last one failed, ``failed`` in which words."""

    def __init__(self, database: Database, due: Callable[[], bool], work: Work, failed: str) -> None:
        """Nothing is started yet."""
        self._database = database
        self._due = due
        self._work = work
        self._failed = failed
        self._guard = threading.Lock()
        self._stopped = threading.Event()
        self._thread: ThreadPoolExecutor | None = None
        self._running = False
        self._asked_meanwhile = False
        self.problem = ""

    def look(self) -> None:
        """Start a pass in the background if one is due; when one is running, another follows it."""
        if self._database.read_only:
            return
        try:
            due = self._due()
        except StoreError as error:
            self.problem = str(error)
            return
        with self._guard:
            if not due or self._stopped.is_set():
                return
            if self._running:
                # What was added since may be after the point up to which the running pass counts.
                self._asked_meanwhile = True
                return
            self._start()

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
            self._work(self._stopped.is_set)
            self.problem = ""
        except StoreError as error:
            self.problem = f"{self._failed}: {error}"
        except Exception as error:  # nobody waits for the pass, so nobody else would ever hear of it
            log.exception("%s", self._failed)
            self.problem = f"{self._failed}: {error!r}"
        finally:
            with self._guard:
                self._running = False
                if self._asked_meanwhile and not self._stopped.is_set():
                    self._start()
                self._asked_meanwhile = False
