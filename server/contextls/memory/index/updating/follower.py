"""Waits for what another process stores, and does the work here where that does not come."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from contextls.errors import ContextlsError
from contextls.memory.index.updating.indexer import Indexer
from contextls.memory.index.updating.writer_role import WriterRole
from contextls.workspace.ignore import IgnoreRules

POLL_SECONDS = 0.05
# How long the writer may take.
PATIENCE_SECONDS = 3.0
PATIENCE_SECONDS_PER_FILE = 0.02


class Follower:
    """Leaves changed files to the process that has the writer's role, on a thread of its own."""

    def __init__(self, indexer: Indexer, role: WriterRole) -> None:
        """No thread is started before it is needed."""
        self._indexer = indexer
        self._role = role
        self._waiting = ThreadPoolExecutor(1, thread_name_prefix="contextls-follower")
        self._closed = threading.Event()
        self.problem = ""

    def follow(self, paths: Iterable[str], rules: IgnoreRules, done: Callable[[], None]) -> None:
        """Return at once; ``done`` is called when the index holds these files, or they are left to the next full run."""
        try:
            self._waiting.submit(self._follow, list(paths), rules, done)
        except RuntimeError:  # closed meanwhile
            done()

    def close(self) -> None:
        """Wait for nothing any more."""
        self._closed.set()
        self._waiting.shutdown()

    def _follow(self, paths: list[str], rules: IgnoreRules, done: Callable[[], None]) -> None:
        give_up_at = time.monotonic() + PATIENCE_SECONDS + PATIENCE_SECONDS_PER_FILE * len(paths)
        try:
            # One look at a time: what came together is stored together.
            while paths and not self._closed.is_set():
                if self._indexer.is_up_to_date(paths[-1], rules):
                    paths.pop()
                elif self._role.is_ours() or time.monotonic() > give_up_at:
                    self._indexer.update(paths, rules)
                    break
                else:
                    self._closed.wait(POLL_SECONDS)
            self.problem = ""
        except ContextlsError as error:
            self.problem = f"changes of {', '.join(paths[:3])} could not be followed: {error}"
        finally:
            done()
