"""One bucket for each module; each test has a prefix of its own in it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from .buckets import BUCKET, Door, serve_bucket
from .teams import Team

_numbers = itertools.count()


@pytest.fixture(scope="module")
def server() -> Iterator[Door]:
    with serve_bucket() as door, pytest.MonkeyPatch.context() as patch:
        for name, value in door.environment().items():
            patch.setenv(name, value)
        yield door


@pytest.fixture
def door(server: Door) -> Door:
    server.reset()
    return server


@pytest.fixture
def team(door: Door, tmp_path: Path) -> Team:
    """A repository with a commit, and a bucket to share it in."""
    assert door.url
    return Team(tmp_path, f"s3://{BUCKET}/{next(_numbers)}")


@pytest.fixture
def folder_team(tmp_path: Path) -> Team:
    """As ``team``, with a folder in the place of the bucket."""
    return Team(tmp_path, str(tmp_path / "shared"))
