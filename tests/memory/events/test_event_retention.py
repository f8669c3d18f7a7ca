"""Events: the file stays within its bounds, and what goes is the oldest."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.memory.events import EventLog, Retention, keeper, retention
from contextls.memory.events.keeper import EVERY_EVENTS
from contextls.memory.events.retention import KEPT_WHATEVER_THEIR_AGE, is_due
from contextls.memory.events.schema import MIGRATIONS
from contextls.model import NewEvent
from contextls.store.database import Database
from contextls.store.passes import DAY_MS
from contextls.store.sqlite_opening import LOG_BYTES

from ..workspaces import python
from .event_writers import go, write_first_version

NO_BOUND = Retention(0, 0, 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.sqlite"


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[..., EventLog]]:
    logs: list[EventLog] = []

    def _open(limits: Retention = NO_BOUND) -> EventLog:
        logs.append(EventLog(path, limits))
        return logs[-1]

    yield _open
    for log in logs:
        log.close()


def notes(count: int, size: int = 20, timestamp: int | None = None) -> list[NewEvent]:
    return [
        NewEvent("note", {"text": f"{number} " + "x" * size}, timestamp=timestamp) for number in range(count)
    ]


def bytes_of(path: Path) -> int:
    return path.stat().st_size


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.02)


def test_the_oldest_above_the_number_go_at_opening_and_the_newest_stay(
    opened: Callable[..., EventLog],
) -> None:
    log = opened()
    stored = log.append_many(notes(3_000))
    log.close()
    log = opened(Retention(0, 1_200, 0))
    until(lambda: log.count() == 1_200)
    assert log.after(0, 5_000) == stored[-1_200:]
    assert log.append(NewEvent("note", {"text": "t"})).id == "event-3001"


def test_what_is_too_old_goes_and_the_file_shrinks(opened: Callable[..., EventLog], path: Path) -> None:
    now = int(time.time() * 1000)
    log = opened()
    log.append_many(notes(3_000, 2_000, now - 100 * DAY_MS))
    young = log.append_many(notes(600, 200, now - 80 * DAY_MS))
    log.close()
    before = bytes_of(path)
    log = opened(Retention(90, 0, 0))
    until(lambda: log.count() == 600 and bytes_of(path) < before / 5)
    assert log.after(0, 5_000) == young


def test_a_log_that_is_wiped_while_it_is_looked_at_is_no_damage(
    opened: Callable[..., EventLog], path: Path
) -> None:
    log, other = opened(), opened()
    watched = Database(path, MIGRATIONS, durable=True)
    done = threading.Event()

    def wipe_again_and_again() -> None:
        while not done.is_set():
            other.append(NewEvent("note", {"text": "t"}))
            other.wipe()

    wiping = threading.Thread(target=wipe_again_and_again)
    wiping.start()
    for _ in range(1_000):
        assert not is_due(watched, Retention(1, 1_000, 0), DAY_MS)
    done.set()
    wiping.join()
    watched.close()
    assert log.count() == 0


def test_the_last_ones_stay_whatever_their_age(opened: Callable[..., EventLog]) -> None:
    log = opened()
    stored = log.append_many(notes(KEPT_WHATEVER_THEIR_AGE + 50, 20, 1_000))
    log.close()
    log = opened(Retention(90, 0, 0))
    until(lambda: log.count() == KEPT_WHATEVER_THEIR_AGE)
    assert log.after(0, 5_000) == stored[50:]


def test_the_file_stays_within_its_size_while_events_come(
    opened: Callable[..., EventLog], path: Path
) -> None:
    limit = 2_000_000
    log = opened(Retention(0, 0, limit))
    last = ""
    for _ in range(20):
        last = log.append_many(notes(250, 3_000))[-1].id
        # Nobody appends faster than this for long; a pass takes some milliseconds.
        time.sleep(0.05)
    until(lambda: bytes_of(path) <= limit)
    assert bytes_of(path.with_name("events.sqlite-wal")) <= LOG_BYTES
    assert log.newest(1)[0].id == last
    assert log.count() > 200
    log.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_a_log_of_the_first_version_shrinks_as_well(opened: Callable[..., EventLog], path: Path) -> None:
    write_first_version(path, [("note", "old", 1_000 + n, None, {"text": "x" * 3_000}) for n in range(2_000)])
    before = bytes_of(path)
    log = opened(Retention(0, 300, 0))
    until(lambda: log.count() == 300 and bytes_of(path) < before / 4)
    assert [event.id for event in log.after(0, 2)] == ["event-1701", "event-1702"]


def test_a_long_sitting_is_bounded_without_being_opened_anew(opened: Callable[..., EventLog]) -> None:
    log = opened(Retention(0, 700, 0))
    for _ in range(3):
        log.append_many(notes(EVERY_EVENTS))
    until(lambda: log.count() == 700)
    assert log.after(0, 1)[0].id == f"event-{3 * EVERY_EVENTS - 699}"


def test_events_that_come_at_the_end_of_a_pass_are_not_left_for_the_next_thousand(
    opened: Callable[..., EventLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = opened(Retention(0, 700, 0))
    late = [notes(EVERY_EVENTS)]

    def enforce_and_append(*arguments: object) -> None:
        retention.enforce(*arguments)  # type: ignore[arg-type]
        while late:
            log.append_many(late.pop())

    monkeypatch.setattr(keeper, "enforce", enforce_and_append)
    log.append_many(notes(EVERY_EVENTS))
    until(lambda: not late and log.count() == 700)


def test_appending_never_waits_for_a_pass(opened: Callable[..., EventLog]) -> None:
    log = opened()
    log.append_many(notes(20_000, 500))
    log.close()
    log = opened(Retention(0, 100, 0))
    slowest = 0.0
    ids = []
    for _ in range(50):
        started = time.perf_counter()
        ids.append(log.append(NewEvent("note", {"text": "meanwhile"})).id)
        slowest = max(slowest, time.perf_counter() - started)
    until(lambda: log.count() <= 150)
    kept = {event.id for event in log.newest(1_000)}
    assert set(ids) <= kept
    assert slowest < 20


SHRINK = """
import sys
from pathlib import Path
from contextls.memory.events import EventLog, Retention, keeper, retention
from contextls.model import NewEvent

print("ready", flush=True)
sys.stdin.readline()
log = EventLog(Path(sys.argv[1]), Retention(0, 500, 1_000_000))
for number in range(600):
    print(log.append(NewEvent("note", {"text": f"{number} " + "x" * 500})).id, flush=True)
log.close()
"""


def test_processes_that_delete_at_once_keep_the_newest(opened: Callable[..., EventLog], path: Path) -> None:
    opened().append_many(notes(2_000, 1_000))
    processes = [python(SHRINK, path) for _ in range(2)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        go(process)
    outputs = [process.communicate(timeout=180) for process in processes]
    assert [errors for _, errors in outputs] == ["", ""]
    acknowledged = sorted(int(line[6:]) for out, _ in outputs for line in out.split())
    assert acknowledged == list(range(2_001, 3_201))
    log = opened(Retention(0, 500, 1_000_000))
    until(lambda: log.count() == 500)
    assert [event.id for event in log.after(0, 1_000)] == [
        f"event-{number}" for number in range(2_701, 3_201)
    ]


def test_closing_ends_a_pass_soon(opened: Callable[..., EventLog]) -> None:
    log = opened()
    log.append_many(notes(30_000, 500))
    log.close()
    log = opened(Retention(0, 1, 0))
    started = time.perf_counter()
    log.close()
    assert time.perf_counter() - started < 20
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("contextls-retention")]


@given(
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 3_000)), min_size=1, max_size=30),
    st.integers(0, 120),
    st.integers(0, 40),
    st.sampled_from([0, 60_000, 200_000]),
)
@settings(max_examples=25)
def test_what_is_deleted_is_always_a_beginning_of_the_log(
    tmp_path_factory: pytest.TempPathFactory,
    ages: list[tuple[int, int]],
    days: int,
    count: int,
    size: int,
) -> None:
    path = tmp_path_factory.mktemp("kept") / "events.sqlite"
    now = int(time.time() * 1000)
    log = EventLog(path)
    stored = log.append_many(
        [NewEvent("note", {"text": "x" * chars}, timestamp=now - age * DAY_MS) for age, chars in ages]
    )
    log.close()
    log = EventLog(path, Retention(days, count, size))
    log.close()
    log = EventLog(path, Retention(days, count, size))
    until(lambda: not count or log.count() <= count)
    log.close()
    log = EventLog(path)
    kept = log.after(0, 1_000)
    assert kept == stored[len(stored) - len(kept) :]
    assert kept or size == 60_000
    log.close()
