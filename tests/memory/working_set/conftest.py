"""A shop for each test, and a folder for the shops of a property."""

from __future__ import annotations

from pathlib import Path

import pytest

from .shops import Shop


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "shop")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("many")
