"""Build a shared index for the commit that is checked out: analyse what is new, then name all of it in a manifest."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls import __version__
from contextls.code.pool import WorkerPool
from contextls.errors import WorkspaceError
from contextls.model import SharedBuild
from contextls.models.embedders.base import Embedder
from contextls.settings import Settings
from contextls.shared_index.analysing import analyse_rows
from contextls.shared_index.commits import find_nearest, prefix_of
from contextls.shared_index.file_rows import key_of
from contextls.shared_index.file_table import FileTable
from contextls.shared_index.files_to_share import FileToShare, find_files
from contextls.shared_index.layout import Layout
from contextls.shared_index.manifest import BuiltBy, CommitFile, CommitManifest, dumps
from contextls.shared_index.objects import Objects
from contextls.shared_index.place import IndexLocation
from contextls.shared_index.signature import sign
from contextls.store.locations import INDEX_FORMAT
from contextls.store.times import now_ms
from contextls.workspace.git_head import head, obstacle

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Task(Struct, frozen=True):
    """What an engine has to do: make ``table`` hold the rows of ``files``, which lie below ``root``."""

    root: Path
    files: Sequence[FileToShare]
    table: FileTable
    embedder: Embedder
    settings: Settings
    workers: int


Engine = Callable[[Task], None]

# A builder that has not created the table after this time is gone.
_CREATION_SECONDS = 30.0
_CREATION_PAUSE = 0.2


def build(
    root: Path,
    place: IndexLocation,
    settings: Settings,
    embedder: Embedder,
    engine: Engine,
    workers: int,
    key: Ed25519PrivateKey | None = None,
) -> SharedBuild:
    """Make the shared index at ``place`` hold the newest commit of ``root``, signed with ``key``.

    Raises ``StoreError``, ``WorkspaceError``.

    Killed at any point, it leaves rows that the next build goes on from; a commit counts once its manifest is there.
    """
    commit = _commit_of(root)
    layout, objects = Layout.of(embedder.identity), Objects(place, builds=True)
    objects.check_conditional_writes()
    table = FileTable(place, layout, builds=True)
    _create_once(table, objects, layout)
    before = find_nearest(root, objects, layout)
    found = find_files(root, commit, settings, before.by_path if before else {})
    held = _keys(table)
    new = [file for file in found.files if key_of(file.path, file.digest) not in held]
    if new:
        engine(Task(root, new, table, embedder, settings, workers))
        table.refresh()
    entries = _entries(table, found.files)
    prefix = prefix_of(root)
    built_by = BuiltBy(
        commit, prefix, f"{__version__} {INDEX_FORMAT}", embedder.identity, platform.node(), now_ms()
    )
    content = sign(dumps(CommitManifest(built_by, entries)), key)
    made = objects.create(layout.manifest(commit, prefix), content)
    return SharedBuild(
        commit=commit,
        files=len(entries),
        analysed=len(new),
        left_out={**found.left_out, **_failed(len(found.files) - len(entries))},
        was_there=not made,
    )


def _create_once(table: FileTable, objects: Objects, layout: Layout) -> None:
    """Create the table where there is none: of builds that begin at once one, or its rows would go with an empty one's."""
    until = time.monotonic() + _CREATION_SECONDS
    if not table.exists() and not objects.create(layout.claim, b""):
        while not table.exists() and time.monotonic() < until:
            time.sleep(_CREATION_PAUSE)
    table.create()


def build_here(task: Task) -> None:
    """The engine that works in this process and in its worker processes."""
    with WorkerPool(task.workers, task.settings.parse_timeout_seconds) as pool:
        for rows in analyse_rows(str(task.root), task.files, pool, task.embedder):
            task.table.append(rows)


def _commit_of(root: Path) -> str:
    """The commit that is checked out. Raises ``WorkspaceError``."""
    problem, state = obstacle(root), head(root)
    if problem is not None or state is None or state.commit is None:
        said = problem.text if problem else f"{root} has no commit"
        raise WorkspaceError(f"a shared index is built for a commit: {said}")
    return state.commit


def _keys(table: FileTable) -> set[int]:
    return set(table.column(("key",)).column("key").to_pylist())


def _entries(table: FileTable, files: Sequence[FileToShare]) -> tuple[CommitFile, ...]:
    """The entries of those of ``files`` that have a row."""
    rows = table.column(("key", "checksum"))
    wanted = {key_of(file.path, file.digest): file for file in files}
    keys = np.asarray(rows.column("key").to_numpy())
    chosen = np.flatnonzero(np.isin(keys, np.fromiter(wanted, np.int64, len(wanted))))
    sums = rows.column("checksum").take(chosen).to_pylist()
    found = dict(zip(keys[chosen].tolist(), sums, strict=True))
    return tuple(
        CommitFile(file.path, file.blob, file.digest, file.size, found[key])
        for key, file in wanted.items()
        if key in found
    )


def _failed(files: int) -> dict[str, int]:
    return {"not analysed": files} if files else {}
