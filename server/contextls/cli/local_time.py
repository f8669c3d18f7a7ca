"""Times as every command prints them: by the clock of the user, to the second."""

from __future__ import annotations

from datetime import datetime


def write_time(at_ms: int) -> str:
    """Day and time, such as ``2026-11-22 21:20:05``."""
    return f"{datetime.fromtimestamp(at_ms / 1000):%Y-%m-%d %H:%M:%S}"


def write_clock(at_ms: int) -> str:
    """The time alone, below a line that says the day."""
    return write_time(at_ms).partition(" ")[2]
