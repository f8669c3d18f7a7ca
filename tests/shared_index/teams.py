"""A team: one repository, the clones of it, and what its members see."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from contextls.engine import Engine
from contextls.engine.sharing import build_shared, prune_shared
from contextls.model import IndexReport, SharedBuild, SharedPruning
from contextls.settings import Settings
from contextls.shared_index.place import place_of

from ..memory.workspaces import write
from ..repositories import git
from ..shop import SHOP


class Team:
    """The repository ``origin``, whose first commit is the shop, and an index at ``uri``."""

    def __init__(self, folder: Path, uri: str) -> None:
        self.folder, self.uri = folder, uri
        self.place = place_of(uri)
        self.settings = Settings(index_uri=uri, workers=1)
        self.origin = folder / "origin"
        self.origin.mkdir()
        git(self.origin, "init", "-q")
        self.commit(SHOP)

    def commit(self, files: Mapping[str, str]) -> str:
        """Write ``files`` into the origin and commit everything that lies there."""
        write(self.origin, files)
        git(self.origin, "add", "--all")
        git(self.origin, "commit", "-qm", "work")
        return git(self.origin, "rev-parse", "HEAD")

    def build(self, engine: str = "local") -> SharedBuild:
        """Build the shared index as CI does: in a checkout of its own."""
        checkout = self.clone("ci")
        try:
            return build_shared(checkout, self.settings, engine)
        finally:
            shutil.rmtree(checkout)

    def prune(self, keep_days: int = 0, keep_commits: int = 1) -> SharedPruning:
        return prune_shared(self.settings, keep_days, keep_commits)

    def clone(self, name: str) -> Path:
        target = self.folder / name
        git(self.folder, "clone", "-q", str(self.origin), str(target))
        return target

    def unshared(self) -> Settings:
        """The settings of somebody who has no shared index."""
        return Settings(workers=1)


@contextmanager
def opened(root: Path, settings: Settings) -> Iterator[tuple[Engine, IndexReport]]:
    """An engine on ``root`` whose index is up to date."""
    engine = Engine.open(root, settings)
    try:
        yield engine, engine.index()
    finally:
        engine.close()


def index(root: Path, settings: Settings) -> IndexReport:
    with opened(root, settings) as (_, report):
        return report
