"""Makes the helpers beside the tests importable, and lets this process parse: what these tests are about."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from contextls.code import trees

sys.path.append(str(Path(__file__).parents[2]))


@pytest.fixture(autouse=True)
def parsing_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The texts of these tests are known to crash no parser."""
    monkeypatch.setattr(trees, "may_parse", lambda: True)
