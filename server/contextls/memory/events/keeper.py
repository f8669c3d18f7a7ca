"""Keeps an event log within its bounds, on a background thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from contextls.memory.events.retention import Retention, enforce, is_due
from contextls.store.passes import BackgroundPass

if TYPE_CHECKING:
    from contextls.store.database import Database

# A process checks whether a pass is due when one of its events has a number divisible by EVERY_EVENTS, or when it has
# added EVERY_BYTES itself.
EVERY_EVENTS = 1_000
EVERY_BYTES = 4_000_000


class Keeper(BackgroundPass):
    """Starts a pass when one is due: at opening, and every ``EVERY_EVENTS`` events."""

    def __init__(self, database: Database, limits: Retention, clock: Callable[[], int]) -> None:
        """``clock`` gives the time in ms. Nothing is started yet."""
        super().__init__(
            database,
            lambda: is_due(database, limits, clock()),
            lambda stopped: enforce(database, limits, clock(), stopped),
            "old events could not be deleted",
        )
        self._added_guard = threading.Lock()
        self._added = 0

    def note_appended(self, first: int, last: int, size: int) -> None:
        """The events from ``first`` to ``last``, ``size`` bytes together, were added by this process."""
        with self._added_guard:
            self._added += size
            full = self._added >= EVERY_BYTES
            if full:
                self._added = 0
        if full or first <= last - last % EVERY_EVENTS:
            self.look()
