"""Feedback: what people said about pieces of prompts, kept durably and counted with a half-life."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.regex import compile_late
from contextls.store.database import Database
from contextls.store.notices import Notices
from contextls.store.quarantine import describe_quarantined
from contextls.store.salvage import SavedTable, Truth, optional_text, text_of, whole
from contextls.store.sqlite_pages import Value
from contextls.store.times import now_ms
from contextls.text.gate import clean
from contextls.text.surrogates import replace_surrogates

_MIGRATIONS = (
    """
    CREATE TABLE feedback (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        source TEXT NOT NULL,
        helpful INTEGER NOT NULL,
        context_id TEXT,
        timestamp INTEGER NOT NULL
    );
    CREATE INDEX feedback_source ON feedback (source);
    """,
)
FILE_NAME = "feedback.sqlite"


def _keep_row(number: int, values: tuple[Value, ...]) -> tuple[object, ...] | None:
    if len(values) != 5 or values[0] is not None:
        return None
    _, source, helpful, about, timestamp = values
    return (
        whole(number, 1),
        text_of(source),
        whole(helpful, 0, 1),
        optional_text(about),
        whole(timestamp),
    )


_TRUTH = Truth(
    "feedback entries",
    (SavedTable("feedback", ("id", "source", "helpful", "context_id", "timestamp"), _keep_row),),
)
MAX_SOURCE_CHARS = 1_000
HALF_LIFE_MS = 30 * 24 * 60 * 60 * 1000
# The newest that count; what is older has faded anyway.
MAX_COUNTED = 10_000
# One fresh word changes a piece's relevance by 2 ** 0.25, 19 %; however many there are, by no more than 41 %.
STEP = 0.25
MAX_STEPS = 2.0
_RANGE = compile_late(r"(.+):(\d{1,9})-(\d{1,9})", re.DOTALL)


class Tally(Struct, frozen=True):
    """The judgements of one source: how often in each way, and the faded balance (+1 each fresh "helpful")."""

    helpful: int = 0
    unhelpful: int = 0
    balance: float = 0.0


class Feedback:
    """The judgements of one workspace's people, in SQLite (WAL, synced on commit). Methods raise ``StoreError``."""

    name = "feedback"

    def __init__(self, folder: Path, notices: Notices | None = None) -> None:
        """Open or create it in ``folder``; a damaged file is kept aside, and what can be read of it saved."""
        self._path = folder / FILE_NAME
        self._database = Database.truth(self._path, _MIGRATIONS, _TRUTH, notices)

    def give(self, source: str, *, helpful: bool, context_id: str | None = None) -> None:
        """Keep one word about ``source``: the id of a pattern, or the source of any component of a prompt.

        Raises ``InvalidRequestError``.
        """
        if not source.strip() or len(source) > MAX_SOURCE_CHARS:
            raise InvalidRequestError(
                "source", f"the source of a component, 1 to {MAX_SOURCE_CHARS} characters", source
            )
        if context_id is not None and len(context_id) > MAX_SOURCE_CHARS:
            raise InvalidRequestError("contextId", f"at most {MAX_SOURCE_CHARS} characters", context_id)
        about = None if context_id is None else _clean(context_id)
        row = _clean(source), int(helpful), about, now_ms()
        insert = "INSERT INTO feedback (source, helpful, context_id, timestamp) VALUES (?, ?, ?, ?)"
        self._database.transact(lambda connection: connection.execute(insert, row))

    def version(self) -> int:
        """A number that grows with every word of any process."""
        ((newest,),) = self._database.read("SELECT COALESCE(MAX(id), 0) FROM feedback")
        return int(newest)

    def tallies(self, now: int) -> Mapping[str, Tally]:
        """All judgements by source, as they count at ``now`` (ms)."""
        return self._database.decode(lambda: self._tallies(now))

    def _tallies(self, now: int) -> Mapping[str, Tally]:
        rows = self._database.read(
            "SELECT source, helpful, timestamp FROM feedback ORDER BY id DESC LIMIT ?", (MAX_COUNTED,)
        )
        found: dict[str, Tally] = {}
        for source, helpful, timestamp in reversed(rows):
            before = found.get(source, Tally())
            fresh = 2.0 ** (-max(0, now - timestamp) / HALF_LIFE_MS)
            found[source] = Tally(
                before.helpful + helpful,
                before.unhelpful + 1 - helpful,
                before.balance + (fresh if helpful else -fresh),
            )
        return MappingProxyType(found)

    def wipe(self) -> None:
        """Delete everything that was said, also from the disk's free space in the file."""
        self._database.transact(lambda connection: connection.execute("DELETE FROM feedback"))
        self._database.shrink()

    def warnings(self) -> tuple[str, ...]:
        """Warnings about feedback that was damaged, or cannot be used or written right now."""
        damaged = describe_quarantined(self._path, f"the feedback at {self._path} was damaged")
        return (*damaged, self._database.problem) if self._database.problem else damaged

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def factor(source: str, tallies: Mapping[str, Tally]) -> float:
    """The factor for a component's relevance: 1 where nothing was said, from 0.71 to 1.41 otherwise.

    Code (``path:start-end``) is meant by what was said about overlapping lines of the same file.
    """
    if not tallies:
        return 1.0
    balance = tallies[source].balance if source in tallies else _overlapping(source, tallies)
    return float(2.0 ** (STEP * max(-MAX_STEPS, min(MAX_STEPS, balance))))


def _overlapping(source: str, tallies: Mapping[str, Tally]) -> float:
    span = _RANGE.fullmatch(source)
    if span is None:
        return 0.0
    total = 0.0
    of_file = f"{span[1]}:"
    for other, tally in tallies.items():
        said = _RANGE.fullmatch(other) if other.startswith(of_file) else None
        if said and said[1] == span[1] and int(said[2]) <= int(span[3]) and int(span[2]) <= int(said[3]):
            total += tally.balance
    return total


def _clean(text: str) -> str:
    return clean(replace_surrogates(text))
