"""The pins and exclusions of a workspace as packing needs them, read without opening the workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.stamps import stamp_at

_FOLDER = ".context"


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
        return path.startswith(f"{_FOLDER}/")


@dataclass(frozen=True, slots=True)
class WorkingSetFiles:
    """The files and folders that are pinned and there, and what is excluded; ``warnings`` where something is wrong."""

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    exclusions: Exclusions = _NothingExcluded()
    warnings: tuple[str, ...] = ()


def read_working_set(root: Path, rules: IgnoreRules, max_file_bytes: int) -> WorkingSetFiles:
    """The working set of ``root``; a pinned symbol stands for its file. One that cannot be read says so and is empty."""
    if stamp_at(root / _FOLDER) is None:
        return WorkingSetFiles()
    # Only where there is one: what reads it takes longer to load than most packs take.
    from contextls.memory.working_set.disk import NAME, ManifestFile
    from contextls.memory.working_set.followed import FollowedManifest
    from contextls.memory.working_set.places import Places
    from contextls.memory.working_set.problems import first_problems

    places = Places(root, rules.reason, max_file_bytes)
    known = FollowedManifest(ManifestFile(root), places.is_file).read()
    pinned = {entry.target.path for entry in known.manifest.entries}
    if known.broken:
        warnings: tuple[str, ...] = (
            f"{NAME}, {known.broken}; until that is mended, nothing is pinned or excluded",
        )
    else:
        problems = [f"{NAME}, {problem}" for problem in known.manifest.problems]
        warnings = first_problems(problems, "problems in the file")
    return WorkingSetFiles(
        frozenset(filter(places.is_file, pinned)),
        frozenset(filter(places.is_folder, pinned)),
        known.exclusions,
        warnings,
    )
