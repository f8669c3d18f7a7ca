"""An endpoint for models on this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .endpoints import Endpoint, serving


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """One that a test may let misbehave."""
    with serving() as server:
        yield server
