"""Records the problems that other tools report of open files: once when each appears, and once when it is gone.

Some clients name all problems of a file each time; what appeared and what is gone becomes an event once the set has
held still, so that what flickers while a user types is never recorded. Others send along what they know with a request.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from contextls.live.clock import Countdown, to_ms
from contextls.live.file_event import record_file_event
from contextls.model import EventType, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from contextls.live.clock import Clock
    from contextls.live.workspaces import Workspaces

_MAX_REMEMBERED = 2000
# A broken import may set off a thousand more; the first ones tell as much.
_MAX_AT_ONCE = 30


class Problem(Struct, frozen=True):
    """One problem. ``line`` is 1-based; ``severity`` is ``error``, ``warning``, ``information`` or ``hint``."""

    message: str
    line: int
    severity: str = "error"
    source: str = ""
    code: str = ""

    def to_content(self) -> dict[str, object]:
        """The content of an event about it."""
        content: dict[str, object] = {"message": self.message, "line": self.line}
        content |= {name: value for name, value in (("source", self.source), ("code", self.code)) if value}
        return content


# Each problem under what tells it apart from the others of its file.
_Keyed = dict[tuple[object, ...], Problem]


class _FileProblems(Struct):
    """The problems of one file: as last reported, and as last recorded."""

    countdown: Countdown
    reported: _Keyed
    recorded: _Keyed | None = None


class Problems:
    """The problems of open files. Belongs to the event loop."""

    def __init__(self, workspaces: Workspaces, clock: Clock) -> None:
        self._workspaces = workspaces
        self._clock = clock
        self._mentioned: set[tuple[Path, str, str]] = set()
        self._files: dict[Path, _FileProblems] = {}

    def mention(self, path: Path, problems: Iterable[Problem]) -> None:
        """These are some of the problems of a file; those of severity error become events, each once.

        Of a file whose problems were ever named as a whole nothing is recorded here.
        """
        workspace = self._workspaces.containing(path)
        if workspace is None or path in self._files:
            return
        for problem in problems:
            key = (path, problem.code, problem.message)
            if problem.severity != "error" or key in self._mentioned:
                continue
            if len(self._mentioned) >= _MAX_REMEMBERED:
                self._mentioned.clear()
            self._mentioned.add(key)
            record_file_event(workspace, path, EventType.ERROR, Outcome.FAILURE, problem.to_content())

    def replace(self, path: Path, problems: Sequence[Problem]) -> None:
        """These are all the problems of a file now."""
        if len(self._files) >= _MAX_REMEMBERED:
            self._files = {
                place: known for place, known in self._files.items() if known.reported or known.recorded
            }
        known = self._files.setdefault(path, _FileProblems(Countdown(self._clock), {}))
        known.reported = _key_problems(problems)
        known.countdown.restart(to_ms(self._workspaces.settings.edit_seconds), partial(self._settle, path))

    def stop(self) -> None:
        """Forget what has not held still long enough."""
        for known in self._files.values():
            known.countdown.cancel()

    def _settle(self, path: Path) -> None:
        known = self._files.get(path)
        if known is None:  # too many were remembered
            return
        before, now = known.recorded, known.reported
        known.recorded = now
        # Warnings that were there when the file was opened say nothing about the work.
        appeared = [
            each
            for key, each in now.items()
            if key not in (before or {}) and (before is not None or each.severity == "error")
        ]
        gone = [each for key, each in (before or {}).items() if key not in now]
        self._record(path, "gone", gone)
        self._record(path, "appeared", appeared)

    def _record(self, path: Path, state: str, problems: Sequence[Problem]) -> None:
        workspace = self._workspaces.containing(path)
        if workspace is None:
            return
        for problem in problems[:_MAX_AT_ONCE]:
            content = {**problem.to_content(), "severity": problem.severity, "state": state}
            record_file_event(workspace, path, EventType.DIAGNOSTIC, _outcome(state, problem), content)


def _outcome(state: str, problem: Problem) -> Outcome | None:
    if state == "gone":
        return Outcome.SUCCESS
    return Outcome.FAILURE if problem.severity == "error" else None


def _key_problems(problems: Iterable[Problem]) -> _Keyed:
    """Errors and warnings by their message, without their line: lines move with every edit."""
    keyed: _Keyed = {}
    equal: Counter[tuple[str, ...]] = Counter()
    for problem in problems:
        if problem.severity in ("error", "warning"):
            said = (problem.severity, problem.source, problem.code, problem.message)
            keyed[*said, equal[said]] = problem
            equal[said] += 1
    return keyed
