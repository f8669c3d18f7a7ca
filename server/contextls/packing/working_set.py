"""The pins and exclusions of a workspace as packing needs them, read without opening the workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from contextls.workspace.roots import relative
from contextls.workspace.stamps import is_file, stamp_at

if TYPE_CHECKING:
    from contextls.memory.working_set.entries import Manifest

_PLACE = ".context/working-set.yml"


class Exclusions(Protocol):
    """What no prompt shows."""

    @property
    def symbols(self) -> Mapping[str, frozenset[str]]:
        """The excluded symbols of files by path."""

    def hides(self, path: str) -> bool:
        """Whether a file is excluded."""


@dataclass(frozen=True, slots=True)
class _NothingExcluded:
    symbols: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @staticmethod
    def hides(path: str) -> bool:
        return path == _PLACE


@dataclass(frozen=True, slots=True)
class WorkingSetFiles:
    """What a working set says about files; ``warnings`` where its own file is wrong."""

    exclusions: Exclusions = _NothingExcluded()
    manifest: Manifest | None = None
    warnings: tuple[str, ...] = ()

    def pinned(self, root: Path) -> tuple[set[str], set[str]]:
        """The files and the folders that are pinned and there; a pinned symbol stands for its file."""
        files: set[str] = set()
        folders: set[str] = set()
        for entry in self.manifest.entries if self.manifest else ():
            path = entry.target.path
            if relative(root, path) == path and stamp_at(root / path) is not None:
                (folders if (root / path).is_dir() else files).add(path)
        return files, folders


def read_working_set(root: Path) -> WorkingSetFiles:
    """The working set of ``root``; one that cannot be read pins and excludes nothing, and says so."""
    if stamp_at(root / _PLACE) is None:
        return WorkingSetFiles()
    # Only where there is one: what reads it takes longer to load than most packs take.
    from contextls.memory.working_set.disk import ManifestFile
    from contextls.memory.working_set.entries import read_manifest
    from contextls.memory.working_set.exclusions import Exclusions as ReadExclusions
    from contextls.memory.working_set.nodes import BrokenFileError

    try:
        content = ManifestFile(root).read()
        manifest = read_manifest(content.text if content else "", lambda path: is_file(root / path))
    except BrokenFileError as error:
        said = f"{_PLACE}, {error}; until that is mended, nothing is pinned or excluded"
        return WorkingSetFiles(warnings=(said,))
    exclusions = ReadExclusions.of(target for _, target in manifest.excluded)
    problems = tuple(f"{_PLACE}, {problem}" for problem in manifest.problems[:5])
    return WorkingSetFiles(exclusions, manifest, problems)
