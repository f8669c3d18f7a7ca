"""Opens a workspace for one command, and closes it at the end."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from contextls.cli.output import warn
from contextls.cli.user_settings import user_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.recording import Recording


@contextmanager
def open_engine(root: Path, *, looks_only: bool = False) -> Iterator[Engine]:
    """Open the workspace at ``root`` and close it at the end. Raises ``WorkspaceError``, ``StoreError``.

    A command that ``looks_only`` makes no folder a known workspace.
    """
    from contextls.engine import Engine

    engine = Engine.open(root, user_settings(), looks_only=looks_only)
    engine.listen(warn)
    try:
        yield engine
    finally:
        engine.close()


@contextmanager
def recording(root: Path) -> Iterator[Recording]:
    """Open the workspace at ``root`` to record events only, which is much faster. Raises as ``open_engine`` does."""
    from contextls.recording import Recording

    opened_for = Recording.open(root, user_settings())
    opened_for.notices.listen(warn)
    try:
        yield opened_for
    finally:
        opened_for.close()
