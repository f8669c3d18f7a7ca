"""Which commits of a shared index there are, and the one to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from contextls.errors import StoreError
from contextls.shared_index.layout import Layout
from contextls.shared_index.manifest import CommitManifest, loads
from contextls.shared_index.objects import Objects
from contextls.shared_index.signature import check
from contextls.workspace.git_log import list_ancestors
from contextls.workspace.git_process import read_line

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# How far back a commit may lie to be worth beginning with: two or three months of a busy repository.
MAX_ANCESTORS = 5_000


def prefix_of(root: Path) -> str:
    """The folder of the repository that is open; "" for all of it."""
    return (read_line(root, "rev-parse", "--show-prefix") or "").rstrip("/")


def find_nearest(
    root: Path, objects: Objects, layout: Layout, key: Ed25519PublicKey | None = None
) -> CommitManifest | None:
    """The manifest of the newest commit, or of its nearest ancestor that has one, signed by ``key`` where there is one.

    Raises ``StoreError``.
    """
    prefix = prefix_of(root)
    built = {each.name for each in objects.list_below(layout.commits)}
    if not built:
        return None
    for commit in list_ancestors(root, MAX_ANCESTORS):
        name = layout.manifest(commit, prefix)
        if name in built and (raw := objects.read(name)) is not None:
            manifest = loads(check(raw, key))
            if (manifest.built_by.commit, manifest.built_by.prefix) != (commit, prefix):
                raise StoreError(f"the manifest {name} of the shared index is that of another commit")
            return manifest
    return None
