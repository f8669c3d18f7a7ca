"""The working set of one workspace: followed on disk, changed by a few words, never trusted further than its own folder."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from contextls.errors import StoreError
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.working_set import edits
from contextls.memory.working_set.checking import ManifestChecker
from contextls.memory.working_set.entries import Entry, Exclusion, Manifest
from contextls.memory.working_set.exclusions import Exclusions
from contextls.memory.working_set.file_patterns import IndexedFiles
from contextls.memory.working_set.followed import FollowedManifest, ManifestState
from contextls.memory.working_set.hints import Hints
from contextls.memory.working_set.journal import Journal
from contextls.memory.working_set.manifest_writer import ManifestWriter
from contextls.memory.working_set.naming import TargetResolver
from contextls.memory.working_set.pin_validation import Pinned, PinValidator
from contextls.memory.working_set.pin_view import describe_fallback, list_remarks, view_of
from contextls.memory.working_set.places import PlaceLookup, Places, Refuses
from contextls.memory.working_set.problems import first_problems
from contextls.memory.working_set.texts import PinnedText, PinnedTexts
from contextls.model import (
    CheckedManifest,
    ExcludedFile,
    ManifestBudget,
    Target,
    WorkingSetView,
)

_PROBLEMS = "problems in the file"


class WorkingSet:
    """The pins and exclusions of a workspace. Safe to use from any thread."""

    name = "workingSet"

    def __init__(
        self,
        root: Path,
        state: Path,
        refuses: Refuses,
        outlines: Callable[[], Mapping[str, Outline]],
        max_file_bytes: int,
        refuses_now: Callable[[], Refuses] | None = None,
    ) -> None:
        """Cheap: reads nothing yet.

        ``refuses`` says why a path (of a folder where True) is ignored, what ``refuses_now`` gives says the same of many
        paths at one moment; ``outlines`` are those of all known files.
        """
        self.places = Places(root, refuses, max_file_bytes)
        self.writer = ManifestWriter(root, state, self.places.is_there)
        self.journal = Journal(state)
        self._outlines = outlines
        self._refuses_now = refuses_now or (lambda: refuses)
        self._texts = PinnedTexts(self.places)
        self._files = IndexedFiles()
        self._validator = PinValidator(self.places, self._texts, self._files)
        self._check_validator = PinValidator(self.places, self._texts, self._files)
        self._resolver = TargetResolver(self.places, outlines)
        self._followed = FollowedManifest(root, self.places.is_there, self.places.include_problem)
        self._searchable = (Snapshot(), Exclusions(), Snapshot())

    def view(self) -> WorkingSetView:
        """Everything pinned and excluded now; where the file is broken, what was last read."""
        known = self._followed.read()
        outlines = self._outlines_for(known.manifest)
        pinned = self._validator.validate_pins(known, outlines, again=True)
        return WorkingSetView(
            files=tuple(map(view_of, pinned)),
            excluded=tuple(
                self._excluded_view(each)
                for each in sorted(known.manifest.excluded, key=lambda each: each.target.text)
            ),
            location=str(self.writer.file.path),
            warnings=first_problems([*self._problems(known, outlines), *list_remarks(pinned)], _PROBLEMS),
            updates=tuple(record.view for record in reversed(self.journal.read().records)),
        )

    def manifest(self) -> Manifest:
        """The content of the file and of those that it includes."""
        return self._followed.read().manifest

    def entries(self) -> Sequence[Entry]:
        """Every entry as the file has it."""
        return self.manifest().entries

    def list_pinned(self, outlines: Mapping[str, Outline]) -> list[Pinned]:
        """Every entry, highest priority first, checked against these outlines of all known files."""
        return self._validator.validate_pins(self._followed.read(), outlines)

    def files_of(self, target: Target, outlines: Mapping[str, Outline]) -> Sequence[str]:
        """The indexed files that a folder or a pattern stands for: the hot first, the cold last, in path order."""
        paths, hints = self._files.of(target, outlines), self._followed.read().hints
        return sorted(paths, key=hints.rank) if hints else paths

    def hints(self) -> Hints:
        """The files that are hot now, and those that are cold."""
        return self._followed.read().hints

    def budget(self) -> ManifestBudget:
        """The bounds of prompts that the manifest sets, or else the first that it includes."""
        return self.manifest().budget or ManifestBudget()

    def look(self) -> PlaceLookup:
        """A look at many pinned files at one moment, to be handed to ``text``."""
        return PlaceLookup(self._refuses_now())

    def text(self, path: str, look: PlaceLookup | None = None) -> PinnedText:
        """The text of a pinned file now, unsaved or on disk."""
        return self._texts.text(path, look)

    def exclusions(self) -> Exclusions:
        """The exclusions now."""
        return self._followed.read().exclusions

    def excluding_file(self, path: str) -> str | None:
        """The file of the working set that excludes just this file or folder; ``None`` where none does."""
        known = self.manifest().excluded
        return next((each.place.file for each in known if each.target.place == Target(path).place), None)

    def searchable(self, snapshot: Snapshot, exclusions: Exclusions) -> Snapshot:
        """``snapshot`` without the chunks of what is excluded; the same one for the same two moments."""
        whole, known, narrowed = self._searchable
        if whole is not snapshot or known is not exclusions:
            narrowed = exclusions.searchable(snapshot)
            self._searchable = (snapshot, exclusions, narrowed)
        return narrowed

    def problems(self, outlines: Mapping[str, Outline]) -> list[str]:
        """The problems of the file and its exclusions, in words for its author, however many."""
        return self._problems(self._followed.read(), outlines)

    def check(self, unsaved: Mapping[str, str], *, indexed: bool) -> tuple[CheckedManifest, ...]:
        """The files of the working set with all that is wrong in them; ``unsaved`` texts count, by their names.

        Unless the workspace is ``indexed``, nothing is said of symbols and patterns.
        """
        known = self._followed.read_with(unsaved)
        outlines = self._outlines_for(known.manifest)
        return ManifestChecker(
            known, self._check_validator, self.places, self.text, outlines, indexed
        ).check()

    def version(self) -> Hashable:
        """Differs once one of its files does, or the journal; what pinned files say is the disk's, see ``stamps``."""
        return self._followed.read().version, self.journal.version()

    def stamps(self) -> Hashable:
        """Differs once anything does that is pinned by name."""
        manifest = self.manifest()
        return tuple(map(self.places.stamp, dict.fromkeys(entry.target.path for entry in manifest.entries)))

    def warnings(self) -> tuple[str, ...]:
        """The first problems of the file, in words for its author."""
        known = self._followed.read()
        return first_problems(self._problems(known, self._outlines_for(known.manifest)), _PROBLEMS)

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved text of ``path`` wins over the disk until ``None`` takes it away."""
        self.places.set_overlay(path, text)

    def target(self, path: str, symbol: str | None = None, line: int | None = None) -> Target:
        """The target that a client means, see ``TargetResolver.target``. Raises ``InvalidRequestError``."""
        return self._resolver.target(path, symbol, line)

    def target_of(self, path: str, symbol: str | None = None, line: int | None = None) -> Target:
        """The same of a path inside the workspace that carries nothing. Raises ``InvalidRequestError``."""
        return self._resolver.target_of(path, symbol, line)

    def dismiss(self, entry: str) -> None:
        """Have the server leave alone what it does under this id. Raises ``StoreError``."""
        with self.writer.hold():
            self.journal.dismiss(entry)

    def wipe(self) -> WorkingSetView:
        """Unpin everything and take every exclusion back; the rest of the file stays, and what it includes.

        Raises ``StoreError``.
        """

        def change(text: str, manifest: Manifest) -> str:
            for index in sorted((entry.index for entry in manifest.entries), reverse=True):
                text = edits.without_item(text, "files", index)
            for index in sorted((each.index for each in manifest.excluded), reverse=True):
                text = edits.without_item(text, "exclude", index)
            return text

        self.writer.change(change)
        return self.view()

    def close(self) -> None:
        """Nothing to let go of: the file is open only while it is read or written."""

    def objection(self, target: Target, manifest: Manifest) -> str | None:
        """The reason why ``target`` cannot be pinned with these exclusions; ``None`` when it can."""
        excluded = (*manifest.excluded, *self.manifest().excluded)
        exclusions = Exclusions.of(each.target for each in excluded)
        return self._problem(target, exclusions)

    def problem(self, target: Target) -> str | None:
        """The reason why ``target`` cannot be pinned whatever is excluded; ``None`` when it can."""
        return self._problem(target, Exclusions(frozenset()))

    def is_void(self, target: Target) -> bool:
        """Whether its file has no such symbol."""
        return self._validator.is_void(target, self._outlines())

    def included(self, target: Target) -> Entry | None:
        """The entry of an included file that pins ``target``, which nothing here changes."""
        entry = self.manifest().find(target)
        return entry if entry is not None and entry.place.included_from is not None else None

    def _problem(self, target: Target, exclusions: Exclusions) -> str | None:
        outlines = self._outlines() if target.symbol or target.pattern else {}
        return self._validator.problem(target, exclusions, outlines)

    def _problems(self, known: ManifestState, outlines: Mapping[str, Outline]) -> list[str]:
        broken = [
            f"{each.text}; until that is mended, {describe_fallback(known, each.file)}"
            for each in known.broken
        ]
        void = [
            f"excluded {each.target.text}: no such symbol, so nothing is excluded by it"
            for each in known.manifest.excluded
            if each.target.symbol and self._validator.is_void(each.target, outlines)
        ]
        return [*broken, *known.manifest.problems, *(each.text for each in known.hint_faults), *void]

    def _excluded_view(self, exclusion: Exclusion) -> ExcludedFile:
        target = replace(exclusion.target, folder=self._validator.is_folder(exclusion.target))
        return ExcludedFile(
            target.path, target.symbol, target.folder, target.text, exclusion.place.included_from
        )

    def _outlines_for(self, manifest: Manifest) -> Mapping[str, Outline]:
        """The outlines of all known files where the manifest needs them; else none, which costs nothing."""
        entries = (entry.target for entry in manifest.entries)
        named = (*entries, *(each.target for each in manifest.excluded))
        if any(target.symbol or target.pattern for target in named):
            with suppress(StoreError):
                return self._outlines()
        return {}
