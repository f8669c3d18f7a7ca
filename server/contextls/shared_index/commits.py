"""Which commits of a shared index there are, and the one to begin with."""

from __future__ import annotations

from pathlib import Path

from contextls.shared_index.layout import Layout
from contextls.shared_index.manifest import Manifest, loads
from contextls.shared_index.objects import Objects
from contextls.workspace.git_log import ancestors
from contextls.workspace.git_process import line

# How far back a commit may lie to be worth beginning with: two or three months of a busy repository.
MAX_ANCESTORS = 5_000


def prefix_of(root: Path) -> str:
    """The folder of the repository that is open; "" for all of it."""
    return (line(root, "rev-parse", "--show-prefix") or "").rstrip("/")


def nearest(root: Path, objects: Objects, layout: Layout) -> Manifest | None:
    """The manifest of the newest commit, or of its nearest ancestor that has one. Raises ``StoreError``."""
    prefix = prefix_of(root)
    built = {each.name for each in objects.list_below(layout.commits)}
    if not built:
        return None
    for commit in ancestors(root, MAX_ANCESTORS):
        name = layout.manifest(commit, prefix)
        if name in built and (raw := objects.read(name)) is not None:
            return loads(raw)
    return None
