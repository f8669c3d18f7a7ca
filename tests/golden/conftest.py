"""The workspaces of the golden prompts, opened one at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contextls.memory.index import freshness

from .workspaces import Desk

# Source files of the fixture repositories, tests among them; nothing here is to be run.
collect_ignore = ["fixtures"]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Hands out the engine that a case asks."""
    with Desk(tmp_path_factory.mktemp("golden")) as desk:
        yield desk


@pytest.fixture(autouse=True)
def git_moved_just_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """What git did in a scene counts as just done, however long a busy machine takes to ask."""
    monkeypatch.setattr(freshness, "SETTLE_NS", 10**18)
