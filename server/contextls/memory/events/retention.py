"""Retention of events: the oldest go, and the file shrinks with them.

Events go in the order in which they were recorded, a few thousand in a transaction, so that nobody who appends waits
long. Several processes may do this at the same time: each deletes what is too much at that moment.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from msgspec import Struct

from contextls.settings import Settings
from contextls.store.database import Database
from contextls.store.passes import DAY_MS

# However old they are: a clock that is wrong for a moment must not empty the log, and who comes back after a year wants
# to know what was done last.
KEPT_WHATEVER_THEIR_AGE = 500
_STEP = 2_000
# A file that became too large is cut to this share, so that the next pass is not due at once.
_ROOM = 0.9
_MAX_ROUNDS = 20


class Retention(Struct, frozen=True):
    """Bounds of a log: events older than ``days`` go, and the oldest above ``count`` or ``size`` bytes. 0 is no bound."""

    days: int
    count: int
    size: int

    @classmethod
    def of(cls, settings: Settings) -> Retention:
        """Read the bounds from the user's settings."""
        return cls(settings.event_retention_days, settings.event_max_count, settings.event_max_bytes)


def is_due(database: Database, limits: Retention, now: int) -> bool:
    """Whether a pass may find something to do; takes well under a millisecond."""
    # In one statement: another process may empty the log between two.
    ends = "SELECT MIN(id), MAX(id), (SELECT log_time FROM events ORDER BY id LIMIT 1) FROM events"

    def outgrown() -> bool:
        ((first, last, oldest),) = database.read(ends)
        if first is None:
            return False
        return bool(
            (limits.count and last - first >= limits.count)
            or (limits.size and database.size() > limits.size)
            or (
                limits.days
                and last - first >= KEPT_WHATEVER_THEIR_AGE
                and oldest < now - limits.days * DAY_MS
            )
        )

    return database.decode(outgrown)


def enforce(database: Database, limits: Retention, now: int, stopped: Callable[[], bool]) -> None:
    """Delete what is too old or too much and give the space back. Ends early once ``stopped``; raises ``StoreError``."""
    if limits.days:
        _delete_before(database, _first_young(database, now - limits.days * DAY_MS), stopped)
    if limits.count:
        _delete_before(database, _oldest_after(database, _count(database) - limits.count), stopped)
    if limits.size and database.used() > limits.size:
        _delete_above(database, int(limits.size * _ROOM), stopped)
    too_large = limits.size and database.size() > limits.size
    if too_large or database.is_worth_shrinking():
        database.give_back(stopped)


def _first_young(database: Database, oldest: int) -> int:
    """The number below which every event is older than ``oldest``, and none of the last ones."""
    ((young,),) = database.read("SELECT MIN(id) FROM events WHERE log_time >= ?", (oldest,))
    kept = _oldest_after(database, _count(database) - KEPT_WHATEVER_THEIR_AGE)
    return kept if young is None else min(young, kept)


def _oldest_after(database: Database, skipped: int) -> int:
    """The number of the oldest event after ``skipped`` of them; 0, before which there is none, when that is negative."""
    if skipped <= 0:
        return 0
    rows = database.read("SELECT id FROM events ORDER BY id LIMIT 1 OFFSET ?", (skipped,))
    return int(rows[0][0]) if rows else 0


def _delete_above(database: Database, size: int, stopped: Callable[[], bool]) -> None:
    """Delete the oldest events until what is left takes at most ``size`` bytes."""
    for _ in range(_MAX_ROUNDS):
        used, count = database.used(), _count(database)
        if used <= size or count == 0 or stopped():
            return
        # As many as it takes at their average size; where the oldest are smaller, another round follows.
        excess = ceil((used - size) * count / used)
        if excess >= count:
            return
        _delete_before(database, _oldest_after(database, excess), stopped)


def _delete_before(database: Database, number: int, stopped: Callable[[], bool]) -> None:
    while not stopped():
        with database.write() as connection:
            gone = connection.execute(
                "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id < ? ORDER BY id LIMIT ?)",
                (number, _STEP),
            ).rowcount
        if gone < _STEP:
            return


def _count(database: Database) -> int:
    return int(database.read("SELECT COUNT(*) FROM events")[0][0])
