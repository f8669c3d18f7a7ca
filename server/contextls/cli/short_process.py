"""Lets a command collect garbage rarely, and end without taking apart what it loaded."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import NoReturn

# Modules and an index are hundreds of thousands of objects that stay to the end of a command: at Python's own rate, looking
# through them again and again is a fifth of its time.
_OBJECTS_BETWEEN_COLLECTIONS = 200_000


def collect_rarely() -> None:
    """Let the garbage collector leave alone what a command loads."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


class ProcessEnd:
    """The end of this process. It comes after what else is to be done then, if it is made before that is registered."""

    def __init__(self) -> None:
        self._status: int | None = None
        atexit.register(self._end_at_once)

    def exit(self, status: int) -> NoReturn:
        """End with ``status``, once all threads have ended."""
        self._status = status
        sys.exit(status)

    def _end_at_once(self) -> None:
        if self._status is None:
            return
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            return  # Python tries again and tells of it
        os._exit(self._status)  # the system takes back at once what Python would take apart piece by piece
