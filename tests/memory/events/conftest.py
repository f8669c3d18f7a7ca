"""A log of events of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.memory.events import EventLog


@pytest.fixture
def log(tmp_path: Path) -> Iterator[EventLog]:
    """An empty log."""
    log = EventLog(tmp_path / "events.sqlite")
    yield log
    log.close()
