"""Events: what may be recorded, what is kept of it, and that nothing acknowledged is ever lost."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.memory.events import MAX_TEXT_CHARS, EventLog
from contextls.model import Filters, NewEvent, Outcome

from .workspaces import python

SHELL = {"command": "make", "exitCode": 0}


@pytest.fixture
def log(tmp_path: Path) -> Iterator[EventLog]:
    log = EventLog(tmp_path / "events.sqlite", "this-session")
    yield log
    log.close()


@pytest.mark.parametrize(
    ("kind", "content", "field"),
    [
        ("file_read", {}, "content.path"),
        ("file_read", {"path": 1}, "content.path"),
        ("file_write", {"path": None}, "content.path"),
        ("file_write", {"path": "a.py", "extra": 1}, "content.extra"),
        ("shell_exec", {"exitCode": 0}, "content.command"),
        ("shell_exec", {"command": "x"}, "content.exitCode"),
        ("shell_exec", {"command": "x", "exitCode": "0"}, "content.exitCode"),
        ("shell_exec", {"command": "x", "exitCode": True}, "content.exitCode"),
        ("shell_exec", {"command": ["x"], "exitCode": 0}, "content.command"),
        ("shell_exec", {**SHELL, "stdout": b"x"}, "content.stdout"),
        ("shell_exec", {**SHELL, "stderr": 1}, "content.stderr"),
        ("shell_exec", {**SHELL, "cwd": 1}, "content.cwd"),
        ("shell_exec", {**SHELL, "durationMs": "1"}, "content.durationMs"),
        ("error", {}, "content.message"),
        ("error", {"message": "m", "line": "1"}, "content.line"),
        ("error", {"message": "m", "line": 1.5}, "content.line"),
        ("error", {"message": "m", "stack": []}, "content.stack"),
        ("error", {"message": "m", "source": 1}, "content.source"),
        ("error", {"message": "m", "code": 1.5}, "content.code"),
        ("", {}, "type"),
        ("has space", {}, "type"),
        ("note", ["text"], "content"),
        ("note", {"value": object()}, "content"),
        ("note", {"value": "x" * 7_000, "more": ["y" * 7_000] * 20}, "content"),
    ],
)
def test_what_is_wrong_is_named(log: EventLog, kind: str, content: Any, field: str) -> None:  # noqa: ANN401 - bad on purpose
    with pytest.raises(InvalidRequestError) as caught:
        log.append(NewEvent(kind, content))
    assert caught.value.field == field
    assert log.count() == 0


@pytest.mark.parametrize("timestamp", [-1, 10**15, 2**70])
def test_times_outside_of_calendars_are_refused(log: EventLog, timestamp: int) -> None:
    with pytest.raises(InvalidRequestError, match=r"^timestamp: "):
        log.append(NewEvent("note", {}, timestamp=timestamp))


def test_too_deep_is_refused_not_crashed_on(log: EventLog) -> None:
    deep: dict[str, Any] = {}
    for _ in range(500):
        deep = {"next": deep}
    with pytest.raises(InvalidRequestError, match=r"^content: .*levels"):
        log.append(NewEvent("note", deep))


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
        log.append(NewEvent("note", {"name": name}, timestamp=timestamp))
    assert "".join(event.content["name"] for event in log.newest(10)) == "dbac"
    assert "".join(event.content["name"] for event in log.newest(2)) == "db"


def test_filters(log: EventLog) -> None:
    ids = [
        log.append(NewEvent(kind, {"path": "a.py"}, timestamp=timestamp, session_id=session)).id
        for kind, timestamp, session in (
            ("file_read", 1_000, None),
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
    assert kept(Filters(exclude=(ids[1],))) == [ids[0], ids[2]]
    assert kept(Filters(), "other") == ids[1:]
    assert kept(Filters(), "this-session") == [ids[0]]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), json_values, max_size=5))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_json_comes_back_as_it_was_acknowledged(log: EventLog, content: Mapping[str, Any]) -> None:
    stored = log.append(NewEvent("anything", content))
    assert stored in log.newest(1_000)


def test_half_characters_do_not_break_the_store(log: EventLog) -> None:
    log.append(NewEvent("note", {"text\ud83d": "cut in \ud83d half"}, session_id="s\udc00"))
    (event,) = log.newest(1)
    assert event.content == {"text\ufffd": "cut in \ufffd half"}


APPEND = """
import sys
from pathlib import Path
from contextls.memory.events import EventLog
from contextls.model import NewEvent

log = EventLog(Path(sys.argv[1]), sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    event = log.append(NewEvent("note", {"text": f"{sys.argv[2]} {number}"}))
    print(event.id, flush=True)
"""


def _started(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return python(APPEND, path, name, count)


def test_processes_that_append_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    processes = [_started(path, f"p{number}", 100) for number in range(3)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
    outputs = []
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        out, errors = process.communicate(timeout=60)
        assert errors == ""
        outputs.extend(out.split())
    log = EventLog(path, "reader")
    assert len(set(outputs)) == log.count() == 300
    assert {event.content["text"] for event in log.newest(1000)} == {
        f"p{process} {number}" for process in range(3) for number in range(100)
    }
    for session in ("p0", "p1", "p2"):
        numbers = [int(event.content["text"].split()[1]) for event in log.newest(1000, session_id=session)]
        assert numbers == sorted(numbers, reverse=True)
    log.close()


def test_kill_after_the_answer_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "events.sqlite"
    process = _started(path, "victim", 100_000)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    acknowledged = []
    for line in process.stdout:
        if line != "ready\n":
            acknowledged.append(line.strip())
        if len(acknowledged) == 200:
            process.send_signal(signal.SIGKILL)
            break
    acknowledged.extend(process.communicate()[0].split())
    log = EventLog(path, "reader")
    stored = {event.id for event in log.newest(100_000)}
    assert set(acknowledged) <= stored
    assert len(stored) - len(acknowledged) <= 1
    log.append(NewEvent("note", {"text": "still writable"}))
    log.close()
