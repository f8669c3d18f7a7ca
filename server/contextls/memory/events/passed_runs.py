"""Finds the run that passed, for a question about failures where nothing fails any more."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from contextls.memory.events.commands import commands_of, cover
from contextls.memory.events.exit_status import was_work
from contextls.memory.events.failures import settled_events
from contextls.memory.events.schema import in_order
from contextls.model import Event, EventType, Outcome


class PassedRun(Struct, frozen=True):
    """A ``run`` that passed, and the newest one that had ``failed`` before it, which it answered for; ``None`` for none."""

    run: Event
    failed: Event | None = None


def find_passed_run(events: Iterable[Event]) -> PassedRun | None:
    """The newest run in ``events`` (any order) that put the newest failure right; without a failure the newest that passed.

    ``None`` where that failure was never put right, or nothing ran.
    """
    ordered = in_order(events)
    runs = [
        each
        for each in reversed(ordered)
        if each.type == EventType.SHELL_EXEC and each.outcome and was_work(each)
    ]
    place = next((place for place, run in enumerate(runs) if run.outcome is Outcome.FAILURE), None)
    if place is None:
        return PassedRun(runs[0]) if runs else None
    failed = runs[place]
    commands = commands_of(failed)
    programs = {each.program for each in commands}
    settled = failed.id in settled_events(ordered)  # it may also be that each of its tests ran by itself
    for run in runs[:place]:
        again = commands_of(run)
        if cover(again, commands) or (
            settled and any(each.runs_tests or each.program in programs for each in again)
        ):
            return PassedRun(run, failed)
    return None
