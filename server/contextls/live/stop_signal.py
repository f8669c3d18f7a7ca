"""The signal that ends one run of a long job."""

from __future__ import annotations

import threading


class StopSignal(threading.Event):
    """Set by itself, or by the user's ``cancel``, which outlives the run."""

    def __init__(self, cancel: threading.Event) -> None:
        super().__init__()
        self._cancel = cancel

    def is_set(self) -> bool:
        """Whether either is set."""
        return super().is_set() or self._cancel.is_set()
