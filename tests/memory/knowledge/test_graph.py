"""The graph around an entity: what it leaves out is counted, as far as that takes no longer than the walk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contextls.engine import Engine

from ..workspaces import opened, write

USERS = 230
SHARED = range(12)
MAX_FAR = 200


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A small workspace in which every file calls the same twelve functions, and that of the next file."""
    files = {"app/core.py": "".join(f"def shared_{one}():\n    return {one}\n\n\n" for one in SHARED)}
    for number in range(USERS):
        following = (number + 1) % USERS
        files[f"app/user{number}.py"] = (
            f"from app.core import {', '.join(f'shared_{one}' for one in SHARED)}\n"
            f"from app.user{following} import work{following}\n\n\n"
            f"def work{number}():\n    work{following}()\n    return {' + '.join(f'shared_{one}()' for one in SHARED)}\n"
        )
    with opened(write(tmp_path_factory.mktemp("hub"), files)) as open_engine:
        yield open_engine


def test_at_the_start_all_are_counted(engine: Engine) -> None:
    found = engine.graph("shared_3")
    assert found is not None
    assert [(one.type, one.target, one.count) for one in found.omitted] == [
        ("calls", "app/core.py#shared_3", USERS - 8)
    ]


def test_what_is_far_away_is_counted_as_far_as_it_was_come_by(engine: Engine) -> None:
    found = engine.graph("work7", 5)
    assert found is not None
    counts = [one.count for one in found.omitted if (one.target or "").startswith("app/core.py#")]
    assert len(counts) >= 8
    assert max(counts) < MAX_FAR
