"""Validation of a working set's entries, done once for as long as nothing about them changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.memory.index.segments.outlines import Outline
from contextls.memory.working_set.entries import Entry, Manifest
from contextls.memory.working_set.exclusions import Exclusions
from contextls.memory.working_set.file_patterns import IndexedFiles
from contextls.memory.working_set.followed import ManifestState
from contextls.memory.working_set.hints import Hints
from contextls.memory.working_set.places import Places
from contextls.memory.working_set.problems import MAX_TOLD
from contextls.memory.working_set.texts import PinnedTexts
from contextls.model import Target, Updater
from contextls.workspace.stamps import Stamp

EXCLUDED = "excluded"
NO_SYMBOL = "no such symbol"
NOT_INDEXED = "its file is not indexed"
NO_MATCH = "matches no indexed file"
PARTS_OF_FOLDER = "is a folder, which has no lines"
# The number of files of a pinned folder or pattern that count, in path order.
MAX_MATCHED = 500


class Pinned(Struct, frozen=True):
    """An entry and why it does not count, if so; ``remark`` is what else its author should know."""

    entry: Entry
    problem: str | None
    remark: str | None = None


class _Verdict(Struct, frozen=True):
    """The findings about an entry, and what they rest on."""

    stamp: Stamp | None
    unsaved: str | None
    outline: Outline | None
    pinned: Pinned

    def holds(self, stamp: Stamp | None, unsaved: str | None, outline: Outline | None) -> bool:
        """Whether nothing of that changed. An outline is another one whenever its file was indexed again."""
        return self.stamp == stamp and self.unsaved == unsaved and self.outline is outline

    @property
    def is_told(self) -> bool:
        """Whether people are told that the entry does not count; where they excluded it themselves, they know."""
        return self.pinned.problem not in (None, EXCLUDED)


class _Remembered(Struct, frozen=True):
    """The entries of a manifest in the order of priority, and what was found out about them."""

    manifest: Manifest = field(default_factory=Manifest)
    entries: Sequence[Entry] = ()
    verdicts: dict[Target, _Verdict] = field(default_factory=dict)


class PinValidator:
    """Tells of each entry whether it counts. Safe to use from any thread."""

    def __init__(self, places: Places, texts: PinnedTexts, files: IndexedFiles) -> None:
        """Cheap: looks at nothing yet."""
        self._places = places
        self._texts = texts
        self._files = files
        self._remembered = _Remembered()
        self._names: dict[str, tuple[Outline, frozenset[str]]] = {}

    def validate_pins(
        self, known: ManifestState, outlines: Mapping[str, Outline], *, again: bool = False
    ) -> list[Pinned]:
        """Every entry in the order of ``sort_entries``.

        A verdict is remembered while the manifest, what lies at the path, and its outline stay the same. The first
        problems, which are those that people are told, are looked into each time; with ``again``, everything is.
        """
        remembered = self._remembered
        if remembered.manifest is not known.manifest:
            entries = sort_entries(known.manifest, known.hints)
            remembered = self._remembered = _Remembered(known.manifest, entries)
            self._names = {}
        pinned: list[Pinned] = []
        doubtful = MAX_TOLD
        for entry in remembered.entries:
            path = entry.target.path
            if entry.target.pattern:
                pinned.append(self._validate_pattern(entry, outlines))
                continue
            now = self._places.stamp(path), self._places.unsaved(path), outlines.get(path)
            before = remembered.verdicts.get(entry.target)
            if before is None or again or not before.holds(*now) or (before.is_told and doubtful > 0):
                result = self._validate(entry, known.exclusions, outlines)
                before = remembered.verdicts[entry.target] = _Verdict(*now, result)
            doubtful -= before.is_told
            pinned.append(before.pinned)
        return pinned

    def problem(self, target: Target, exclusions: Exclusions, outlines: Mapping[str, Outline]) -> str | None:
        """The objection to ``target`` right now, in words; ``None`` when there is none."""
        if (
            exclusions.hides_symbol(target.path, target.symbol)
            if target.symbol
            else exclusions.hides(target.path)
        ):
            return EXCLUDED
        if target.pattern:
            return None if self._files.of(target, outlines) else NO_MATCH
        problem = self._places.problem(target.path, folder=target.folder)
        if problem is None and target.lines and target.folder:
            problem = PARTS_OF_FOLDER
        if problem is None and target.lines:
            problem = self._texts.text(target.path).lacks(target.lines)
        if problem is not None or target.symbol is None:
            return problem
        outline = outlines.get(target.path)
        if outline is None:
            return NOT_INDEXED
        return None if target.symbol in self._names_of(outline) else NO_SYMBOL

    def is_void(self, target: Target, outlines: Mapping[str, Outline]) -> bool:
        """Whether the file is known and has no such symbol: the exclusion of one that was renamed excludes nothing."""
        outline = outlines.get(target.path)
        return outline is not None and target.symbol not in self._names_of(outline)

    def is_folder(self, target: Target) -> bool:
        """Whether a folder is meant, or lies where a file was meant."""
        return target.symbol is None and (target.folder or self._places.is_folder(target.path))

    def _validate(self, entry: Entry, exclusions: Exclusions, outlines: Mapping[str, Outline]) -> Pinned:
        target = replace(entry.target, folder=self.is_folder(entry.target))
        problem = entry.problem or self.problem(target, exclusions, outlines)
        return Pinned(replace(entry, target=target), problem)

    def _validate_pattern(self, entry: Entry, outlines: Mapping[str, Outline]) -> Pinned:
        number = len(self._files.of(entry.target, outlines))
        problem = entry.problem or (None if number else NO_MATCH)
        many = f"matches {number:,} files, of which the first {MAX_MATCHED} count at most"
        return Pinned(entry, problem, many if number > MAX_MATCHED else None)

    def _names_of(self, outline: Outline) -> frozenset[str]:
        known = self._names.get(outline.path)
        if known is None or known[0] is not outline:
            known = (outline, frozenset(item.qualified for item in outline.definitions))
            self._names[outline.path] = known
        return known[1]


def sort_entries(manifest: Manifest, hints: Hints) -> list[Entry]:
    """The entries of a manifest, those of people first, whatever the priorities; highest priority first.

    Of equal ones the hot come first and the cold last, then it goes by path.
    """

    def rank(entry: Entry) -> tuple[bool, float, int, str, str, tuple[int, int]]:
        target = entry.target
        hint = hints.rank(target.path) if hints else 0
        of_model = entry.by is not Updater.PERSON
        return of_model, -entry.priority, hint, target.path, target.symbol or "", target.lines or (0, 0)

    return sorted(manifest.entries, key=rank)
