"""Changes of the working set by people: they pin, unpin, exclude and include, and their word counts over that of models."""

from __future__ import annotations

from collections.abc import Callable

from contextls.errors import InvalidRequestError
from contextls.memory.working_set import edits
from contextls.memory.working_set.disk import NAME
from contextls.memory.working_set.entries import MAX_ENTRIES, PRIORITY, Manifest
from contextls.memory.working_set.memory import WorkingSet
from contextls.memory.working_set.pin_validation import NO_MATCH, NO_SYMBOL, NOT_INDEXED
from contextls.model import Role, Target, TruncateStrategy, Updater, WorkingSetView


class PersonChanges:
    """The changes that people make to one working set. Everything is durable when it returns.

    Each method raises ``StoreError`` when the file is broken or cannot be written.
    """

    def __init__(self, working_set: WorkingSet) -> None:
        self._set = working_set

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
        if priority is not None:
            if not 0 <= priority <= 1:
                raise InvalidRequestError("priority", "a number from 0 to 1", priority)
            priority = round(float(priority), 4)
        fields = _fields(priority, role, truncate_strategy, max_lines)

        def change(text: str, manifest: Manifest) -> str:
            entry = manifest.find(target)
            self._check_included(manifest, target, "exclude", "excluded")
            if entry is None:
                self._check_pin(target)
                if len(manifest.entries) >= MAX_ENTRIES:
                    expected = f"at most {MAX_ENTRIES:,} pinned files; pin a folder, or unpin some"
                    raise InvalidRequestError("path", expected, target.text)
                text = edits.with_item(
                    text, "files", {"path": target.text, **self._included_fields(target), **fields}
                )
            else:
                if entry.by is not Updater.PERSON:
                    fields["added_by"] = "user"  # what a person pins is theirs from then on
                text = edits.with_fields(text, entry.index, fields)
            return _without_exclusion(text, manifest, target)

        return self._apply(change)

    def unpin(self, target: Target) -> WorkingSetView:
        """No longer pin ``target``; nothing changes when it is not pinned.

        Raises ``InvalidRequestError`` where an included file pins it, ``StoreError``.
        """

        def change(text: str, manifest: Manifest) -> str:
            if manifest.find(target) is None:
                self._check_included(manifest, target, "files", "pinned")
            return _without_entry(text, manifest, target)

        return self._apply(change)

    def exclude(self, target: Target) -> WorkingSetView:
        """Keep ``target`` out of every prompt; no longer pinned. Raises ``InvalidRequestError``, ``StoreError``."""

        def change(text: str, manifest: Manifest) -> str:
            text = _without_entry(text, manifest, target)
            if any(target.names(known.target) for known in manifest.excluded):
                return text
            if target.pattern or target.lines:
                raise InvalidRequestError(
                    "path", "a file, a folder or a symbol; only these can be excluded", target.text
                )
            if target.symbol and self._set.is_void(target):
                raise InvalidRequestError("symbol", "a symbol of that file (no such symbol)", target.text)
            if len(manifest.excluded) >= MAX_ENTRIES:
                expected = f"at most {MAX_ENTRIES:,} exclusions; exclude a folder, or use .contextlsignore"
                raise InvalidRequestError("path", expected, target.text)
            return edits.with_item(text, "exclude", target.text)

        return self._apply(change)

    def include(self, target: Target) -> WorkingSetView:
        """Take an exclusion back; nothing changes when there is none.

        Raises ``InvalidRequestError`` where an included file excludes it, ``StoreError``.
        """

        def change(text: str, manifest: Manifest) -> str:
            self._check_included(manifest, target, "exclude", "excluded")
            return _without_exclusion(text, manifest, target)

        return self._apply(change)

    def _apply(self, change: Callable[[str, Manifest], str]) -> WorkingSetView:
        self._set.writer.change(change)
        return self._set.view()

    def _included_fields(self, target: Target) -> dict[str, edits.Value]:
        """The fields with which an included file pins ``target``: an entry of our own replaces that one."""
        entry = self._set.included(target)
        if entry is None:
            return {}
        return _fields(
            None if entry.priority == PRIORITY else entry.priority,
            None if entry.role is Role.CONTEXT else entry.role,
            None if entry.truncate_strategy is TruncateStrategy.MIDDLE else entry.truncate_strategy,
            entry.max_lines,
        )

    def _check_included(self, manifest: Manifest, target: Target, name: str, done: str) -> None:
        """Raise ``InvalidRequestError`` where only a file that is included does something to ``target``."""
        known = self._set.manifest()
        ours = manifest.excluded if name == "exclude" else manifest.entries
        all_ = known.excluded if name == "exclude" else known.entries
        if any(target.names(each.target) for each in ours):
            return
        place = next((each.place.included_from for each in all_ if target.names(each.target)), None)
        if place is not None:
            raise InvalidRequestError(
                "path",
                f"something that {NAME} itself names; {target.text} is {done} by {place}, which it includes "
                "and which contextls never changes: change it there",
                target.text,
            )

    def _check_pin(self, target: Target) -> None:
        problem = self._set.problem(target)
        if problem is not None:
            field = "symbol" if problem in (NO_SYMBOL, NOT_INDEXED) else "path"
            expected = (
                "a symbol of that file" if field == "symbol" else "a readable file or folder in the workspace"
            )
            if problem == NO_MATCH:
                expected = "a pattern of files in the workspace"
            raise InvalidRequestError(field, f"{expected} ({problem})", target.text)


def _fields(
    priority: float | None,
    role: Role | None,
    truncate_strategy: TruncateStrategy | None,
    max_lines: int | None,
) -> dict[str, edits.Value]:
    """The fields of an entry as the file names and spells them, without those that are ``None``."""
    fields = {
        "priority": priority,
        "role": None if role is None else str(role),
        "truncate_strategy": None if truncate_strategy is None else str(truncate_strategy),
        "max_lines": max_lines,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _without_entry(text: str, manifest: Manifest, target: Target) -> str:
    entry = manifest.find(target)
    return text if entry is None else edits.without_item(text, "files", entry.index)


def _without_exclusion(text: str, manifest: Manifest, target: Target) -> str:
    for known in reversed(manifest.excluded):
        if target.names(known.target):
            text = edits.without_item(text, "exclude", known.index)
    return text
