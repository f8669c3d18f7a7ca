"""The manifests that a working set includes: inside the workspace, each once, so deep and so many and no more."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct, field

from contextls.memory.working_set.disk import MAX_BYTES, NAME
from contextls.memory.working_set.entries import MAX_ENTRIES, Entry, Exclusion, Include, Manifest
from contextls.memory.working_set.faults import INCLUDE, LIMIT
from contextls.memory.working_set.reading import FileReading
from contextls.memory.working_set.target_text import read_target
from contextls.model import ManifestBudget, ManifestFault

MAX_DEPTH = 4
MAX_FILES = 16
# The size of all included files together.
MAX_CHARS = 2 * MAX_BYTES
_ENDINGS = (".yml", ".yaml")

Item = TypeVar("Item", Entry, Exclusion)
ReadFile = Callable[[str], FileReading[Manifest]]


class IncludedManifests(Struct):
    """The readings of a manifest and of all that it includes, by their names, in the order in which they count.

    ``faults`` are those of the names of included files.
    """

    readings: dict[str, FileReading[Manifest]] = field(default_factory=dict)
    faults: list[ManifestFault] = field(default_factory=list)


def gather(read: ReadFile, refuses: Callable[[str], str | None]) -> IncludedManifests:
    """The manifest of a workspace and all that it includes. ``refuses`` says why a path must not be read."""
    gathered = IncludedManifests({NAME: read(NAME)})
    _Including(read, refuses, gathered).enter(NAME, ())
    return gathered


class _Including(Struct):
    read: ReadFile
    refuses: Callable[[str], str | None]
    gathered: IncludedManifests
    characters: int = 0

    def enter(self, name: str, above: tuple[str, ...]) -> None:
        """Read what the file called ``name`` includes, and what that does."""
        for include in self.gathered.readings[name].content.includes:
            path = _resolve(include.path, name)
            problem = self._problem(include, path, (*above, name))
            if problem:
                self.gathered.faults.append(include.place.fault(INCLUDE, f"include: {problem}"))
            elif path not in self.gathered.readings:
                self._take(include, path, (*above, name))

    def _take(self, include: Include, path: str, above: tuple[str, ...]) -> None:
        reading = self.read(path)
        self.characters += len(reading.text or reading.refused or "")
        if not reading.is_there:
            fault = include.place.fault(INCLUDE, f"include: {path}: no such file")
        elif self.characters > MAX_CHARS:
            message = f"include: only {MAX_CHARS:,} characters of included files are read"
            fault = include.place.fault(LIMIT, message)
        else:
            self.gathered.readings[path] = reading
            self.enter(path, above)
            return
        self.gathered.faults.append(fault)

    def _problem(self, include: Include, path: str, above: tuple[str, ...]) -> str:
        if path in above:
            return f"{path} includes itself" + f" by way of {above[-1]}" * (path != above[-1])
        if path in self.gathered.readings:
            return ""
        if len(above) > MAX_DEPTH:
            return f"{path} would be more than {MAX_DEPTH} files deep"
        if len(self.gathered.readings) > MAX_FILES:
            return f"only {MAX_FILES} files are included"
        try:
            target = read_target(path, lambda _: True)
        except ValueError as error:
            return f"{include.path[:80]!r} {error}"
        if not path.endswith(_ENDINGS) or target.path != path:
            return f"{include.path[:80]}: expected the path of a file that ends in .yml or .yaml"
        reason = self.refuses(path)
        return f"{path}: {reason}" if reason else ""


def combine(gathered: IncludedManifests) -> Manifest:
    """All of them as one: what comes first counts where several name the same place, or a budget."""
    entries: dict[object, Entry] = {}
    excluded: dict[object, Exclusion] = {}
    budget: ManifestBudget | None = None
    faults: list[ManifestFault] = []
    for reading in gathered.readings.values():
        manifest = reading.content
        faults += manifest.faults
        faults += _take(entries, manifest.entries, "files")
        faults += _take(excluded, manifest.excluded, "exclude")
        budget = budget or manifest.budget
    return Manifest(
        tuple(entries.values()), tuple(excluded.values()), (), budget, (*faults, *gathered.faults)
    )


def _take(known: dict[object, Item], items: Sequence[Item], name: str) -> list[ManifestFault]:
    """Add to ``known`` what is new of ``items``, while it is no more than one file may have; say where that ends."""
    for item in items:
        if item.target.place not in known:
            if len(known) >= MAX_ENTRIES:
                message = (
                    f"{name}: only {MAX_ENTRIES:,} entries are read, those of all included files counted"
                )
                return [item.place.fault(LIMIT, message)]
            known[item.target.place] = item
    return []


def _resolve(path: str, name: str) -> str:
    """The path from the root of what the file called ``name`` includes as ``path``: from its folder, or from the root."""
    if path.startswith("/"):
        return posixpath.normpath(path.lstrip("/"))
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
