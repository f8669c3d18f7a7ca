"""The time of what is stored: milliseconds since the epoch."""

from __future__ import annotations

import time


def now_ms() -> int:
    """The time of now."""
    return int(time.time() * 1000)
