"""The working set as its files say it now: the manifest with all that it includes, and the hints next to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path

from msgspec import Struct, field

from contextls.memory.working_set.disk import NAME, ManifestFile
from contextls.memory.working_set.entries import Manifest, read_manifest
from contextls.memory.working_set.exclusions import Exclusions
from contextls.memory.working_set.file_patterns import FileSet
from contextls.memory.working_set.hints import COLD_NAME, HOT_NAME, HintList, Hints, read_hints
from contextls.memory.working_set.included import combine, gather
from contextls.memory.working_set.reading import FileReading, FollowedFile, parse_text
from contextls.model import ManifestFault

MAX_FOLLOWED = 64


class ManifestState(Struct, frozen=True):
    """The content of the files. ``text`` is that of the manifest itself, ``None`` where it was never understood.

    ``broken`` are the faults that keep files from being understood, that of the manifest first. ``files`` has the texts of
    all that were read, by their names.
    """

    text: str | None = None
    manifest: Manifest = field(default_factory=Manifest)
    exclusions: Exclusions = field(default_factory=Exclusions)
    hints: Hints = field(default_factory=Hints)
    broken: tuple[ManifestFault, ...] = ()
    hint_faults: tuple[ManifestFault, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def version(self) -> Hashable:
        """Differs once one of the files does."""
        return tuple(self.files.items()), self.broken


class FollowedManifest:
    """Reads the files of one workspace whenever they changed. Safe to use from any thread."""

    def __init__(
        self,
        root: Path,
        is_there: Callable[[str], bool],
        refuses: Callable[[str], str | None],
    ) -> None:
        """Reads nothing yet.

        ``is_there`` tells names of files and folders that hold a ``#`` from symbols; ``refuses`` says why a file must not
        be included.
        """
        self._root = root
        self._is_there = is_there
        self._refuses = refuses
        self._guard = threading.Lock()
        self._manifests: dict[str, FollowedFile[Manifest]] = {}
        self._hints = {
            name: FollowedFile(ManifestFile(root, name), self._parse_hints(name), HintList())
            for name in (HOT_NAME, COLD_NAME)
        }
        self._parts: tuple[object, ...] = ()
        self._known = ManifestState()

    def read(self) -> ManifestState:
        """The content of the files now; for a broken one, what was last understood."""
        with self._guard:
            self._parts, self._known = self._combine(
                self._read_manifest, lambda name: self._hints[name].read(), self._parts
            )
            return self._known

    def read_with(self, unsaved: Mapping[str, str]) -> ManifestState:
        """The same with texts that are in no file yet, by their names; of one that is broken, nothing counts."""

        def read(name: str) -> FileReading[Manifest]:
            text = unsaved.get(name)
            if text is None:
                return self._read_manifest(name)
            return parse_text(name, text, self._parse_manifest(name), Manifest())

        def read_list(name: str) -> FileReading[HintList]:
            text = unsaved.get(name)
            if text is None:
                return self._hints[name].read()
            return parse_text(name, text, self._parse_hints(name), HintList())

        with self._guard:
            return self._combine(read, read_list)[1]

    def _combine(
        self,
        read: Callable[[str], FileReading[Manifest]],
        read_list: Callable[[str], FileReading[HintList]],
        before: tuple[object, ...] | None = None,
    ) -> tuple[tuple[object, ...], ManifestState]:
        gathered = gather(read, self._refuses)
        hot, cold = read_list(HOT_NAME), read_list(COLD_NAME)
        readings: dict[str, FileReading[Manifest] | FileReading[HintList]] = {
            **gathered.readings,
            HOT_NAME: hot,
            COLD_NAME: cold,
        }
        parts = (*readings.values(), tuple(gathered.faults))
        if before is not None and _same(before, parts):
            return before, self._known
        manifest = combine(gathered)
        texts = {name: each.text if each.broken is None else each.refused for name, each in readings.items()}
        return parts, ManifestState(
            text=gathered.readings[NAME].text,
            manifest=manifest,
            exclusions=Exclusions.of(each.target for each in manifest.excluded),
            hints=Hints(FileSet(hot.content.targets), FileSet(cold.content.targets)),
            broken=tuple(each.broken for each in readings.values() if each.broken),
            hint_faults=(*hot.content.faults, *cold.content.faults),
            files={
                name: text or ""
                for name, text in texts.items()
                if text is not None and readings[name].is_there
            },
        )

    def _read_manifest(self, name: str) -> FileReading[Manifest]:
        followed = self._manifests.get(name)
        if followed is None:
            if len(self._manifests) >= MAX_FOLLOWED:
                self._manifests = {NAME: self._manifests[NAME]}
            file = ManifestFile(self._root, name)
            followed = self._manifests[name] = FollowedFile(file, self._parse_manifest(name), Manifest())
        return followed.read()

    def _parse_manifest(self, name: str) -> Callable[[str], Manifest]:
        return lambda text: read_manifest(text, self._is_there, name)

    def _parse_hints(self, name: str) -> Callable[[str], HintList]:
        return lambda text: read_hints(text, self._is_there, name)


def _same(before: tuple[object, ...], parts: tuple[object, ...]) -> bool:
    """Whether all readings are the same objects, and the faults between them equal."""
    return (
        len(before) == len(parts)
        and all(old is new for old, new in zip(before[:-1], parts[:-1], strict=True))
        and before[-1] == parts[-1]
    )
