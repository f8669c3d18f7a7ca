"""Steps of work as events, and the habits that a miner counts in them."""

from __future__ import annotations

from contextls.memory.patterns.describe import describe_all
from contextls.memory.patterns.miner import Miner
from contextls.memory.vcs.view import CommitView
from contextls.model import Event, NewEvent, Outcome, Pattern

MINUTE = 60_000
START = 1_800_000_000_000
NONE = CommitView.empty()
Step = tuple[str | bool, ...]


def happened(*steps: Step | int, session: str = "s", task: str | None = None) -> list[NewEvent]:
    """One event a minute; a number is a pause of so many minutes. ``edit``, ``run``, ``error`` and ``commit``."""
    events = []
    at = START
    for step in steps:
        if isinstance(step, int):
            at += step * MINUTE
            continue
        at += MINUTE
        kind, subject, *rest = step
        assert isinstance(subject, str)
        if kind == "edit":
            event = NewEvent("file_write", {"path": subject})
        elif kind == "run":
            event = NewEvent("shell_exec", {"command": subject, "exitCode": 0 if rest[0] else 1})
        elif kind == "error":
            content = {"message": subject, **({"command": str(rest[0])} if rest else {})}
            event = NewEvent("error", content, Outcome.FAILURE)
        else:
            event = NewEvent("git_commit", {"commit": "c0ffee", "subject": subject, "paths": []})
        outcome = event.outcome
        if kind == "run":
            outcome = Outcome.SUCCESS if rest[0] else Outcome.FAILURE
        events.append(NewEvent(event.type, event.content, outcome, at, session, task))
    return events


def numbered(events: list[NewEvent]) -> list[Event]:
    return [
        Event(
            f"event-{n}",
            each.type,
            each.session_id or "",
            each.timestamp or 0,
            each.content,
            each.outcome,
            each.task_id,
        )
        for n, each in enumerate(events, 1)
    ]


def mined(*steps: Step | int, **fields: str) -> dict[str, Pattern]:
    miner = Miner()
    for event in numbered(happened(*steps, **fields)):
        miner.take(event)
    return {pattern.description: pattern for pattern in describe_all(miner.tables)}


def numbers(pattern: Pattern) -> tuple[int, int]:
    return pattern.successes, pattern.applications
