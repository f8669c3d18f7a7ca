"""What the events say of commands and errors, and of the files that put them right."""

from __future__ import annotations

from pathlib import Path

from contextls.memory.events import EventLog
from contextls.memory.knowledge.entities.event_stats import MAX_WRITTEN, EventStatsReader, command_id
from contextls.model import NewEvent


def test_a_file_counts_once_for_each_time_that_a_command_passed_again(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events.sqlite")
    names = [f"part{number}.py" for number in range(MAX_WRITTEN + 10)]
    writes = [NewEvent("file_write", {"path": name}) for name in names]
    run = {"command": "pytest"}
    log.append_many(
        [
            NewEvent("shell_exec", {**run, "exitCode": 1}),
            *writes,
            *writes,
            NewEvent("shell_exec", {**run, "exitCode": 0}),
        ]
    )
    fixes = EventStatsReader(log).read().fixes[command_id("pytest")]
    assert {(fix.successes, fix.attempts) for fix in fixes} == {(1, 1)}
    assert {fix.path for fix in fixes} == set(names[-MAX_WRITTEN:])
    log.close()
