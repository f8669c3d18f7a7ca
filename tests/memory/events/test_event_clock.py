"""Events: what newest means when the clock jumps."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.memory.events import EventLog
from contextls.model import Filters, NewEvent

HOUR = 3_600_000
DAY = 24 * HOUR
NOON = 1_700_000_000_000


class Clock:
    """A clock that can be set, as a person or a time server does."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def log(tmp_path: Path, clock: Clock) -> Iterator[EventLog]:
    log = EventLog(tmp_path / "events.sqlite", clock=clock)
    yield log
    log.close()


@pytest.fixture
def say(log: EventLog) -> Callable[..., str]:
    return lambda text, timestamp=None: log.append(NewEvent("note", {"text": text}, timestamp=timestamp)).id


def shown(log: EventLog, limit: int = 10, since: int | None = None) -> str:
    return "".join(event.content["text"] for event in log.newest(limit, Filters(since=since)))


def test_a_clock_that_ran_ahead_does_not_hide_what_comes_after(
    log: EventLog, clock: Clock, say: Callable[..., str]
) -> None:
    clock.now = NOON + DAY
    say("a")
    say("b")
    clock.now = NOON
    say("c")
    clock.now += HOUR
    say("d")
    assert shown(log) == "dcba"
    assert shown(log, 1) == "d"
    assert [event.timestamp for event in log.newest(2)] == [NOON + HOUR, NOON], (
        "times stay as they were given"
    )
    assert shown(log, since=NOON + DAY) == "dcba", "what was recorded later did not happen earlier"


def test_a_time_in_the_future_counts_as_now(log: EventLog, clock: Clock, say: Callable[..., str]) -> None:
    say("a", NOON + 365 * DAY)
    clock.now += 1
    say("b")
    assert shown(log) == "ba"
    assert shown(log, since=NOON + 1) == "b"


def test_what_is_told_late_takes_its_place(log: EventLog, clock: Clock, say: Callable[..., str]) -> None:
    say("b")
    clock.now += HOUR
    say("c")
    say("a", NOON - HOUR)
    assert shown(log) == "cba"
    clock.now = NOON - 10 * DAY
    say("d")
    say("x", clock.now - 2 * HOUR)
    assert shown(log) == "dcbxa", "two hours ago, by whatever clock, is before what was recorded one hour ago"


@given(st.lists(st.integers(-3 * DAY, 3 * DAY), min_size=1, max_size=12))
@settings(max_examples=20)
def test_what_was_recorded_last_is_newest_however_the_clock_jumps(
    tmp_path_factory: pytest.TempPathFactory, jumps: list[int]
) -> None:
    clock = Clock()
    log = EventLog(tmp_path_factory.mktemp("clock") / "events.sqlite", clock=clock)
    ids = []
    for jump in jumps:
        clock.now += jump
        ids.append(log.append(NewEvent("note", {"text": "t"})).id)
        assert log.newest(1)[0].id == ids[-1]
    assert [event.id for event in reversed(log.newest(50))] == ids
    assert [event.id for event in log.after(0, 50)] == ids
    log.close()


def test_what_is_stored_together_happened_in_one_millisecond(tmp_path: Path) -> None:
    ticking = itertools.count(NOON)
    log = EventLog(tmp_path / "events.sqlite", clock=lambda: next(ticking))
    run, error = log.append_many(
        [NewEvent("note", {"text": "a run"}), NewEvent("note", {"text": "its error"})]
    )
    assert run.timestamp == error.timestamp
    log.close()
