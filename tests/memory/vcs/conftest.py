"""Repositories on a disk of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine

from ...repositories import git
from ..workspaces import opened, write


@pytest.fixture
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An engine on a repository in which the module's ``FILES`` are committed."""
    root = write(tmp_path / "shop", request.module.FILES)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Start")
    with opened(root) as engine:
        yield engine
