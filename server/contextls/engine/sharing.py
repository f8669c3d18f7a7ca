"""Shared indexes beside one workspace: where a clone takes from one, and what builds them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.memory.index.workspace_index import MAX_WORKERS, SharedFiles, embedder_of
from contextls.model import SharedBuild
from contextls.settings import Settings
from contextls.workspace.roots import open_root

if TYPE_CHECKING:
    from contextls.memory.index.known_files import KnownFilesSource
    from contextls.models.embedders.base import Embedder

ENGINES = ("local", "ray")


def shared_files(root: Path, settings: Settings) -> SharedFiles | None:
    """What opens the shared index that the settings name. Raises ``InvalidRequestError``."""
    if not settings.index_uri:
        return None
    from contextls.shared_index.client import SharedIndex
    from contextls.shared_index.place import place_of

    place = place_of(settings.index_uri)

    def open_shared(embedder: Embedder) -> KnownFilesSource:
        return SharedIndex(root, place, embedder.identity)

    return open_shared


def build_shared(root: Path | str, settings: Settings, engine: str = "local") -> SharedBuild:
    """Make the shared index at ``settings.index_uri`` hold the commit that is checked out at ``root``.

    ``engine`` is one of ``ENGINES``. Raises ``InvalidRequestError``, ``StoreError``, ``WorkspaceError``.
    """
    from contextls.shared_index.build import build, build_here
    from contextls.shared_index.place import SETTING, place_of

    if not settings.index_uri:
        raise InvalidRequestError(SETTING, "the address of a shared index")
    if engine not in ENGINES:
        raise InvalidRequestError("engine", " or ".join(ENGINES), engine)
    if engine == "ray":
        from contextls.shared_index.build_with_ray import build_with_ray as work
    else:
        work = build_here
    workers = settings.workers or min(MAX_WORKERS, os.cpu_count() or 1)
    place = place_of(settings.index_uri)
    return build(open_root(Path(root)), place, settings, embedder_of(settings), work, workers)
