"""Paging through events: every event once, newest first, whatever happened to clocks and ignore rules."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.memory.events import EventLog, describe_event, plainly
from contextls.memory.events.listing import list_events
from contextls.model import Event, Filters, NewEvent

KINDS = ("note", "file_write", "shell_exec")
NAMES = ("a.py", "hidden/b.py")


def visible(path: str) -> bool:
    return not path.startswith("hidden/")


def new_event(kind: str, path: str, timestamp: int) -> NewEvent:
    contents: dict[str, dict[str, Any]] = {
        "note": {"text": "look"},
        "file_write": {"path": path},
        "shell_exec": {"command": "make", "exitCode": 0},
    }
    return NewEvent(kind, contents[kind], timestamp=timestamp, session_id="a" if timestamp % 2 else "b")


@given(
    happened=st.lists(
        st.tuples(st.sampled_from(KINDS), st.sampled_from(NAMES), st.integers(1, 60)), max_size=40
    ),
    limit=st.integers(1, 15),
    kinds=st.sampled_from((None, ("note",), ("file_write", "note"))),
    session=st.sampled_from((None, "a")),
)
def test_pages_hold_every_visible_event_once_and_newest_first(
    happened: list[tuple[str, str, int]],
    limit: int,
    kinds: tuple[str, ...] | None,
    session: str | None,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        log = EventLog(root / "events.sqlite")
        try:
            for each in happened:
                log.append(new_event(*each))
            filters = Filters(since=5, until=50, event_types=kinds)
            everything = log.newest(1000, filters, session)
            expected = [each.id for each in everything if visible(str(each.content.get("path", "")))]
            pages: list[str] = []
            before = None
            while True:
                page = list_events(log, root, visible, limit, filters, session, before)
                pages.extend(each.id for each in page)
                if len(page) < limit:
                    break
                before = page[-1].id
            assert pages == expected
            assert all(5 <= each.timestamp <= 50 for each in everything)
        finally:
            log.close()


def test_a_page_after_an_event_that_is_gone_is_empty_or_goes_on(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events.sqlite")
    for number in range(3):
        log.append(NewEvent("note", {"text": str(number)}))
    log.wipe()
    later = log.append(NewEvent("note", {"text": "later"}))
    assert list_events(log, tmp_path, visible, 5, Filters(), before="event-2") == ()
    assert [each.id for each in list_events(log, tmp_path, visible, 5, Filters(), before="event-99")] == [
        later.id
    ]
    with pytest.raises(InvalidRequestError, match="before"):
        list_events(log, tmp_path, visible, 5, Filters(), before="context-1")
    log.close()


def test_output_of_a_command_that_names_a_file_ignored_since_is_left_out(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events.sqlite")
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "b.py").write_text("the_word = 1\n")
    command = {"command": "cat hidden/b.py", "exitCode": 0, "stdout": "the_word = 1\n"}
    log.append(NewEvent("shell_exec", command))
    (event,) = list_events(log, tmp_path, visible, 5, Filters())
    assert "the_word" not in str(event.content)
    log.close()


SPOKEN = (
    ("shell_exec", {"command": "pytest -x", "exitCode": 1}, "Executed: pytest -x exit 1"),
    ("file_rename", {"path": "b.py", "from": "a.py"}, "Renamed: b.py from a.py"),
    ("error", {"message": "no\nsuch file", "path": "a.py", "line": 3}, "Error: no such file at a.py:3"),
    ("git_commit", {"commit": "0123456789abcdef", "subject": "Fix it"}, "Committed: Fix it (0123456789)"),
    ("note", {"text": "ask\nAnn"}, "Note: ask Ann"),
    ("own_word", {"a": 1}, 'own_word: {"a": 1}'),
)


@pytest.mark.parametrize(("kind", "content", "line"), SPOKEN, ids=[each[0] for each in SPOKEN])
def test_an_event_is_told_in_one_plain_line(kind: str, content: dict[str, object], line: str) -> None:
    event = Event("event-1", kind, "s", 0, content, None)
    assert plainly(event) == line
    assert describe_event(event).replace("`", "").replace("\n", " ") == line


@given(
    kind=st.sampled_from([each[0] for each in SPOKEN] + ["file_read", "diagnostic", "git_checkout"]),
    content=st.dictionaries(
        st.sampled_from(("path", "command", "message", "text", "exitCode", "to", "state", "subject")),
        st.text(max_size=400) | st.integers() | st.none(),
    ),
)
def test_a_plain_line_is_never_long_and_never_breaks(kind: str, content: dict[str, object]) -> None:
    line = plainly(Event("event-1", kind, "s", 0, content, None))
    assert len(line) <= 200
    assert len(line.splitlines()) <= 1
