"""Opens the engine of a workspace after the writes that wait, and again after a rest where that failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from contextls.engine import Engine
    from contextls.live.clock import Clock
    from contextls.live.executors import Executors

# What could not be opened is tried again after this long, and not at every question.
RETRY_MS = 2_000


class EngineOpener:
    """The newest try to open an engine. All methods belong to the event loop."""

    def __init__(self, open_engine: Callable[[], Engine], executors: Executors, clock: Clock) -> None:
        """Opens nothing yet; ``open_engine`` is called by the writing thread."""
        self._open_engine = open_engine
        self._executors = executors
        self._clock = clock
        self._retry_at: int | None = None  # None unless the newest try that has ended failed
        self.newest: Future[Engine] | None = None

    @property
    def engine(self) -> Engine | None:
        """The engine, if it is open by now."""
        opened = self.newest
        return opened.result() if opened and _has_ended(opened) and opened.exception() is None else None

    @property
    def has_failed(self) -> bool:
        """Whether the newest try that has ended failed; one that goes on may end like it."""
        return self._retry_at is not None

    def start(self) -> Future[Engine]:
        """The newest try, which begins now where there was none, or where the last one failed some time ago."""
        retry_at = self._retry_at
        rested = retry_at is not None and self._clock.now_ms() >= retry_at
        if self.newest is None or (rested and _has_ended(self.newest)):
            self.newest = self._executors.write(self._try)
        return self.newest

    def forget(self) -> Future[Engine] | None:
        """Give away the newest try, if there is any: another engine is opened from now on."""
        opened, self.newest = self.newest, None
        self._retry_at = None
        return opened

    def _try(self) -> Engine:
        try:
            engine = self._open_engine()
        except Exception:
            self._retry_at = self._clock.now_ms() + RETRY_MS
            raise
        self._retry_at = None
        return engine


def _has_ended(opened: Future[Engine]) -> bool:
    return opened.done() and not opened.cancelled()
