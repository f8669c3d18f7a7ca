"""The pace of a run of indexing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.model.status import FILES_PER_SECOND

if TYPE_CHECKING:
    from contextls.live.clock import Clock
    from contextls.model import IndexProgress


class Pace:
    """How far a run of indexing is and how long it may yet take. Written by its thread, read by the event loop."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._started = 0
        self._progress: IndexProgress | None = None

    def begin(self) -> None:
        """A run begins."""
        self._progress = None

    def advance(self, progress: IndexProgress) -> None:
        """Take note of how far the run is."""
        if self._progress is None or self._progress.phase != progress.phase:
            self._started = self._clock.now_ms()
        self._progress = progress

    def exceeds(self, ms: int) -> bool:
        """Whether the run will surely take longer; False as long as too little is known of how many files there are."""
        now = self._progress
        if now is None or now.phase == "store":
            return False
        if now.phase == "scan":
            return now.done > FILES_PER_SECOND * ms / 1000
        return 1000 * now.seconds_left((self._clock.now_ms() - self._started) / 1000) > ms

    def describe(self) -> str:
        """How far it is, for a message."""
        now = self._progress
        return f" ({now.done:,} of {now.total:,} files)" if now is not None and now.total else ""
