"""Notices for users, told once, when it happens: which store was damaged, and what became of it."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Notices:
    """Collects messages until there is a listener, then passes them on; safe to use from any thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: list[str] = []
        self._listener: Callable[[str], None] | None = None

    def tell(self, message: str) -> None:
        """Pass ``message`` on, or keep it for the one who listens first."""
        with self._guard:
            listener = self._listener
            if listener is None and message not in self._waiting:
                self._waiting.append(message)
        if listener is not None:
            listener(message)

    def listen(self, listener: Callable[[str], None]) -> None:
        """From now on ``listener`` hears of everything, and at once of what waits; from any thread."""
        with self._guard:
            waiting, self._waiting = self._waiting, []
            self._listener = listener
        for message in waiting:
            listener(message)
