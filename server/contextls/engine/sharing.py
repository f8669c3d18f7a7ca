"""Shared indexes of a workspace: taken from by clones, built from a checkout."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.memory.index.workspace_index import SharedFiles
from contextls.model import SharedBuild, SharedPruning
from contextls.models.embedders.choose import open_embedder
from contextls.settings import Settings
from contextls.workspace.roots import open_project

if TYPE_CHECKING:
    from contextls.memory.index.updating.known_files import KnownFilesSource
    from contextls.models.embedders.base import Embedder
    from contextls.shared_index.place import IndexLocation

ENGINES = ("local", "ray")


def shared_files(root: Path, settings: Settings) -> SharedFiles | None:
    """The function that opens the shared index in the settings. Raises ``InvalidRequestError``."""
    if not settings.index_uri:
        return None
    from contextls.shared_index.client import SharedIndex
    from contextls.shared_index.signature import read_public_key

    place, key = _place(settings), read_public_key(settings.index_public_key)

    def open_shared(embedder: Embedder) -> KnownFilesSource:
        return SharedIndex(root, place, embedder.identity, key)

    return open_shared


def build_shared(
    root: Path | str, settings: Settings, engine: str = "local", sign_with: Path | None = None
) -> SharedBuild:
    """Make the shared index at ``settings.index_uri`` hold the commit that is checked out at ``root``.

    ``engine`` is one of ``ENGINES``, ``sign_with`` a PEM file with an Ed25519 key.

    Raises ``InvalidRequestError``, ``StoreError``, ``WorkspaceError``.
    """
    from contextls.shared_index.build import build, build_here
    from contextls.shared_index.signature import read_private_key

    if engine not in ENGINES:
        raise InvalidRequestError("engine", " or ".join(ENGINES), engine)
    if engine == "ray":
        from contextls.shared_index.build_with_ray import build_with_ray as work
    else:
        work = build_here
    key = read_private_key(sign_with) if sign_with else None
    return build(
        open_project(Path(root)),
        _place(settings),
        settings,
        open_embedder(settings),
        work,
        settings.worker_count,
        key,
    )


def prune_shared(settings: Settings, keep_days: int, keep_commits: int) -> SharedPruning:
    """Take commits built more than ``keep_days`` ago out of the shared index at ``settings.index_uri``.

    The newest ``keep_commits`` stay whatever their age. Raises ``InvalidRequestError``, ``StoreError``.
    """
    from contextls.shared_index.prune import prune

    return prune(_place(settings), timedelta(days=keep_days), keep_commits)


def _place(settings: Settings) -> IndexLocation:
    from contextls.shared_index.place import SETTING, place_of

    if not settings.index_uri:
        raise InvalidRequestError(SETTING, "the address of a shared index")
    return place_of(settings.index_uri)
