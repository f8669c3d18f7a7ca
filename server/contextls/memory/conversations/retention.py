"""Retention of conversations: those in which nothing was said for long go, and the file shrinks with them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from contextls.settings import Settings
from contextls.store.database import Database
from contextls.store.passes import DAY_MS
from contextls.store.transaction import Transaction

# However old they are: who comes back after a year finds what was said last, also where a clock is wrong for a moment.
KEPT_WHATEVER_THEIR_AGE = 20


class ChatRetention(Struct, frozen=True):
    """Conversations that did not change for ``days`` go, and the oldest while the file holds more than ``size`` bytes.

    0 is no bound.
    """

    days: int
    size: int

    @classmethod
    def of(cls, settings: Settings) -> ChatRetention:
        """Read the bounds from the user's settings."""
        return cls(settings.conversation_retention_days, settings.conversation_max_bytes)


def is_due(database: Database, limits: ChatRetention, now: int) -> bool:
    """Whether a pass may find something to do."""
    return bool(_too_old(database, limits, now)) or _first_to_go(database, limits) is not None


def purge(database: Database, limits: ChatRetention, now: int, stopped: Callable[[], bool]) -> None:
    """Delete what is too old or too much, one conversation in a transaction, and give the space back.

    Of what is too much the conversation that changed last stays. Ends early once ``stopped``; raises ``StoreError``.
    """
    for number, changed in _too_old(database, limits, now):
        if stopped():
            return
        _delete_unless_changed(database, number, changed)
    while not stopped() and (oldest := _first_to_go(database, limits)):
        _delete_unless_changed(database, *oldest)
    if database.is_worth_shrinking():
        database.give_back(stopped)


def delete_rows(connection: Transaction, number: int) -> None:
    """Delete a conversation with everything that was said in it."""
    mine = "(SELECT id FROM nodes WHERE conversation = ?)"
    for table in ("results", "compactions", "contents"):
        connection.execute(f"DELETE FROM {table} WHERE node IN {mine}", (number,))  # noqa: S608 - constants only
    connection.execute("DELETE FROM nodes WHERE conversation = ?", (number,))
    connection.execute("DELETE FROM conversations WHERE id = ?", (number,))
    connection.execute("UPDATE state SET generation = generation + 1")


def _delete_unless_changed(database: Database, number: int, changed: int) -> None:
    """Delete a conversation, unless it has changed meanwhile."""

    def work(connection: Transaction) -> None:
        same = "SELECT 1 FROM conversations WHERE id = ? AND updated_at = ?"
        if connection.execute(same, (number, changed)).fetchall():
            delete_rows(connection, number)

    database.transact(work)


def _too_old(database: Database, limits: ChatRetention, now: int) -> list[tuple[int, int]]:
    """Number and last change of what is too old, oldest first."""
    if not limits.days:
        return []
    before = now - limits.days * DAY_MS
    return [each for each in _by_change(database)[KEPT_WHATEVER_THEIR_AGE:] if each[1] < before][::-1]


def _by_change(database: Database) -> list[tuple[int, int]]:
    """Every conversation with its last change, the newest first."""
    sql = "SELECT id, updated_at FROM conversations ORDER BY updated_at DESC, id DESC"
    return database.decode(lambda: [(int(number), int(changed)) for number, changed in database.read(sql)])


def _first_to_go(database: Database, limits: ChatRetention) -> tuple[int, int] | None:
    """Number and last change of the oldest conversation, where the file holds too much and more than that one."""
    if not limits.size or database.used() <= limits.size:
        return None
    known = _by_change(database)
    return known[-1] if len(known) > 1 else None
