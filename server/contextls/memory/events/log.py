"""The event log: one SQLite file that any number of processes append to."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from contextls.memory.events.cleaning import clean_content, clean_name
from contextls.memory.events.group import GroupCommit
from contextls.memory.events.keeper import Keeper
from contextls.memory.events.queries import newest_query
from contextls.memory.events.retention import Retention
from contextls.memory.events.schema import COLUMNS, MIGRATIONS, TRUTH, event_id, event_of, key_digest
from contextls.memory.events.sessions import session_around
from contextls.memory.events.storing import ReadyEvent, StoredEvent, store_events
from contextls.memory.events.validation import implied_outcome, validate_event
from contextls.model import Event, Filters, NewEvent
from contextls.store.database import Database
from contextls.store.notices import Notices
from contextls.store.quarantine import describe_quarantined
from contextls.store.times import now_ms
from contextls.store.transaction import Transaction


class EventLog:
    """The events of one workspace in SQLite (WAL, synced on commit). Safe to use from any thread.

    Every event has a number that grows in the order of recording and is never used again. *Newest* goes by the log's
    own clock: when an event happened, but never later than when it was recorded, and recorded later is never
    earlier because the computer's clock was set back. Where that is the same, the order of recording decides. So
    an event with a time in the future does not hide those after it, and neither does a clock that ran ahead.
    """

    name = "events"

    def __init__(
        self,
        path: Path,
        retention: Retention | None = None,
        clock: Callable[[], int] = now_ms,
        notices: Notices | None = None,
    ) -> None:
        """Without ``retention`` everything is kept.

        ``clock`` gives the time in ms since the epoch. A damaged file is kept aside, and what can be read of it saved;
        one of a newer version is only read.
        """
        self._path = path
        self._clock = clock
        self._database = Database.truth(path, MIGRATIONS, TRUTH, notices, shrinks=True)
        self._group: GroupCommit[ReadyEvent, StoredEvent] = GroupCommit(self._commit)
        self._keeper = Keeper(self._database, retention, clock) if retention else None
        if self._keeper is not None:
            self._keeper.look()

    def append(self, event: NewEvent) -> Event:
        """Store an event, secrets redacted; it is on disk when this returns.

        What other threads append at the same time shares its transaction. Raises ``InvalidRequestError`` naming the
        field that is wrong, ``StoreError`` when it could not be stored.
        """
        return self.append_many((event,))[0]

    def append_many(self, events: Sequence[NewEvent]) -> tuple[Event, ...]:
        """Store events in their order, all or none; on disk when this returns. Raises as ``append`` does.

        Those without a time happened now, all in one millisecond: what belongs together stays in its order.
        """
        if not events:
            return ()
        now = self._clock()
        ready = [self._ready(event, now) for event in events]
        stored = self._group.add(ready)
        added = [(got.number, len(each.json)) for got, each in zip(stored, ready, strict=True) if got.is_new]
        if self._keeper is not None and added:
            self._keeper.note_appended(added[0][0], added[-1][0], sum(size for _, size in added))
        return tuple(
            Event(
                event_id(got.number),
                each.type,
                got.session_id,
                each.timestamp,
                each.content,
                each.outcome,
                each.task_id,
            )
            for got, each in zip(stored, ready, strict=True)
        )

    def newest(
        self,
        limit: int,
        filters: Filters = Filters(),
        session_id: str | None = None,
        before: int | None = None,
    ) -> tuple[Event, ...]:
        """The newest events that pass ``filters``, newest first. ``since`` and ``until`` are times on the log's clock.

        ``before`` is the number of an event: only what comes after it in this order.
        """
        place = None if before is None else self._place(before)
        statement, parameters = newest_query(limit, filters, session_id, place)
        return self._events(statement, parameters)

    def after(self, number: int, limit: int) -> tuple[Event, ...]:
        """The events recorded after the one with this number, in the order of recording, at most ``limit``.

        Who reads a log piece by piece goes on with the last number read, and starts over when ``wipes`` has grown.
        """
        return self._events(
            f"SELECT {COLUMNS} FROM events WHERE id > ? ORDER BY id LIMIT ?",  # noqa: S608 - constants
            (number, limit),
        )

    def last_number(self) -> int:
        """The number of the event recorded last; 0 when there is none."""
        return self._number("SELECT MAX(id) FROM events")

    def version(self) -> tuple[int, int, int]:
        """Differs whenever an event was appended or deleted, by any process; well under a millisecond."""

        def numbers() -> tuple[int, int, int]:
            ((last, first, wipes),) = self._database.read(
                "SELECT (SELECT MAX(id) FROM events), (SELECT MIN(id) FROM events), wipes FROM log_state"
            )
            return last or 0, first or 0, wipes

        return self._database.decode(numbers)

    def current_session(self) -> str | None:
        """The session that an event would join now; ``None`` where it would begin one."""

        def current() -> str | None:
            ((newest,),) = self._database.read("SELECT MAX(log_time) FROM events")
            return session_around(self._database.read, max(self._clock(), newest or 0))

        return self._database.decode(current)

    def count(self) -> int:
        """The number of stored events."""
        return self._number("SELECT COUNT(*) FROM events")

    def wipe(self) -> int:
        """Delete every event, also from the disk's free space in the file; how many. Numbers go on where they were."""

        def work(connection: Transaction) -> int:
            deleted = connection.execute("DELETE FROM events").rowcount
            connection.execute("UPDATE log_state SET wipes = wipes + 1")
            return deleted

        deleted = self._database.transact(work)
        self._database.shrink()
        return deleted

    def wipes(self) -> int:
        """The number of times that the events were deleted, by whichever process."""
        return self._number("SELECT wipes FROM log_state")

    def warnings(self) -> tuple[str, ...]:
        """Warnings about events that were damaged, cannot be used or written, or old ones that cannot be deleted."""
        damaged = describe_quarantined(self._path, f"the events at {self._path} were damaged")
        problems = (self._database.problem, self._keeper.problem if self._keeper is not None else "")
        return (*damaged, *dict.fromkeys(filter(None, problems)))

    def close(self) -> None:
        """Let go of the file."""
        if self._keeper is not None:
            self._keeper.close()
        self._database.close()

    def _number(self, statement: str) -> int:
        """The one number that a query gives; 0 for none."""
        return self._database.decode(lambda: int(self._database.read(statement)[0][0] or 0))

    def _events(self, statement: str, parameters: Sequence[Any]) -> tuple[Event, ...]:
        """The events of a query; a row that makes no sense is damage, which is put right first."""

        def events() -> tuple[Event, ...]:
            rows = self._database.read(statement, parameters)
            if self._database.read_only:
                return tuple(_readable(rows))
            return tuple(event_of(row[:7]) for row in rows)

        return self._database.decode(events)

    def _place(self, number: int) -> tuple[int, int]:
        """The place of an event in the order of *newest*; for one that is gone, the end of those recorded before it."""
        rows = self._database.read(
            "SELECT log_time, id FROM events WHERE id <= ? ORDER BY id DESC LIMIT 1", (number,)
        )
        if not rows:
            return (0, 0)
        log_time, found = rows[0]
        return log_time, found + (found < number)

    @staticmethod
    def _ready(event: NewEvent, now: int) -> ReadyEvent:
        validate_event(event)
        content, text = clean_content(event.type, event.content)
        return ReadyEvent(
            type=clean_name(event.type),
            session_id=clean_name(event.session_id) if event.session_id else None,
            timestamp=now if event.timestamp is None else event.timestamp,
            outcome=event.outcome or implied_outcome(event.type, content),
            content=content,
            json=text,
            task_id=None if event.task_id is None else clean_name(event.task_id),
            new_since=event.new_since,
            key=key_digest(event.key),
        )

    def _commit(self, events: Sequence[ReadyEvent]) -> Sequence[StoredEvent]:
        """Store events in one transaction."""
        return self._database.transact(lambda connection: store_events(connection, events, self._clock()))


def _readable(rows: Iterable[tuple[Any, ...]]) -> Iterator[Event]:
    """The events of those rows that make sense."""
    for row in rows:
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            yield event_of(row[:7])
