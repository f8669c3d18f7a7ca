"""The workspaces of the golden prompts, opened one at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contextls.workspace.host import Host

from .workspaces import Desk

# Source files of the fixture repositories, tests among them; nothing here is to be run.
collect_ignore = ["fixtures"]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Hands out the engine that a case asks."""
    with pytest.MonkeyPatch.context() as patch, Desk(tmp_path_factory.mktemp("golden")) as desk:
        patch.setattr("contextls.workspace.host.this_host", lambda: Host("desk", "Linux", "x86_64"))
        yield desk
