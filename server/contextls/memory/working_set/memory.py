"""The working set of one workspace: followed on disk, changed by a few words, never trusted further than its own folder."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from filelock import Timeout

from contextls.errors import InvalidRequestError, StoreError
from contextls.memory.index.outlines import Outline
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.working_set import edits
from contextls.memory.working_set.disk import NAME, Content, ManifestFile
from contextls.memory.working_set.entries import MAX_ENTRIES, PROTOCOL, Entry, Manifest, read_manifest
from contextls.memory.working_set.exclusions import Exclusions
from contextls.memory.working_set.followed import FollowedManifest, Known
from contextls.memory.working_set.journal import Journal
from contextls.memory.working_set.naming import Naming
from contextls.memory.working_set.nodes import BrokenFileError
from contextls.memory.working_set.pin_validation import NO_SYMBOL, NOT_INDEXED, Judgements, Pinned
from contextls.memory.working_set.places import Places
from contextls.memory.working_set.problems import first_problems
from contextls.memory.working_set.texts import Text, Texts
from contextls.model import ExcludedFile, PinnedFile, Role, Target, TruncateStrategy, Updater, WorkingSetView
from contextls.store.locks import lock_at

LOCK_SECONDS = 10.0


class WorkingSet:
    """The pins and exclusions of a workspace. Safe to use from any thread."""

    name = "workingSet"

    def __init__(
        self,
        root: Path,
        state: Path,
        refuses: Callable[[str, bool], str | None],
        outlines: Callable[[], Mapping[str, Outline]],
        max_file_bytes: int,
    ) -> None:
        """Cheap: reads nothing yet.

        ``refuses`` says why a path (of a folder where True) is ignored; ``outlines`` are those of all known files.
        """
        self.file = ManifestFile(root)
        self.journal = Journal(state)
        self._lock = lock_at(state / "working-set.lock")
        self._outlines = outlines
        self.places = Places(root, refuses, max_file_bytes)
        self._texts = Texts(self.places)
        self._judgements = Judgements(self.places)
        self._naming = Naming(self.places, outlines)
        self._followed = FollowedManifest(self.file, self.places.is_file)
        self._searchable = (Snapshot(), Exclusions(), Snapshot())
        self._sorted: tuple[Mapping[str, Outline], Sequence[str]] = ({}, ())

    def view(self) -> WorkingSetView:
        """Everything pinned and excluded now; where the file is broken, what was last read."""
        known = self._followed.read()
        outlines = self._outlines_for(known.manifest)
        excluded = [target for _, target in known.manifest.excluded]
        return WorkingSetView(
            files=tuple(map(_view_of, self._judgements.validate_pins(known, outlines, again=True))),
            excluded=tuple(
                ExcludedFile(target.path, target.symbol, self._judgements.is_folder(target))
                for target in sorted(excluded, key=lambda target: target.text)
            ),
            location=str(self.file.path),
            warnings=_first_problems(self._problems(known, outlines)),
            updates=tuple(record.view for record in reversed(self.journal.read().records)),
        )

    def entries(self) -> Sequence[Entry]:
        """Every entry as the file has it."""
        return self._followed.read().manifest.entries

    def list_pinned(self, outlines: Mapping[str, Outline]) -> list[Pinned]:
        """Every entry, highest priority first, judged with these outlines of all known files."""
        return self._judgements.validate_pins(self._followed.read(), outlines)

    def files_below(self, folder: str, outlines: Mapping[str, Outline]) -> Sequence[str]:
        """The indexed files of a folder, in path order."""
        known, paths = self._sorted
        if known is not outlines:
            paths = sorted(outlines)
            self._sorted = (outlines, paths)
        # "0" is the character behind "/".
        return paths[bisect_left(paths, f"{folder}/") : bisect_left(paths, f"{folder}0")]

    def text(self, path: str) -> Text:
        """The text of a pinned file now, unsaved or on disk."""
        return self._texts.text(path)

    def exclusions(self) -> Exclusions:
        """The exclusions now."""
        return self._followed.read().exclusions

    def searchable(self, snapshot: Snapshot) -> Snapshot:
        """``snapshot`` without the chunks of what is excluded; the same one for the same two moments."""
        exclusions = self.exclusions()
        whole, known, narrowed = self._searchable
        if whole is not snapshot or known is not exclusions:
            narrowed = exclusions.searchable(snapshot)
            self._searchable = (snapshot, exclusions, narrowed)
        return narrowed

    def problems(self, outlines: Mapping[str, Outline]) -> list[str]:
        """The problems of the file and its exclusions, in words for its author, however many."""
        return self._problems(self._followed.read(), outlines)

    def version(self) -> Hashable:
        """Differs once the file or the journal does; what pinned files say is the disk's, see ``stamps``."""
        known = self._followed.read()
        return known.text, known.broken, self.journal.version()

    def stamps(self) -> Hashable:
        """Differs once anything does that is pinned by name."""
        manifest = self._followed.read().manifest
        return tuple(map(self.places.stamp, dict.fromkeys(entry.target.path for entry in manifest.entries)))

    def warnings(self) -> tuple[str, ...]:
        """The first problems of the file, in words for its author."""
        known = self._followed.read()
        return _first_problems(self._problems(known, self._outlines_for(known.manifest)))

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved text of ``path`` wins over the disk until ``None`` takes it away."""
        self.places.set_overlay(path, text)

    def target(self, path: str, symbol: str | None = None, line: int | None = None) -> Target:
        """The target that a client means, see ``Naming.target``. Raises ``InvalidRequestError``."""
        return self._naming.target(path, symbol, line)

    def target_of(self, path: str, symbol: str | None = None, line: int | None = None) -> Target:
        """The same of a path inside the workspace that carries nothing. Raises ``InvalidRequestError``."""
        return self._naming.target_of(path, symbol, line)

    def pin(
        self,
        target: Target,
        priority: float | None = None,
        role: Role | None = None,
        truncate_strategy: TruncateStrategy | None = None,
        max_lines: int | None = None,
    ) -> WorkingSetView:
        """Pin ``target``, or change these fields of what is pinned; no longer excluded. Durable when this returns.

        Raises ``InvalidRequestError``, and ``StoreError`` when the file is broken or cannot be written.
        """
        fields: dict[str, edits.Value] = {}
        if priority is not None:
            if not 0 <= priority <= 1:
                raise InvalidRequestError("priority", "a number from 0 to 1", priority)
            fields["priority"] = round(float(priority), 4)
        for name, word in (("role", role), ("truncate_strategy", truncate_strategy)):
            if word is not None:
                fields[name] = str(word)
        if max_lines is not None:
            fields["max_lines"] = max_lines

        def change(text: str, manifest: Manifest) -> str:
            entry = manifest.find(target)
            if entry is None:
                self._check_pin(target)
                if len(manifest.entries) >= MAX_ENTRIES:
                    expected = f"at most {MAX_ENTRIES:,} pinned files; pin a folder, or unpin some"
                    raise InvalidRequestError("path", expected, target.text)
                text = edits.with_item(text, "files", {"path": target.text, **fields})
            else:
                if entry.by is not Updater.PERSON:
                    fields["added_by"] = "user"  # what a person pins is theirs from then on
                text = edits.with_fields(text, "files", entry.index, fields)
            return _without_exclusion(text, manifest, target)

        return self._change(change)

    def unpin(self, target: Target) -> WorkingSetView:
        """No longer pin ``target``; nothing changes when it is not pinned. Raises ``StoreError``."""
        return self._change(lambda text, manifest: _without_entry(text, manifest, target))

    def exclude(self, target: Target) -> WorkingSetView:
        """Keep ``target`` out of every prompt; no longer pinned. Raises ``InvalidRequestError``, ``StoreError``."""

        def change(text: str, manifest: Manifest) -> str:
            text = _without_entry(text, manifest, target)
            if any(target.names(known) for _, known in manifest.excluded):
                return text
            if target.symbol and self._judgements.is_void(target, self._outlines()):
                raise InvalidRequestError("symbol", "a symbol of that file (no such symbol)", target.text)
            if len(manifest.excluded) >= MAX_ENTRIES:
                expected = f"at most {MAX_ENTRIES:,} exclusions; exclude a folder, or use .contextlsignore"
                raise InvalidRequestError("path", expected, target.text)
            return edits.with_item(text, "exclude", target.text)

        return self._change(change)

    def include(self, target: Target) -> WorkingSetView:
        """Take an exclusion back; nothing changes when there is none. Raises ``StoreError``."""
        return self._change(lambda text, manifest: _without_exclusion(text, manifest, target))

    def dismiss(self, entry: str) -> None:
        """Have the server leave alone what it does under this id. Raises ``StoreError``."""
        with self.writing():
            self.journal.dismiss(entry)

    def wipe(self) -> WorkingSetView:
        """Unpin everything and take every exclusion back; the rest of the file stays. Raises ``StoreError``."""

        def change(text: str, manifest: Manifest) -> str:
            for index in sorted((entry.index for entry in manifest.entries), reverse=True):
                text = edits.without_item(text, "files", index)
            for index in sorted((index for index, _ in manifest.excluded), reverse=True):
                text = edits.without_item(text, "exclude", index)
            return text

        return self._change(change)

    def close(self) -> None:
        """Nothing to let go of: the file is open only while it is read or written."""

    def change(
        self,
        change: Callable[[str, Manifest], str],
        assembled_by: str = "user",
        note: Callable[[Content | None, str], None] | None = None,
    ) -> None:
        """Read, change and write the file while no other process does.

        ``note`` hears what is there and the text that takes its place, if another one does. Raises ``StoreError``.
        """
        with self.writing():
            content = self.file.read()
            text = content.text if content else ""
            changed = change(text, read_manifest(text, self.places.is_file))
            if changed == text:
                return
            if content is None or not text.strip():
                changed = f"protocol: {PROTOCOL}\n{changed}"
            now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
            changed = edits.with_metadata(changed, {"last_updated": now, "assembled_by": assembled_by})
            if note is not None:
                note(content, changed)
            self.file.write(replace(content or Content(""), text=changed))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the file while no other process changes it. Raises ``StoreError`` when that, or what is done, fails."""
        try:
            with self._lock.acquire(timeout=LOCK_SECONDS):
                yield
        except BrokenFileError as error:
            raise StoreError(
                f"{self.file.path}, {error}; mend it (or delete it) and try again; nothing was changed"
            ) from None
        except Timeout:
            raise StoreError(f"{self.file.path} is being changed by another process; try again") from None
        except OSError as error:
            raise StoreError(f"cannot lock {self.file.path}: {error.strerror}") from error

    def _change(self, change: Callable[[str, Manifest], str]) -> WorkingSetView:
        self.change(change)
        return self.view()

    def objection(self, target: Target, manifest: Manifest) -> str | None:
        """Why ``target`` cannot be pinned beside what this manifest excludes, in words; ``None`` when it can."""
        exclusions = Exclusions.of(excluded for _, excluded in manifest.excluded)
        return self._judgements.problem(target, exclusions, self._outlines() if target.symbol else {})

    def _problems(self, known: Known, outlines: Mapping[str, Outline]) -> list[str]:
        if known.broken is not None:
            kept = (
                "nothing is pinned or excluded" if known.text is None else "what it said before still counts"
            )
            return [f"{NAME}, {known.broken}; until that is mended, {kept}"]
        void = [
            f"excluded {target.text}: no such symbol, so nothing is excluded by it"
            for _, target in known.manifest.excluded
            if target.symbol and self._judgements.is_void(target, outlines)
        ]
        return [*(f"{NAME}, {problem}" for problem in known.manifest.problems), *void]

    def _outlines_for(self, manifest: Manifest) -> Mapping[str, Outline]:
        """The outlines of all known files where the manifest names symbols; else none, which costs nothing."""
        named = (*(entry.target for entry in manifest.entries), *(target for _, target in manifest.excluded))
        if any(target.symbol for target in named):
            with suppress(StoreError):
                return self._outlines()
        return {}

    def _check_pin(self, target: Target) -> None:
        outlines = self._outlines() if target.symbol else {}
        problem = self._judgements.problem(target, Exclusions(frozenset()), outlines)
        if problem is not None:
            field = "symbol" if problem in (NO_SYMBOL, NOT_INDEXED) else "path"
            expected = (
                "a symbol of that file" if field == "symbol" else "a readable file or folder in the workspace"
            )
            raise InvalidRequestError(field, f"{expected} ({problem})", target.text)


def _first_problems(problems: Sequence[str]) -> tuple[str, ...]:
    return first_problems(problems, "problems in the file")


def _view_of(pinned: Pinned) -> PinnedFile:
    entry = pinned.entry
    return PinnedFile(
        path=entry.target.path,
        symbol=entry.target.symbol,
        folder=entry.target.folder,
        priority=entry.priority,
        role=entry.role,
        truncate_strategy=entry.truncate_strategy,
        max_lines=entry.max_lines,
        problem=pinned.problem,
        by=entry.by,
        why=entry.why if entry.by is Updater.MODEL else None,
    )


def _without_entry(text: str, manifest: Manifest, target: Target) -> str:
    entry = manifest.find(target)
    return text if entry is None else edits.without_item(text, "files", entry.index)


def _without_exclusion(text: str, manifest: Manifest, target: Target) -> str:
    for index, known in reversed(manifest.excluded):
        if target.names(known):
            text = edits.without_item(text, "exclude", index)
    return text
