"""The question: a request read once, for every source alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.signals import Signals, read_signals
from contextls.assembly.steps import Steps
from contextls.assembly.targets.implicit_target import ImplicitTarget, find_target
from contextls.memory.events.failures import Failure, latest_failure
from contextls.memory.tasks.stack import TaskView
from contextls.memory.vcs.hunks import Hunk
from contextls.model import AssembleRequest, EditorPosition, Strategy

# How far back the last failure is looked for.
EVENTS_LOOKED_AT = 300
# A question of so few words that names no code ("continue", "what next?") leans on the goal.
SHORT_QUESTION_WORDS = 4
_NAMES_CODE = re.compile(r"`|\w[._/]\w|[a-z][A-Z]|\w\(")


@dataclass(frozen=True, slots=True)
class Question:
    """A request with what it turns out to be about.

    ``signals`` are what its words say, ``tasks`` the work at hand, ``asked_changes`` those that the request names,
    ``changes`` these without excluded files, ``target`` what it means without naming it.
    """

    request: AssembleRequest
    strategy: Strategy
    signals: Signals
    tasks: TaskView | None = None
    asked_changes: tuple[Hunk, ...] = ()
    changes: tuple[Hunk, ...] = ()
    target: ImplicitTarget = field(default_factory=ImplicitTarget)

    @property
    def position(self) -> EditorPosition | None:
        """Where the user is in the editor."""
        return self.request.position


def read_question(
    request: AssembleRequest, strategy: Strategy, memories: MemorySnapshot, steps: Steps
) -> Question:
    """Read ``request``. A part that cannot be read is left out and reported in ``steps``."""
    tasks = steps.run("tasks", lambda: memories.tasks.view() if memories.tasks else None, None)
    text = search_text(request.query, tasks)
    bare = Signals.bare(text)
    signals = steps.run("signals", lambda: read_signals(memories.content.read_query(text)), bare)
    if signals.query.warning:
        steps.warnings.append(signals.query.warning)
    if signals.query.reading:
        steps.notes.append(signals.query.reading)
    no_changes: tuple[Hunk, ...] = ()
    asked = steps.run("changes", lambda: _asked_changes(request, memories, steps), no_changes)
    changes = tuple(hunk for hunk in asked if not memories.exclusion.hides(hunk.path))

    def read_target() -> ImplicitTarget:
        return find_target(
            signals, lambda: _last_failure(memories), changes, lambda: _read_uncommitted(request, memories)
        )

    target = steps.run("target", read_target, ImplicitTarget())
    return Question(request, strategy, signals, tasks, asked, changes, target)


def search_text(query: str, tasks: TaskView | None) -> str:
    """Return the text to search for: the query, with the current goal below it when the query says too little."""
    if tasks is None or len(query.split()) > SHORT_QUESTION_WORDS or _NAMES_CODE.search(query):
        return query
    return f"{query}\n{tasks.current.goal}"


def _asked_changes(request: AssembleRequest, memories: MemorySnapshot, steps: Steps) -> tuple[Hunk, ...]:
    if request.changes is None or memories.changes is None:
        return ()
    asked = memories.changes(request.changes)
    steps.warnings.extend(asked.warnings)
    hides = memories.exclusion.exclusions.hides_symbol
    return tuple(hunk for hunk in asked.hunks if not (hunk.symbol and hides(hunk.path, hunk.symbol)))


def _last_failure(memories: MemorySnapshot) -> Failure | None:
    return latest_failure(memories.events.newest(EVENTS_LOOKED_AT), memories.now)


def _read_uncommitted(request: AssembleRequest, memories: MemorySnapshot) -> Sequence[Hunk]:
    return () if memories.working is None or request.changes is not None else memories.working()
