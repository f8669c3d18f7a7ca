"""The lock that lets one process at a time write the content index."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from contextls.errors import CancelledError
from contextls.store.locks import StateLock, lock_failure

LOCK_POLL_SECONDS = 0.2


class IndexLock:
    """A file lock; a thread that holds it may take it again."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._lock = StateLock(place)

    @contextlib.contextmanager
    def held(self, cancelled: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Hold it, waiting for another process that has it. Raises ``CancelledError`` and ``StoreError``."""
        while True:
            try:
                self._lock.acquire(timeout=LOCK_POLL_SECONDS)
                break
            except TimeoutError:
                if cancelled():
                    raise CancelledError(
                        "cancelled while another contextls process held the content index"
                    ) from None
            except OSError as error:
                raise lock_failure(self._place, error) from error
        try:
            yield
        finally:
            self._lock.release()
