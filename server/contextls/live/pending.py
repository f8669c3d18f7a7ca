"""A count of what is known to come: changes that wait, runs of indexing that were begun."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class PendingCount:
    """True while something is still to come. Safe to use from any thread."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._count = 0

    def __bool__(self) -> bool:
        return self._count > 0

    def begin(self) -> Callable[[], None]:
        """Count one more until the returned function is called; calling that again does nothing."""
        with self._guard:
            self._count += 1
        left = [None]

        def finish() -> None:
            with self._guard:
                if left:
                    left.pop()
                    self._count -= 1

        return finish
