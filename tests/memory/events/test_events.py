"""Events: what may be recorded, what is kept of it, and that nothing acknowledged is ever lost."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.memory.events import MAX_TEXT_CHARS, EventLog
from contextls.model import Event, Filters, NewEvent, Outcome

from .event_writers import write_first_version


def test_outcome_follows_from_what_happened(log: EventLog) -> None:
    outcomes = [
        log.append(event).outcome
        for event in (
            NewEvent("shell_exec", {"command": "make", "exitCode": 0}),
            NewEvent("shell_exec", {"command": "make", "exitCode": 2}),
            NewEvent("shell_exec", {"command": "grep x", "exitCode": 1}, Outcome.SUCCESS),
            NewEvent("error", {"message": "m"}),
            NewEvent("file_read", {"path": "a.py"}),
        )
    ]
    assert outcomes == [Outcome.SUCCESS, Outcome.FAILURE, Outcome.SUCCESS, Outcome.FAILURE, None]
    assert [event.outcome for event in reversed(log.newest(9))] == outcomes


def test_long_output_keeps_its_head_and_tail(log: EventLog) -> None:
    output = "first line\n" + "noise\n" * 50_000 + "last line: 3 failed\n"
    stored = log.append(NewEvent("shell_exec", {"command": "pytest", "exitCode": 1, "stdout": output}))
    (event,) = log.newest(1)
    assert event == stored
    text = event.content["stdout"]
    assert len(text) < MAX_TEXT_CHARS + 100
    assert text.startswith("first line\n")
    assert text.endswith("last line: 3 failed\n")
    assert "characters left out" in text


def test_newest_first_by_time_then_by_order_of_recording(log: EventLog) -> None:
    for name, timestamp in (("a", 2_000), ("b", 3_000), ("c", 1_000), ("d", 3_000)):
        log.append(NewEvent("sign", {"name": name}, timestamp=timestamp))
    assert "".join(event.content["name"] for event in log.newest(10)) == "dbac"
    assert "".join(event.content["name"] for event in log.newest(2)) == "db"


def test_filters_keep_the_events_that_they_name(log: EventLog) -> None:
    ids = [
        log.append(NewEvent(kind, {"path": "a.py"}, timestamp=timestamp, session_id=session)).id
        for kind, timestamp, session in (
            ("file_read", 1_000, "this-session"),
            ("file_write", 2_000, "other"),
            ("file_read", 3_000, "other"),
        )
    ]

    def kept(filters: Filters, session: str | None = None) -> list[str]:
        return [event.id for event in reversed(log.newest(10, filters, session))]

    assert kept(Filters()) == ids
    assert kept(Filters(since=2_000)) == ids[1:]
    assert kept(Filters(since=2**80)) == []
    assert kept(Filters(event_types=("file_read",))) == [ids[0], ids[2]]
    assert kept(Filters(event_types=())) == ids, "an empty filter restricts nothing"
    assert kept(Filters(event_types=("file_read", "file_write", "file_read"))) == ids
    assert kept(Filters(event_types=(*map(str, range(2_000)), "file_write"))) == ids[1:2]
    assert kept(Filters(event_types=("file_read", "file_write")), "other") == ids[1:]
    assert kept(Filters(exclude=(ids[1], "a.py", "event-x"))) == [ids[0], ids[2]]
    assert [event.id for event in log.newest(2, Filters(exclude=(ids[2],)))] == [ids[1], ids[0]]
    assert kept(Filters(), "other") == ids[1:]
    assert kept(Filters(), "this-session") == [ids[0]]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), json_values, max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_json_comes_back_as_it_was_acknowledged(log: EventLog, content: Mapping[str, Any]) -> None:
    stored = log.append(NewEvent("anything", content))
    assert stored in log.newest(1_000)


def test_half_characters_do_not_break_the_store(log: EventLog) -> None:
    log.append(NewEvent("sign", {"text\ud83d": "cut in \ud83d half"}, session_id="s\udc00"))
    (event,) = log.newest(1)
    assert event.content == {"text\ufffd": "cut in \ufffd half"}
    assert event.session_id == "s\ufffd"


times = st.integers(0, 5_000)
new_events = st.builds(
    NewEvent,
    st.sampled_from(["file_read", "sign", "other"]),
    st.just({"path": "a.py"}),
    timestamp=times,
    session_id=st.sampled_from(["s", "t"]),
)


@given(
    st.lists(new_events, max_size=25),
    st.integers(1, 30),
    st.none() | times,
    st.lists(st.sampled_from(["file_read", "sign", "none"]), max_size=3),
    st.sampled_from([None, "s", "t"]),
    st.sets(st.integers(1, 25), max_size=3),
)
def test_newest_is_what_sorting_and_filtering_everything_gives(
    events: list[NewEvent],
    limit: int,
    since: int | None,
    kinds: list[str],
    session: str | None,
    out: set[int],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = EventLog(Path(folder) / "events.sqlite")
        stored = log.append_many(events)
        filters = Filters(
            since=since, event_types=tuple(kinds), exclude=tuple(f"event-{number}" for number in out)
        )
        expected = [
            event
            for event in sorted(enumerate(stored), key=lambda pair: (-pair[1].timestamp, -pair[0]))
            if (since is None or event[1].timestamp >= since)
            and (not kinds or event[1].type in kinds)
            and (session is None or event[1].session_id == session)
            and event[1].id not in filters.exclude
        ][:limit]
        assert log.newest(limit, filters, session) == tuple(event for _, event in expected)
        log.close()


def test_many_are_stored_in_their_order_or_not_at_all(log: EventLog) -> None:
    stored = log.append_many([NewEvent("note", {"text": str(number)}) for number in range(300)])
    assert [event.content["text"] for event in stored] == [str(number) for number in range(300)]
    assert tuple(reversed(log.newest(1_000))) == stored
    with pytest.raises(InvalidRequestError, match=r"content\.text"):
        log.append_many([NewEvent("note", {"text": "right"}), NewEvent("note", {})])
    assert log.count() == 300
    assert log.append_many([]) == ()


def test_a_reader_goes_on_where_it_stopped(log: EventLog) -> None:
    assert (log.last_number(), log.after(0, 10)) == (0, ())
    stored = log.append_many([NewEvent("note", {"text": str(number)}) for number in range(25)])
    read: list[Event] = []
    at = 0
    while piece := log.after(at, 10):
        read.extend(piece)
        at = int(piece[-1].id.removeprefix("event-"))
    assert tuple(read) == stored
    assert at == log.last_number() == 25


def test_a_wipe_takes_everything_and_tells_readers(log: EventLog) -> None:
    log.append_many([NewEvent("note", {"text": "private"})] * 3)
    assert log.wipes() == 0
    log.wipe()
    assert (log.count(), log.wipes(), log.newest(5)) == (0, 1, ())
    assert log.append(NewEvent("note", {"text": "t"})).id == "event-4", "no number is used twice"


def test_a_wipe_takes_everything_though_the_file_breaks_while_it_is_open(
    log: EventLog, tmp_path: Path
) -> None:
    log.append(NewEvent("note", {"text": "private"}))
    log._database.read("PRAGMA wal_checkpoint(TRUNCATE)")
    file = tmp_path / "events.sqlite"
    file.write_bytes(os.urandom(file.stat().st_size))
    with ThreadPoolExecutor(1) as fresh:  # this thread's connection still remembers the file as it was
        fresh.submit(log.wipe).result()
    assert log.count() == 0


def test_events_keep_the_task_that_was_active(log: EventLog) -> None:
    stored = log.append(NewEvent("note", {"text": "t"}, task_id="task-7"))
    assert stored.task_id == "task-7"
    assert log.newest(1) == log.after(0, 1) == (stored,)
    log.append(NewEvent("note", {"text": "t"}))
    assert log.newest(1)[0].task_id is None


def test_a_log_of_the_first_version_is_taken_over_without_loss(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    future = int(time.time() * 1000) + 10**9
    rows: list[tuple[str, str, int, str | None, dict[str, Any]]] = [
        ("file_write", "old", 3_000, None, {"path": "a.py"}),
        ("shell_exec", "old", 1_000, "failure", {"command": "make", "exitCode": 2}),
        ("anything", "older", 2_000, None, {"deep": {"list": [1, None, "é"]}}),
        ("note", "older", future, None, {"text": "from a clock that ran ahead"}),
    ]
    write_first_version(path, rows)
    log = EventLog(path)
    stored = log.after(0, 10)
    assert [(e.type, e.session_id, e.timestamp, e.outcome, e.content, e.task_id) for e in stored] == [
        (*row, None) for row in rows
    ]
    assert [event.id for event in stored] == ["event-1", "event-2", "event-3", "event-4"]
    assert [event.id for event in log.newest(10)] == ["event-4", "event-1", "event-3", "event-2"]
    added = log.append(NewEvent("note", {"text": "after the change"}, session_id="new", task_id="task-1"))
    assert (added.id, added.session_id) == ("event-5", "new")
    assert log.newest(1) == (added,)
    log.close()


def test_what_two_processes_notice_is_one_event(log: EventLog, tmp_path: Path) -> None:
    now = int(time.time() * 1000)
    other = EventLog(tmp_path / "events.sqlite")
    try:
        noticed = NewEvent("file_write", {"path": "a.py"}, Outcome.SUCCESS, new_since=now)
        first = log.append(noticed)
        both = other.append_many([noticed, NewEvent("file_write", {"path": "b.py"}, new_since=now)])
        assert both[0].id == first.id
        assert both[1].id != first.id
        later = NewEvent("file_write", {"path": "a.py"}, Outcome.SUCCESS, new_since=now + 60_000)
        assert other.append(later).id not in (first.id, both[1].id), "it was written again since"
        assert log.append(NewEvent("file_write", {"path": "a.py"})).id != first.id, (
            "others are told, not noticed"
        )
        assert log.count() == 4
    finally:
        other.close()


def test_what_its_sender_sends_again_is_stored_once(log: EventLog, tmp_path: Path) -> None:
    note = NewEvent("note", {"text": "t"}, key="one")
    first = log.append(note)
    again, other, twice = log.append_many([note, *[NewEvent("note", {"text": "t"}, key="two")] * 2])
    assert (again.id, again.session_id) == (first.id, first.session_id)
    assert other.id == twice.id != first.id
    assert log.append(NewEvent("note", {"text": "t"})).id not in (first.id, other.id)
    assert log.count() == 3
    beside = EventLog(tmp_path / "events.sqlite")
    assert beside.append(note).id == first.id
    beside.close()


def test_keys_outlive_damage(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    notes = [NewEvent("note", {"text": f"note {number}"}, key=str(number)) for number in range(50)]
    log = EventLog(path)
    stored = log.append_many(notes)
    log.close()
    with path.open("r+b") as file:
        file.write(b"no database at all")
    log = EventLog(path)
    assert [event.id for event in log.append_many(notes)] == [event.id for event in stored]
    assert log.count() == 50
    log.close()
