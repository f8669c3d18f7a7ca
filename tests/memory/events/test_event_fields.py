"""Events: which fields each type has, and that what is wrong is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.event_content import FIELDS
from contextls.memory.events import EventLog, validate_event
from contextls.model import EventType, NewEvent
from contextls.requests.assemble import UpdateParams
from contextls.requests.events import RecordParams
from contextls.schema.reader import read
from contextls.schema.types import fields_of
from contextls.text.redact import redact

SHELL = {"command": "make", "exitCode": 0}
DIAGNOSTIC = {"path": "a.py", "message": "m", "state": "appeared"}
COMPLETE: Mapping[str, Mapping[str, Any]] = {
    "file_read": {"path": "a.py"},
    "file_focus": {"path": "a.py"},
    "file_edit": {
        "path": "a.py",
        "summary": "edited `Budget.allocate` (+6 −2)",
        "symbols": ["Budget.allocate"],
        "added": 6,
        "removed": 2,
    },
    "file_write": {"path": "a.py"},
    "file_rename": {"path": "b.py", "from": "a.py"},
    "file_delete": {"path": "a.py"},
    "files_changed": {"count": 3, "paths": ["a.py", "b.py", "c.py"]},
    "shell_exec": {**SHELL, "stdout": "o", "stderr": "e", "cwd": "/w", "durationMs": 1.5, "runs": ["jest"]},
    "error": {
        "message": "m",
        "stack": "s",
        "path": "a.py",
        "line": 3,
        "source": "pytest",
        "code": "E1",
        "command": "pytest",
        "test": "test_a",
    },
    "diagnostic": {**DIAGNOSTIC, "line": 3, "source": "mypy", "code": 7, "severity": "error"},
    "git_checkout": {"from": "main", "to": "topic", "branch": "topic", "action": "branch"},
    "git_commit": {"commit": "c0ffee", "subject": "s", "branch": "main", "paths": ["a.py"]},
    "git_stash": {"subject": "s", "action": "push"},
    "git_rebase": {"onto": "main", "branch": "topic"},
    "note": {"text": "remember"},
    "working_set": {
        "action": "adjust_priority",
        "by": "model",
        "path": "a.py",
        "target": "a.py#Cart.total",
        "priority": 0.5,
        "why": "it matters",
        "reason": "the user pinned it",
    },
}


@pytest.mark.parametrize("kind", list(EventType))
def test_every_known_type_comes_back_with_all_its_fields(log: EventLog, kind: EventType) -> None:
    assert set(COMPLETE[kind]) == set(FIELDS[kind])
    log.append(NewEvent(kind, COMPLETE[kind]))
    (event,) = log.newest(1)
    assert (event.type, event.content) == (kind, COMPLETE[kind])


@pytest.mark.parametrize(
    ("kind", "content", "field"),
    [
        ("file_read", {}, "content.path"),
        ("file_read", {"path": 1}, "content.path"),
        ("file_write", {"path": None}, "content.path"),
        ("file_read", {"path": " "}, "content.path"),
        ("file_write", {"path": "a.py", "extra": 1}, "content.extra"),
        ("shell_exec", {"exitCode": 0}, "content.command"),
        ("shell_exec", {"command": "x", "exitCode": "0"}, "content.exitCode"),
        ("shell_exec", {"command": "x", "exitCode": True}, "content.exitCode"),
        ("shell_exec", {"command": ["x"], "exitCode": 0}, "content.command"),
        ("shell_exec", {**SHELL, "stdout": b"x"}, "content.stdout"),
        ("shell_exec", {**SHELL, "stderr": 1}, "content.stderr"),
        ("shell_exec", {**SHELL, "cwd": 1}, "content.cwd"),
        ("shell_exec", {**SHELL, "durationMs": "1"}, "content.durationMs"),
        ("shell_exec", {**SHELL, "durationMs": -1}, "content.durationMs"),
        ("shell_exec", {"command": "", "exitCode": 0}, "content.command"),
        ("shell_exec", {"command": "x", "exitCode": 2**60}, "content.exitCode"),
        ("error", {}, "content.message"),
        ("error", {"message": "m", "line": "1"}, "content.line"),
        ("error", {"message": "m", "line": 1.5}, "content.line"),
        ("error", {"message": "m", "stack": []}, "content.stack"),
        ("error", {"message": "m", "source": 1}, "content.source"),
        ("error", {"message": "m", "code": 1.5}, "content.code"),
        ("error", {"message": "m", "test": 1}, "content.test"),
        ("file_edit", {"path": "a.py", "symbols": "x"}, "content.symbols"),
        ("file_edit", {"path": "a.py", "symbols": ["x", 1]}, "content.symbols"),
        ("file_edit", {"path": "a.py", "added": "2"}, "content.added"),
        ("file_rename", {"from": "a.py"}, "content.path"),
        ("files_changed", {"paths": []}, "content.count"),
        ("files_changed", {"count": 1, "paths": [None]}, "content.paths"),
        ("diagnostic", {**DIAGNOSTIC, "state": "maybe"}, "content.state"),
        ("diagnostic", {"path": "a.py", "message": "m"}, "content.state"),
        ("git_checkout", {"from": "main"}, "content.to"),
        ("git_commit", {"subject": "s"}, "content.commit"),
        ("note", {}, "content.text"),
        ("note", {"text": "t", "exit_code": 1}, "content.exit_code"),
        ("", {}, "type"),
        ("has space", {}, "type"),
        ("long" * 100, {}, "type"),
        ("anything", ["text"], "content"),
        ("anything", {"value": object()}, "content"),
        ("anything", {"value": float("nan")}, "content"),
        ("anything", {"value": 10**5000}, "content"),
        ("anything", {"value": "x" * 7_000, "more": ["y" * 7_000] * 20}, "content"),
    ],
)
def test_what_is_wrong_is_named(log: EventLog, kind: str, content: Any, field: str) -> None:  # noqa: ANN401 - bad on purpose
    with pytest.raises(InvalidRequestError) as caught:
        log.append(NewEvent(kind, content))
    assert caught.value.field == field
    assert log.count() == 0


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("shell_exec", {"exitCode": 0}),
        ("shell_exec", {**SHELL, "extra": 1}),
        ("error", {"message": ""}),
        ("file_read", {"path": 1}),
        ("diagnostic", {**DIAGNOSTIC, "state": "maybe"}),
    ],
)
def test_a_request_is_refused_in_the_words_of_the_log(kind: str, content: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequestError) as by_log:
        validate_event(NewEvent(kind, content))
    with pytest.raises(InvalidRequestError) as by_request:
        read(UpdateParams, {"contextId": "1", "event": {"type": kind, "content": content}})
    assert by_request.value.field == f"event.{by_log.value.field}"
    assert by_request.value.expected == by_log.value.expected


def test_null_in_a_request_counts_as_absent_where_the_fields_are_known() -> None:
    given = {**SHELL, "stdout": None, "cwd": None}
    assert read(RecordParams, {"type": "shell_exec", "content": given}).event.content == SHELL
    assert read(RecordParams, {"type": "mine", "content": {"a": None}}).event.content == {"a": None}


def test_the_protocol_names_every_field_of_a_command() -> None:
    (told,) = (field.doc for field in fields_of(RecordParams) if field.wire == "content")
    assert all(f"`{name}`" in told for name in FIELDS["shell_exec"])


@pytest.mark.parametrize("timestamp", [-1, 10**15, 2**70])
def test_times_outside_of_calendars_are_refused(log: EventLog, timestamp: int) -> None:
    with pytest.raises(InvalidRequestError, match=r"^timestamp: "):
        log.append(NewEvent("anything", {}, timestamp=timestamp))


def test_names_of_sessions_and_tasks_are_short(log: EventLog) -> None:
    with pytest.raises(InvalidRequestError, match=r"^sessionId: at most|^sessionId: expected at most"):
        log.append(NewEvent("anything", {}, session_id="s" * 1_000_000))
    with pytest.raises(InvalidRequestError, match=r"^taskId: "):
        log.append(NewEvent("anything", {}, task_id="t" * 1_000_000))


def test_too_deep_is_refused_not_crashed_on(log: EventLog) -> None:
    deep: dict[str, Any] = {}
    for _ in range(500):
        deep = {"next": deep}
    with pytest.raises(InvalidRequestError, match=r"^content: .*levels"):
        log.append(NewEvent("anything", deep))


@given(st.sampled_from(list(EventType)), st.text(max_size=12), st.integers() | st.text(max_size=5))
def test_no_unknown_field_passes(kind: EventType, name: str, value: object) -> None:
    if name in FIELDS[kind]:
        return
    with pytest.raises(InvalidRequestError) as caught:
        validate_event(NewEvent(kind, {**COMPLETE[kind], name: value}))
    assert caught.value.field == f"content.{name}"


@given(st.sampled_from([name for fields in FIELDS.values() for name in fields]), st.text(max_size=60))
def test_the_name_of_a_known_field_never_makes_a_secret_of_its_value(name: str, value: str) -> None:
    assert bool(redact(f'{name}="{value}"').found) == bool(redact(f'x="{value}"').found)
