"""A session is a workspace and a time: whoever records there joins it, until a long pause."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.events import EventLog
from contextls.memory.events.sessions import PAUSE_MS
from contextls.model import NewEvent
from contextls.recording import Recording

START = 1_800_000_000_000
MINUTE = 60_000


class Clock:
    """The time of all processes."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now

    def pass_time(self, ms: int) -> None:
        self.now += ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def process(tmp_path: Path, clock: Clock) -> Callable[[], EventLog]:
    """Opens the log as a new process does."""
    return lambda: EventLog(tmp_path / "events.sqlite", clock=clock)


def session_of(log: EventLog, **fields: object) -> str:
    return log.append(NewEvent("note", {"text": "x"}, **fields)).session_id  # type: ignore[arg-type]


def test_processes_share_a_session_until_a_long_pause(process: Callable[[], EventLog], clock: Clock) -> None:
    editor, terminal = process(), process()
    first = session_of(editor)
    clock.pass_time(90 * MINUTE)  # a meal
    assert session_of(terminal) == first
    assert session_of(editor) == first
    clock.pass_time(PAUSE_MS + 1)
    second = session_of(terminal)
    assert second != first
    assert session_of(process()) == second


def test_what_happened_earlier_joins_the_session_of_its_time(
    process: Callable[[], EventLog], clock: Clock
) -> None:
    log = process()
    monday = session_of(log)
    clock.pass_time(24 * 60 * MINUTE)
    tuesday = session_of(log)
    assert session_of(log, timestamp=START + 10 * MINUTE) == monday
    # A commit made while nothing was open, read when the editor starts.
    assert session_of(log, timestamp=clock.now - 30 * MINUTE) == tuesday
    assert session_of(log, timestamp=START + 12 * 60 * MINUTE) not in (monday, tuesday)


def test_events_stored_together_are_parted_by_a_pause_as_well(process: Callable[[], EventLog]) -> None:
    log = process()
    times = [START - 2 * PAUSE_MS, START - 2 * PAUSE_MS + MINUTE, START]
    stored = log.append_many([NewEvent("note", {"text": "x"}, timestamp=each) for each in times])
    first, second, third = (event.session_id for event in stored)
    assert first == second != third


def test_a_session_that_a_client_names_is_its_own(process: Callable[[], EventLog]) -> None:
    log = process()
    assert session_of(log, session_id="agent-7") == "agent-7"
    ours = session_of(log)
    assert ours != "agent-7"
    session_of(log, session_id="agent-7")
    assert session_of(log) == ours


def test_the_session_that_is_going_on_ends_with_a_pause(
    process: Callable[[], EventLog], clock: Clock
) -> None:
    log = process()
    assert log.current_session() is None
    assert log.current_session() != session_of(log) == log.current_session()
    clock.pass_time(PAUSE_MS + 1)
    assert log.current_session() is None


def test_an_editor_and_a_script_are_one_session(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    editor, script = Engine.open(tmp_path), Recording.open(tmp_path)
    try:
        told = [each.record(NewEvent("file_write", {"path": "a.py"})) for each in (editor, script, editor)]
    finally:
        script.close()
        editor.close()
    assert len({event.session_id for event in told if event}) == 1
