"""Updates of the working set by models: all or nothing, never over what a person did, and each can be undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from contextls.errors import StoreError
from contextls.memory.working_set import edits
from contextls.memory.working_set.disk import Content
from contextls.memory.working_set.entries import MAX_ENTRIES, Entry, Manifest, read_manifest
from contextls.memory.working_set.journal import Fields, Splice, Step, UpdateRecord
from contextls.memory.working_set.memory import WorkingSet
from contextls.memory.working_set.nodes import list_items, parse_mapping, plain
from contextls.memory.working_set.pin_validation import EXCLUDED
from contextls.memory.working_set.target_text import read_target
from contextls.model import RefusedUpdate, Role, SetUpdate, Target, UpdateAction, Updater
from contextls.regex import compile_late
from contextls.store.times import now_ms
from contextls.text.gate import clean
from contextls.text.hidden import take_out_hidden

# What models pin must not bury what people do; who needs more pins a folder.
MAX_OF_MODELS = 40
MAX_WHY_CHARS = 300
PRIORITY = 0.7  # below what a person pins, as the seed has it
_OURS = "the user {}; propose it to them instead"

_NUMBER = compile_late(r"[01](?:\.[0-9]{1,8})?")


class UndoResult(Struct, frozen=True):
    """The result of an undo; ``record`` is ``None`` where there was nothing to undo."""

    record: UpdateRecord | None
    kept: tuple[str, ...] = ()


class _RefusedError(Exception):
    """An update that a model may not make, and why."""


class ModelUpdates:
    """Applies and undoes the updates by models of one working set."""

    def __init__(self, working_set: WorkingSet) -> None:
        self._set = working_set

    def apply(
        self, updates: Sequence[tuple[Target, SetUpdate]]
    ) -> tuple[UpdateRecord | None, tuple[RefusedUpdate, ...]]:
        """Apply all updates, or none where one is refused; the record of what was done, and what was refused.

        There is no record where everything was so already. Raises ``StoreError``.
        """
        refused: list[RefusedUpdate] = []
        steps: list[Step] = []
        made: list[UpdateRecord] = []

        def change(text: str, manifest: Manifest) -> str:
            changed = text
            for index, (target, update) in enumerate(updates):
                try:
                    changed = self._step(changed, manifest, target, update, steps)
                    manifest = read_manifest(changed, self._set.places.is_there)
                except _RefusedError as error:
                    refused.append(RefusedUpdate(index, target.text, str(error)))
            return text if refused else changed

        def note(before: Content | None, after: str) -> None:
            splice = Splice.between(before.text if before else "", after, made=before is None)
            made.append(self._set.journal.add(now_ms(), steps, splice))

        try:
            self._set.writer.change(change, Updater.MODEL, note)
        except StoreError:
            for record in made:  # what could not be written is not there to be undone
                self._set.journal.remove(record)
            raise
        return (made[0] if made else None), tuple(refused)

    def undo(self, update: str | None = None) -> UndoResult:
        """Undo the newest update of a model, or the one of this id; what a person changed since stays.

        Where nothing else changed, the file is what it was, byte for byte. Raises ``StoreError``.
        """
        with self._set.writer.hold():
            records = self._set.journal.read().records
            named = [record for record in records if update in (None, record.id)]
            if not named:
                return UndoResult(None)
            record = named[-1]
            kept = () if self._take_back(record) else self._invert(record)
            self._set.journal.remove(record)
            return UndoResult(record, kept)

    def _take_back(self, record: UpdateRecord) -> bool:
        """Put the text of before in the place of the file, where it is still what the update left."""
        content = self._set.writer.file.read()
        before = record.splice.take_back(content.text) if content and record.splice else None
        if content is None or record.splice is None or before is None:
            return False
        if record.splice.made:
            self._set.writer.file.delete()
        else:
            self._set.writer.file.write(replace(content, text=before))
        return True

    def _invert(self, record: UpdateRecord) -> tuple[str, ...]:
        """Take each step back by itself, the last first; what stays because it is another's by now."""
        kept: list[str] = []

        def change(text: str, manifest: Manifest) -> str:
            for step in reversed(record.steps):
                changed = self._without_step(text, manifest, step)
                if changed is None:
                    kept.append(f"{step.target} was changed since")
                    continue
                text = changed
                manifest = read_manifest(text, self._set.places.is_there)
            return text

        self._set.writer.change(change)
        return tuple(kept)

    def _without_step(self, text: str, manifest: Manifest, step: Step) -> str | None:
        """``text`` without what a step did; ``None`` where the entry is no longer what the step left."""
        try:
            target = read_target(step.target, self._set.places.is_there)
        except ValueError:  # a journal that was edited
            return None
        entry = manifest.find(target)
        if step.after is None:
            if entry is not None or any(target.names(other.target) for other in manifest.excluded):
                return None
            return edits.with_item(text, "files", _values(step.before))
        if entry is None or _fields(text, entry.index) != step.after:
            return None
        if step.before is None:
            return edits.without_item(text, "files", entry.index)
        now = _values(step.after)
        fields = {name: value for name, value in _values(step.before).items() if now.get(name) != value}
        return edits.with_fields(text, entry.index, fields)

    def _step(
        self, text: str, manifest: Manifest, target: Target, update: SetUpdate, steps: list[Step]
    ) -> str:
        """``text`` after one update; ``steps`` takes what it did. Raises ``_RefusedError``."""
        entry = manifest.find(target)
        included = self._set.included(target) if entry is None else None
        if included is not None:
            raise _RefusedError(
                f"is pinned by {included.place.included_from}, which nobody changes from here"
            )
        # What is read as a person's words comes from people: else a file could talk a model into giving it a voice.
        if update.role not in (None, Role.CONTEXT):
            raise _RefusedError(f"only the user gives a file the role {update.role}")
        if entry is not None and entry.by is not Updater.PERSON:
            changed = self._change_entry(text, entry, update)
        elif update.action is UpdateAction.ADD:
            changed = self._add(text, manifest, target, entry, update)
        else:
            if entry is None:
                raise _RefusedError("is no entry of the working set")
            raise _RefusedError(_OURS.format(f"pinned it, with priority {entry.priority:g}"))
        if changed != text:
            before = None if entry is None else _fields(text, entry.index)
            after = read_manifest(changed, self._set.places.is_there).find(target)
            steps.append(
                Step(
                    update.action,
                    target.text,
                    update.priority,
                    _plain_words(update.why),
                    before,
                    None if after is None else _fields(changed, after.index),
                )
            )
        return changed

    def _change_entry(self, text: str, entry: Entry, update: SetUpdate) -> str:
        """``text`` after an update of what a model added itself."""
        if update.action is UpdateAction.REMOVE:
            return edits.without_item(text, "files", entry.index)
        fields = _given_fields(update)
        if update.action is UpdateAction.ADD and update.priority is None:
            del fields["priority"]
        return edits.with_fields(text, entry.index, fields)

    def _add(
        self, text: str, manifest: Manifest, target: Target, entry: Entry | None, update: SetUpdate
    ) -> str:
        if entry is not None:
            raise _RefusedError(_OURS.format(f"pinned it already, with priority {entry.priority:g}"))
        problem = self._set.objection(target, manifest)
        if problem is not None:
            raise _RefusedError(_OURS.format("excluded it") if problem == EXCLUDED else problem)
        added = sum(each.by is not Updater.PERSON for each in manifest.entries)
        if added >= MAX_OF_MODELS or len(manifest.entries) >= MAX_ENTRIES:
            raise _RefusedError(f"models have {added:,} entries already; remove what is no longer needed")
        return edits.with_item(text, "files", {"path": target.text, **_given_fields(update)})


def _given_fields(update: SetUpdate) -> dict[str, edits.Value]:
    priority = PRIORITY if update.priority is None else update.priority
    return {
        "priority": round(float(priority), 4),
        "added_by": str(Updater.MODEL),
        "why": _plain_words(update.why),
    }


def _plain_words(why: str) -> str:
    """A reason in one line, without secrets and without what a person would not see."""
    shown, _ = take_out_hidden(why)
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in shown).split())
    return clean(words[:MAX_WHY_CHARS])


def _values(fields: Fields) -> dict[str, edits.Value]:
    """The plain fields of an entry; lists and the like, which nothing here reads, are not written again."""
    known = fields if isinstance(fields, Mapping) else {}
    return {
        name: float(value) if name == "priority" and _NUMBER.fullmatch(value) else value
        for name, value in known.items()
        if isinstance(value, str)
    }


def _fields(text: str, index: int) -> Fields:
    found: Fields = plain(list_items(parse_mapping(text), "files")[index])
    return found
