"""The journal of updates that can be undone: what each found, did and left, outside of the workspace."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from contextls.errors import StoreError
from contextls.model import AppliedUpdate, UpdateAction, Updater, UpdateStep
from contextls.store.state_file import write_json
from contextls.text.gate import clean
from contextls.workspace.regular_file import STATE_BYTES, read_text
from contextls.workspace.stamps import stamp_at

NAME = "working-set-updates.json"
MAX_UPDATES = 20
MAX_DISMISSED = 100

Fields = Mapping[str, Any] | str | None


class Step(Struct, frozen=True):
    """One step of an update: an entry ``before`` and ``after``, as the file had it; ``None`` where there was no entry."""

    action: UpdateAction
    target: str
    priority: float | None
    why: str
    before: Fields
    after: Fields


class Splice(Struct, frozen=True):
    """A change of the text: ``old`` gave way to ``new`` at ``offset``, and the whole then had the hash ``after``.

    ``made`` says that there was no file before.
    """

    offset: int
    old: str
    new: str
    after: str
    made: bool

    @classmethod
    def between(cls, before: str, after: str, *, made: bool) -> Splice:
        """The one place where two texts differ."""
        most = min(len(before), len(after))
        start = next((at for at in range(most) if before[at] != after[at]), most)
        most -= start
        end = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
        old, new = before[start : len(before) - end], after[start : len(after) - end]
        return cls(start, old, new, _hash_of(after), made)

    def take_back(self, text: str) -> str | None:
        """The text before, byte for byte; ``None`` where ``text`` is not what the change left."""
        if _hash_of(text) != self.after:
            return None
        return text[: self.offset] + self.old + text[self.offset + len(self.new) :]


class UpdateRecord(Struct, frozen=True):
    """One update. ``splice`` is absent where the text that it took away holds a secret, which is not kept."""

    number: int
    timestamp: int
    steps: tuple[Step, ...]
    splice: Splice | None

    @property
    def id(self) -> str:
        """The id as everyone outside sees it."""
        return f"update-{self.number}"

    @property
    def view(self) -> AppliedUpdate:
        """The update as lists show it."""
        steps = (UpdateStep(step.action, step.target, step.priority, step.why) for step in self.steps)
        return AppliedUpdate(self.id, Updater.MODEL, self.timestamp, tuple(steps))


class JournalPages(Struct, frozen=True):
    """All of the journal: updates, oldest first, and what the server is to leave alone."""

    last: int = 0
    records: tuple[UpdateRecord, ...] = ()
    dismissed: tuple[str, ...] = field(default=())


class Journal:
    """The journal of one workspace. Writers hold the lock of the working set."""

    def __init__(self, state: Path) -> None:
        """Reads nothing yet."""
        self._path = state / NAME
        self._known: tuple[Hashable, JournalPages] | None = None

    def version(self) -> Hashable:
        """Differs once the journal does."""
        return stamp_at(self._path)

    def read(self) -> JournalPages:
        """All of it; nothing where it is damaged, as updates then merely cannot be undone."""
        version = self.version()
        if self._known is None or self._known[0] != version:
            self._known = (version, self._load())
        return self._known[1]

    def add(self, timestamp: int, steps: Sequence[Step], splice: Splice) -> UpdateRecord:
        """Keep an update; the oldest goes where there are too many. Raises ``StoreError``."""
        pages = self._load()
        kept = splice if clean(splice.old) == splice.old and clean(splice.new) == splice.new else None
        record = UpdateRecord(pages.last + 1, timestamp, tuple(steps), kept)
        self._write(replace(pages, last=record.number, records=(*pages.records, record)[-MAX_UPDATES:]))
        return record

    def remove(self, record: UpdateRecord) -> None:
        """Forget an update that was undone. Raises ``StoreError``."""
        pages = self._load()
        left = tuple(each for each in pages.records if each.number != record.number)
        self._write(replace(pages, records=left))

    def dismiss(self, entry: str) -> None:
        """Have the server leave something alone, by the id of its entry. Raises ``StoreError``."""
        pages = self._load()
        others = [each for each in pages.dismissed if each != entry]
        self._write(replace(pages, dismissed=(*others, entry)[-MAX_DISMISSED:]))

    def _load(self) -> JournalPages:
        try:
            return _pages_of(json.loads(read_text(self._path, STATE_BYTES)))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return JournalPages()

    def _write(self, pages: JournalPages) -> None:
        try:
            write_json(self._path, to_builtins(pages, enc_hook=str))
        except OSError as error:
            raise StoreError(
                f"cannot write {self._path}: {error.strerror}; make room or give permission to write there"
            ) from error


def _pages_of(value: Any) -> JournalPages:  # noqa: ANN401 - JSON
    """Read a journal. Raises ``ValueError``, ``TypeError`` or ``KeyError`` where it is none."""
    records = tuple(
        UpdateRecord(
            int(each["number"]),
            int(each["timestamp"]),
            tuple(Step(**{**step, "action": UpdateAction(step["action"])}) for step in each["steps"]),
            None if each["splice"] is None else Splice(**each["splice"]),
        )
        for each in value["records"]
    )
    return JournalPages(int(value["last"]), records, tuple(map(str, value["dismissed"])))


def _hash_of(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()
