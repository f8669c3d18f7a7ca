"""The pins and exclusions of a workspace as packing needs them, read without opening the workspace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

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


class PinnedPattern(Protocol):
    """A pinned pattern."""

    @property
    def folder(self) -> str:
        """The folder that all its files lie in, with a slash after it, or ""."""

    def matches(self, path: str) -> bool:
        """Whether it stands for this file."""


class _NothingExcluded(Struct, frozen=True):
    symbols: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @staticmethod
    def hides(path: str) -> bool:
        return path.startswith(f"{_FOLDER}/")


class WorkingSetFiles(Struct, frozen=True):
    """The files, folders and patterns that are pinned and there, and what is excluded.

    A pinned symbol and pinned lines stand for their file. ``warnings`` say what is wrong.
    """

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    patterns: tuple[PinnedPattern, ...] = ()
    exclusions: Exclusions = _NothingExcluded()
    warnings: tuple[str, ...] = ()


def read_working_set(root: Path, rules: IgnoreRules, max_file_bytes: int) -> WorkingSetFiles:
    """The working set of ``root`` with all that it includes. One that cannot be read says so and is empty."""
    if stamp_at(root / _FOLDER) is None:
        return WorkingSetFiles()
    # Only where there is one: what reads it takes longer to load than most packs take.
    from contextls.memory.working_set.file_patterns import FilePattern
    from contextls.memory.working_set.followed import FollowedManifest
    from contextls.memory.working_set.places import Places
    from contextls.memory.working_set.problems import first_problems

    places = Places(root, rules.reason, max_file_bytes)
    known = FollowedManifest(root, places.is_there, places.include_problem).read()
    targets = [entry.target for entry in known.manifest.entries]
    pinned = {target.path for target in targets if not target.pattern}
    patterns = [FilePattern(target.path) for target in targets if target.pattern]
    broken = [
        f"{each.text}; until that is mended, nothing in it is pinned or excluded" for each in known.broken
    ]
    warnings = first_problems([*broken, *known.manifest.problems], "problems in the file")
    return WorkingSetFiles(
        frozenset(filter(places.is_file, pinned)),
        frozenset(filter(places.is_folder, pinned)),
        tuple(each for each in patterns if not each.folder or places.is_folder(each.folder.rstrip("/"))),
        known.exclusions,
        warnings,
    )
