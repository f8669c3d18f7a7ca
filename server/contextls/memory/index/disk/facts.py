"""The few facts about a content index as a whole: whose it is, and how its last run ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct

from contextls.errors import StoreError
from contextls.memory.index.segments.check import CheckNote
from contextls.store.index_database import IndexDatabase
from contextls.workspace.stamps import Stamp


class StoredFacts(Struct, frozen=True):
    """The facts at one moment, as they were stored."""

    stored: Mapping[str, str]

    @property
    def is_complete(self) -> bool:
        """Whether a full run has ended since the index was made."""
        return self.stored.get("complete") == "1"

    @property
    def holds_noise(self) -> bool:
        """Whether the last full run let generated and minified files in."""
        return self.stored.get("noise") == "1"

    @property
    def skipped(self) -> Mapping[str, int]:
        """The number of files that the last full run left out, by reason."""
        found = json.loads(self.stored.get("skipped", "{}"))
        return {reason: int(count) for reason, count in found.items()} if isinstance(found, dict) else {}

    @property
    def derived(self) -> tuple[str, int]:
        """Name and size of the file of what is derived from the index; "" where there is none."""
        name, _, size = self.stored.get("derived", "").partition(" ")
        return (name, int(size)) if size.isdecimal() else ("", 0)

    @property
    def checks(self) -> Mapping[int, CheckNote]:
        """The segments that were looked through and found whole, by id; none where that makes no sense."""
        try:
            found = json.loads(self.stored.get("checks", "{}"))
            return {int(number): CheckNote(Stamp(*stamp), int(at)) for number, (stamp, at) in found.items()}
        except (ValueError, TypeError, AttributeError):
            return {}


class IndexFacts:
    """Reads and writes the facts of one index, whose vectors come from one embedder."""

    def __init__(self, records: IndexDatabase, embedder: str) -> None:
        self._records = records
        self._embedder = embedder

    def read(self) -> StoredFacts:
        """The facts as they are now."""
        return StoredFacts(self._records.facts())

    def are_ours(self, facts: StoredFacts | None = None) -> bool:
        """Whether the vectors are of this embedder; those of another must not mix with them."""
        return (facts or self.read()).stored.get("embedder") == self._embedder

    def begin(self) -> None:
        """Make it an empty index of ours."""
        self._records.set_facts({"embedder": self._embedder})

    def complete(self, skipped: Mapping[str, int], *, holds_noise: bool) -> None:
        """Note that a full run has ended, how many files it left out for which reason, and whether it let noise in."""
        self._records.set_facts({"complete": "1", "skipped": dict(skipped), "noise": str(int(holds_noise))})

    def read_checks(self) -> Mapping[int, CheckNote]:
        """See ``CheckNotes``."""
        return self.read().checks

    def keep_checks(self, notes: Mapping[int, CheckNote]) -> None:
        """See ``CheckNotes``."""
        with suppress(StoreError):  # then the next process looks them through again
            self._records.set_facts({"checks": notes})

    def note_derived(self, name: str, size: int) -> None:
        """Note the file of what is derived from the index."""
        self._records.set_facts({"derived": f"{name} {size}"})
