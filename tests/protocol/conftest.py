"""Real server processes over standard streams, on real temporary workspaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ..memory.workspaces import write
from ..shop import SHOP
from .wire import Wire

PROGRESS = {"window": {"workDoneProgress": True}}
TOLD_OF_CHANGES = {"experimental": {"contextls": {"didChangeMemory": True}}}
FILES = {
    **SHOP,
    ".gitignore": "private/\n",
    "private/notes.py": "THE_IGNORED_WORD = 1\n",
}


def build_workspace(root: Path) -> Path:
    """Write the sample workspace below ``root``."""
    write(root, FILES)
    return root


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A small workspace of its own for one test."""
    return build_workspace(tmp_path / "shop project")


@contextmanager
def starting() -> Iterator[Callable[..., Wire]]:
    """Start servers that are gone afterwards."""
    started: list[Wire] = []

    def _start(*command: str, env: dict[str, str] | None = None) -> Wire:
        wire = Wire(command, env) if command else Wire(env=env)
        started.append(wire)
        return wire

    try:
        yield _start
    finally:
        for wire in started:
            wire.kill()


@pytest.fixture
def start() -> Iterator[Callable[..., Wire]]:
    """Start servers that are gone after the test."""
    with starting() as _start:
        yield _start


@contextmanager
def serve(
    root: Path, env: Mapping[str, str] | None = None, *, capabilities: Mapping[str, Any] | None = None
) -> Iterator[Wire]:
    """A server that has ``root`` open and indexed, and ends without a fault."""
    wire = Wire(env=env)
    try:
        wire.initialize(root, capabilities=capabilities)
        wire.ready()
        yield wire
        assert wire.end() == 0
    finally:
        wire.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One initialized server on the sample workspace for all tests of a module."""
    wire = Wire()
    wire.initialize(build_workspace(tmp_path_factory.mktemp("shop")))
    yield wire
    status = wire.end()
    wire.kill()
    assert status == 0


@pytest.fixture(scope="module")
def open_session() -> Iterator[Wire]:
    """A session without a folder, for ``visit``: its client can be shown progress and told of changes."""
    wire = Wire()
    wire.initialize(capabilities={**PROGRESS, **TOLD_OF_CHANGES})
    yield wire
    status = wire.end()
    wire.kill()
    assert status == 0


@pytest.fixture
def wire(open_session: Wire, workspace: Path) -> Iterator[Wire]:
    """A server on the test's own workspace, indexed; the process is shared by the tests of a module."""
    with visit(open_session, workspace):
        yield open_session


@contextmanager
def visit(wire: Wire, root: Path) -> Iterator[None]:
    """Let ``root`` be the only folder of a session for a while; what was received before is forgotten."""
    wire.root = root
    wire.received.clear()
    wire.log.clear()
    wire.move_folders(added=[root])
    wire.ready()
    yield
    for uri in tuple(wire.documents):
        wire.close(uri)
    wire.move_folders(removed=[root])
