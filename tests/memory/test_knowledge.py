"""Habits that the events show."""

from __future__ import annotations

from contextls.memory.patterns import mine
from contextls.model import Event, Outcome


MINUTE = 60_000


def happened(
    *steps: tuple[str, str] | tuple[str, str, bool], gap: int = MINUTE, session: str = "s"
) -> list[Event]:
    events = []
    for number, (kind, subject, *passed) in enumerate(steps, 1):
        shell = kind == "shell_exec"
        content = {"command": subject, "exitCode": int(not passed[0])} if shell else {"path": subject}
        outcome = (Outcome.SUCCESS if passed[0] else Outcome.FAILURE) if shell else None
        events.append(Event(f"event-{number}", kind, session, number * gap, content, outcome))
    return events


def test_files_written_together_twice_are_a_habit() -> None:
    write_both = (("file_write", "a.py"), ("file_write", "test_a.py"))
    events = happened(*write_both)
    assert mine(events) == []
    later = [
        Event(f"event-{9 + n}", "file_write", "s", 10**9 + n, {"path": path}, None)
        for n, (_, path) in enumerate(write_both)
    ]
    found = {pattern.description: pattern for pattern in mine([*events, *later])}
    assert set(found) == {
        "When `a.py` changes, `test_a.py` changes too",
        "When `test_a.py` changes, `a.py` changes too",
    }
    assert {(pattern.applications, pattern.successes) for pattern in found.values()} == {(2, 2)}
    assert mine([*later, *events]) == mine([*events, *later])


def test_what_made_a_command_pass_is_a_habit() -> None:
    events = happened(
        ("shell_exec", "pytest", False),
        ("file_write", "a.py"),
        ("shell_exec", "pytest", True),
        ("shell_exec", "pytest", True),
        ("shell_exec", "pytest", False),
        ("file_write", "b.py"),
        ("shell_exec", "make", True),
        ("shell_exec", "pytest", True),
    )
    fixed = {pattern.files: pattern for pattern in mine(events) if pattern.id.startswith("fixed")}
    assert set(fixed) == {("a.py",), ("b.py",)}
    assert {(pattern.successes, pattern.applications) for pattern in fixed.values()} == {(1, 2)}


def test_sessions_do_not_mix_and_confidence_asks_for_evidence() -> None:
    mixed = [
        *happened(("shell_exec", "pytest", False), session="one"),
        *happened(("file_write", "a.py"), ("shell_exec", "pytest", True), session="two"),
    ]
    assert mine(mixed) == []
    often = mine(happened(*[("file_write", "a.py"), ("file_write", "b.py")] * 40, gap=20 * MINUTE))
    assert often == [], "twenty minutes apart is not together"
