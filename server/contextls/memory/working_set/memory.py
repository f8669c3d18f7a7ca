"""The working set of one workspace: followed on disk, changed by a few words, never trusted further than its own folder."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from contextls.errors import InvalidRequestError, StoreError
from contextls.memory.outlines import Outline
from contextls.memory.snapshot import Snapshot
from contextls.memory.working_set import edits
from contextls.memory.working_set.disk import Content, ManifestFile
from contextls.memory.working_set.entries import MOST_ENTRIES, PROTOCOL, Entry, Manifest, read_manifest
from contextls.memory.working_set.exclusions import Exclusions
from contextls.memory.working_set.followed import FollowedManifest, Known
from contextls.memory.working_set.nodes import BrokenFileError
from contextls.memory.working_set.places import Places
from contextls.memory.working_set.target import Target, read_target
from contextls.model import ExcludedFile, PinnedFile, Role, TruncateStrategy, WorkingSetView

LOCK_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Pinned:
    """An entry and why it does not count, if so."""

    entry: Entry
    problem: str | None


class WorkingSet:
    """What people pinned and excluded. Safe to use from any thread."""

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
        self._file = ManifestFile(root)
        self._lock = FileLock(state / "working-set.lock", timeout=LOCK_SECONDS)
        self._outlines = outlines
        self.places = Places(root, refuses, max_file_bytes)
        self._followed = FollowedManifest(self._file, self.places.is_file)
        self._searchable = (Snapshot(), Exclusions(), Snapshot())

    def view(self) -> WorkingSetView:
        """What is pinned and excluded now, also where the file is broken: then it is what was last read."""
        known = self._followed.read()
        excluded = [target for _, target in known.manifest.excluded]
        return WorkingSetView(
            files=tuple(map(_shown, self._judged(known))),
            excluded=tuple(
                ExcludedFile(target.path, target.symbol, self._is_folder(target))
                for target in sorted(excluded, key=lambda target: target.text)
            ),
            location=str(self._file.path),
            warnings=self._warnings(known),
        )

    def pinned(self) -> tuple[Pinned, ...]:
        """Every entry, highest priority first."""
        return tuple(self._judged(self._followed.read()))

    def exclusions(self) -> Exclusions:
        """What shall appear in no prompt."""
        return self._followed.read().exclusions

    def searchable(self, snapshot: Snapshot) -> Snapshot:
        """``snapshot`` without the chunks of what is excluded; the same one for the same two moments."""
        exclusions = self.exclusions()
        whole, known, narrowed = self._searchable
        if whole is not snapshot or known is not exclusions:
            narrowed = exclusions.searchable(snapshot)
            self._searchable = (snapshot, exclusions, narrowed)
        return narrowed

    def warnings(self) -> tuple[str, ...]:
        """What is wrong with the file, in words for its author."""
        return self._warnings(self._followed.read())

    def generation(self) -> Hashable:
        """What differs once the file does."""
        known = self._followed.read()
        return known.text, known.broken

    def moment(self) -> Hashable:
        """What differs once the file, or anything pinned by name, does."""
        known = self._followed.read()
        targets = (entry.target for entry in known.manifest.entries)
        return known.text, known.broken, tuple(self.places.stamp(target.path) for target in targets)

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved text of ``path`` wins over the disk until ``None`` takes it away."""
        self.places.set_overlay(path, text)

    def target(self, path: str, symbol: str | None = None, line: int | None = None) -> Target:
        """What a client means: a path, which may carry ``#symbol``, with a symbol or the one around a 1-based line.

        Raises ``InvalidRequestError``.
        """
        try:
            target = read_target(path, self.places.is_file)
        except ValueError as error:
            expected = f"a file or folder in the workspace; this {error}"
            raise InvalidRequestError("path", expected, path) from None
        if target.symbol is not None and symbol is not None:
            raise InvalidRequestError("symbol", "one name, either here or behind # in path", symbol)
        found = self.target_of(target.path, target.symbol or symbol, line)
        return found if found.symbol else replace(found, folder=found.folder or target.folder)

    def target_of(self, path: str, symbol: str | None = None, line: int | None = None) -> Target:
        """The same of a path inside the workspace that carries nothing. Raises ``InvalidRequestError``."""
        if line is not None:
            return Target(path, self._around(path, line))
        if symbol is None:
            return Target(path, folder=self.places.is_folder(path))
        try:
            found = read_target(f"a#{symbol}", lambda _: False)
        except ValueError:
            raise InvalidRequestError("symbol", "the name of a symbol", symbol) from None
        return Target(path, self._qualified(path, found.symbol or symbol))

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
            entry = _entry_of(manifest, target)
            if entry is None:
                self._check_pin(target)
                if len(manifest.entries) >= MOST_ENTRIES:
                    expected = f"at most {MOST_ENTRIES:,} pinned files; pin a folder, or unpin some"
                    raise InvalidRequestError("path", expected, target.text)
                text = edits.with_item(text, "files", {"path": target.text, **fields})
            else:
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
            if target.symbol and self._is_void(target, self._outlines()):
                raise InvalidRequestError("symbol", "a symbol of that file (no such symbol)", target.text)
            if len(manifest.excluded) >= MOST_ENTRIES:
                expected = f"at most {MOST_ENTRIES:,} exclusions; exclude a folder, or use .contextlsignore"
                raise InvalidRequestError("path", expected, target.text)
            return edits.with_item(text, "exclude", target.text)

        return self._change(change)

    def include(self, target: Target) -> WorkingSetView:
        """Take an exclusion back; nothing changes when there is none. Raises ``StoreError``."""
        return self._change(lambda text, manifest: _without_exclusion(text, manifest, target))

    def _change(self, change: Callable[[str, Manifest], str]) -> WorkingSetView:
        """Read, change and write the file while no other process does."""
        try:
            with self._lock:
                content = self._file.read()
                text = content.text if content else ""
                changed = change(text, read_manifest(text, self.places.is_file))
                if changed != text:
                    if content is None or not text.strip():
                        changed = f"protocol: {PROTOCOL}\n{changed}"
                    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
                    changed = edits.with_metadata(changed, {"last_updated": now, "assembled_by": "user"})
                    self._file.write(replace(content or Content(""), text=changed))
        except BrokenFileError as error:
            raise StoreError(
                f"{self._file.path}, {error}; mend it (or delete it) and try again; nothing was changed"
            ) from None
        except Timeout:
            raise StoreError(f"{self._file.path} is being changed by another process; try again") from None
        except OSError as error:
            raise StoreError(f"cannot lock {self._file.path}: {error.strerror}") from error
        return self.view()

    def _warnings(self, known: Known) -> tuple[str, ...]:
        where = ".context/working-set.yml"
        if known.broken is not None:
            kept = (
                " what it said before still counts"
                if known.text is not None
                else " nothing is pinned or excluded"
            )
            return (f"{where}, {known.broken}; until that is mended,{kept}",)
        told = [f"{where}, {problem}" for problem in known.manifest.problems]
        symbols = [target for _, target in known.manifest.excluded if target.symbol]
        with suppress(StoreError):
            outlines = self._outlines() if symbols else {}
            void = [target for target in symbols if self._is_void(target, outlines)]
            told.extend(
                f"excluded {target.text}: no such symbol, so nothing is excluded by it" for target in void
            )
        return tuple(told)

    def _judged(self, known: Known) -> list[Pinned]:
        """Every entry with what speaks against it, highest priority first."""
        outlines: Mapping[str, Outline] = {}
        if any(entry.target.symbol for entry in known.manifest.entries):
            with suppress(StoreError):
                outlines = self._outlines()
        judged = []
        for entry in known.manifest.entries:
            target = replace(entry.target, folder=self._is_folder(entry.target))
            problem = entry.problem or self._problem(target, known.exclusions, outlines)
            judged.append(Pinned(replace(entry, target=target), problem))
        return sorted(judged, key=lambda pinned: (-pinned.entry.priority, pinned.entry.target.text))

    def _problem(self, target: Target, exclusions: Exclusions, outlines: Mapping[str, Outline]) -> str | None:
        if exclusions.hides_entity(target.text) or exclusions.hides(target.path):
            return "excluded"
        problem = self.places.problem(target.path, folder=target.folder)
        if problem is not None or target.symbol is None:
            return problem
        outline = outlines.get(target.path)
        if outline is None:
            return "its file is not indexed"
        names = {item.qualified for item in outline.definitions}
        return None if target.symbol in names else "no such symbol"

    def _check_pin(self, target: Target) -> None:
        problem = self._problem(target, Exclusions(frozenset()), self._outlines() if target.symbol else {})
        if problem is not None:
            field = "symbol" if problem in ("no such symbol", "its file is not indexed") else "path"
            expected = (
                "a symbol of that file" if field == "symbol" else "a readable file or folder in the workspace"
            )
            raise InvalidRequestError(field, f"{expected} ({problem})", target.text)

    def _is_void(self, target: Target, outlines: Mapping[str, Outline]) -> bool:
        """Whether the file is known and has no such symbol: the exclusion of one that was renamed excludes nothing."""
        outline = outlines.get(target.path)
        return outline is not None and all(item.qualified != target.symbol for item in outline.definitions)

    def _is_folder(self, target: Target) -> bool:
        return target.symbol is None and (target.folder or self.places.is_folder(target.path))

    def _qualified(self, path: str, symbol: str) -> str:
        """The full name of the one symbol that ends so; ``symbol`` itself where that is not clear."""
        outline = self._outlines().get(path)
        names = {item.qualified for item in outline.definitions} if outline else set()
        ending = [name for name in names if name.endswith(f".{symbol}")]
        return ending[0] if len(ending) == 1 and symbol not in names else symbol

    def _around(self, path: str, line: int) -> str:
        """The innermost symbol around a line."""
        outline = self._outlines().get(path)
        around = (
            [item for item in outline.definitions if item.start_line <= line <= item.end_line]
            if outline
            else []
        )
        if not around:
            raise InvalidRequestError("position", f"a place inside a symbol of {path}")
        return max(around, key=lambda item: (item.start_line, -item.end_line)).qualified


def _shown(pinned: Pinned) -> PinnedFile:
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
    )


def _entry_of(manifest: Manifest, target: Target) -> Entry | None:
    return next((entry for entry in manifest.entries if entry.target.names(target)), None)


def _without_entry(text: str, manifest: Manifest, target: Target) -> str:
    entry = _entry_of(manifest, target)
    return text if entry is None else edits.without_item(text, "files", entry.index)


def _without_exclusion(text: str, manifest: Manifest, target: Target) -> str:
    for index, known in reversed(manifest.excluded):
        if target.names(known):
            text = edits.without_item(text, "exclude", index)
    return text
