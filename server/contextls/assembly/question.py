"""The question: a request, read once for all sources."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.assembly.admission.filters import Admission
from contextls.assembly.admission.permissions import PermissionKind, Permissions
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.other_words import find_other_words
from contextls.assembly.overview.overview_question import asks_for_overview
from contextls.assembly.request import BudgetedRequest, FollowUpRequest
from contextls.assembly.steps import Steps
from contextls.assembly.targets.change_context import speaks_of_changes_alone
from contextls.assembly.targets.cursor_place import find_under
from contextls.assembly.targets.failure_kind import put_meant_first
from contextls.assembly.targets.implicit_target import BESIDE_SELECTION, ImplicitTarget, find_target
from contextls.assembly.targets.work_question import (
    Work,
    WorkQuestion,
    asks_about_runs,
    read_work,
    words_beside,
)
from contextls.assembly.wording.signals import Intent, Signals, read_signals
from contextls.memory.events.failures import TELLING, FailedRun, open_failures
from contextls.memory.events.leaks import shown_events
from contextls.memory.events.passed_runs import PassedRun, find_passed_run
from contextls.memory.index.query.asides import without_asides
from contextls.memory.tasks.stack import TaskView
from contextls.memory.vcs.change_scope import ChangeScope, read_scope
from contextls.memory.vcs.hunks import Hunk
from contextls.model import EditorPosition, Event, Filters, Strategy
from contextls.regex import compile_late

# How far back the last failure is looked for.
EVENTS_LOOKED_AT = 300
# A question of at most this many words that names no code ("continue", "what next?") is read with the goal of the task.
SHORT_QUESTION_WORDS = 4
_NAMES_CODE = compile_late(r"`|\w[._/]\w|[a-z][A-Z]|\w\(")


class Question(Struct, frozen=True):
    """A request, and what it is about."""

    request: BudgetedRequest
    strategy: Strategy
    # What the words of the question say.
    signals: Signals
    # The work at hand.
    tasks: TaskView | None = None
    # The changes that the request names, and those of them that may be shown.
    asked_changes: tuple[Hunk, ...] = ()
    changes: tuple[Hunk, ...] = ()
    # What the question means without naming it.
    target: ImplicitTarget = field(default_factory=ImplicitTarget)
    # What it asks about the work at hand.
    work: WorkQuestion = field(default_factory=WorkQuestion)
    # Whether it asks how the workspace is made.
    overview: bool = False
    # The open failures, newest first; read only where they matter.
    failures: tuple[FailedRun, ...] = ()
    # For a question about a failure of which there is none: the run that passed.
    passed: PassedRun | None = None
    # Whether it asks about a failed run, and none is known: neither one that fails nor one that passed.
    lacks_failure: bool = False
    # What the answer may show. Nothing else is meant by the question, either.
    permissions: Permissions = field(default_factory=Permissions)

    @property
    def stops(self) -> bool:
        """Whether the state of the work is all of the answer: the question names nothing that could be searched for."""
        work = self.work
        if self.lacks_changes:
            return work.alone and not self.is_placed
        if not work.alone or work.kind is None or self.request.changes is not None:
            return False
        if work.kind is Work.REVIEW:  # where there are changes, the code around them is wanted as well
            return not self.target.hunks and not self.is_placed and speaks_of_changes_alone(self.signals)
        if work.kind is Work.STANDING:  # with a task at hand, its goal was searched for as well
            return self.signals.query.text == without_asides(self.request.query)
        return work.kind is not Work.FAILURE or bool(self.target.failure or self.passed or self.lacks_failure)

    @property
    def lacks_changes(self) -> bool:
        """Whether the request names changes of which there are none that may be shown."""
        return self.request.changes is not None and not self.changes

    @property
    def is_placed(self) -> bool:
        """Whether it is about what the editor shows: the code at the cursor where its words point there, or a selection."""
        position = self.position
        return position is not None and (position.selected or self.signals.about_here)

    @property
    def is_at_cursor(self) -> bool:
        """Whether it is about the code at the cursor, and about neither a failure nor changes."""
        target = self.target
        return self.position is not None and self.signals.about_here and not (target.failure or target.hunks)

    @property
    def lacks_place(self) -> bool:
        """Whether it points at the editor and at nothing else, and neither a place there nor other code came with it."""
        request, target = self.request, self.target
        came_with = (
            request.additional_context,
            request.filters.paths,
            request.scope,
            self.changes,
            target.failure,
            target.hunks,
        )
        return self.signals.only_here and request.position is None and not any(came_with)

    @property
    def position(self) -> EditorPosition | None:
        """The position of the user in the editor."""
        return self.request.position


def read_question(
    request: BudgetedRequest,
    strategy: Strategy,
    memories: MemorySnapshot,
    steps: Steps,
    admission: Admission,
) -> Question:
    """Read ``request``. A part that cannot be read is left out and reported in ``steps``.

    ``admission`` is what may enter its answer. Raises ``InvalidRequestError`` where it asks for the changes since something
    that is not there.
    """
    permissions, position = admission.permissions, request.position
    tasks = steps.run("tasks", lambda: memories.tasks.view() if memories.tasks else None, None)
    asked_text = without_asides(request.query)
    text = search_text(asked_text, tasks if permissions.allow(PermissionKind.TASKS) else None)
    signals = _read_signals(text, request, memories, steps)
    asked = _read_asked_changes(request, memories, steps)
    hides = memories.exclusion.hides
    changes = tuple(hunk for hunk in asked if admission.lets_in_change(hunk) and not hides(hunk.path))

    names = [name for name in signals.mentions if name in asked_text]
    repairs = signals.intent is Intent.FIX
    work = read_work(asked_text, names, wants_repair=repairs)
    is_about_failures = repairs or work.kind in (Work.FAILURE, Work.STANDING) or strategy.name == "debug"
    failures = _read_failures(memories, permissions, steps) if is_about_failures else ()
    failures = put_meant_first(failures, asked_text)
    if not work.alone and (repairs or work.kind is Work.FAILURE):
        named = _find_named(failures, asked_text, names)
        if named is not None:
            work = WorkQuestion(Work.FAILURE, alone=True)
            failures = (named, *(each for each in failures if each is not named))
    # With a selection, "fix this" means that.
    is_selected = position is not None and position.selected and signals.about_here
    means_newest_failure = work.alone and work.kind is Work.FAILURE and not is_selected
    passed = None
    lacks_run = means_newest_failure and not failures and _means_runs(request, signals)
    if lacks_run:
        passed = steps.run("failures", lambda: _find_passed(memories, permissions), passed)

    failure = failures[0] if means_newest_failure and failures else None
    uncommitted = partial(_read_uncommitted, request, memories, permissions)
    code = partial(_read_code, position, memories)
    target = steps.run(
        "target", lambda: find_target(signals, failure, changes, uncommitted, code), ImplicitTarget()
    )
    if position is not None and position.selected and not signals.about_here:
        target = replace(target, beside=BESIDE_SELECTION)
    is_about_a_part = bool(changes or (position and signals.about_here))
    return Question(
        request=request,
        strategy=strategy,
        signals=signals,
        tasks=tasks,
        asked_changes=asked,
        changes=changes,
        target=target,
        work=work,
        overview=not is_about_a_part and asks_for_overview(asked_text, [memories.root.name]),
        failures=failures,
        passed=passed,
        # A conversation may say what failed.
        lacks_failure=lacks_run
        and passed is None
        and permissions.allow(PermissionKind.ACTIVITY)
        and not isinstance(request, FollowUpRequest),
        permissions=permissions,
    )


def _read_code(position: EditorPosition | None, memories: MemorySnapshot) -> str:
    """The code that the editor shows at the cursor, or that is selected."""
    view = memories.snapshot.view
    return "\n".join(view.row(ref).text for ref in find_under(view, position)) if position else ""


def _read_signals(text: str, request: BudgetedRequest, memories: MemorySnapshot, steps: Steps) -> Signals:
    def read() -> Signals:
        other_words = find_other_words(request, memories, steps.warnings)
        return read_signals(memories.content.read_query(text, other_words))

    signals = steps.run("signals", read, Signals.bare(text))
    if signals.query.warning:
        steps.warnings.append(signals.query.warning)
    if signals.query.reading:
        steps.notes.append(signals.query.reading)
    return signals


def search_text(query: str, tasks: TaskView | None) -> str:
    """Return the text to search for: the query, with the current goal below it when the query says too little."""
    if tasks is None or len(query.split()) > SHORT_QUESTION_WORDS or _NAMES_CODE.search(query):
        return query
    return f"{query}\n{tasks.current.goal}"


def _read_asked_changes(request: BudgetedRequest, memories: MemorySnapshot, steps: Steps) -> tuple[Hunk, ...]:
    """The changes that the request names. Raises ``InvalidRequestError`` where their base is not there."""
    scope = read_scope(memories.root, request.changes) if request.changes is not None else None
    none: tuple[Hunk, ...] = ()
    return steps.run("changes", lambda: _changes_in(scope, memories, steps), none)


def _changes_in(scope: ChangeScope | None, memories: MemorySnapshot, steps: Steps) -> tuple[Hunk, ...]:
    if scope is None or memories.changes is None:
        return ()
    asked = memories.changes(scope)
    steps.warnings.extend(asked.warnings)
    hides = memories.exclusion.exclusions.hides_symbol
    return tuple(hunk for hunk in asked.hunks if not (hunk.symbol and hides(hunk.path, hunk.symbol)))


def _read_failures(memories: MemorySnapshot, permissions: Permissions, steps: Steps) -> tuple[FailedRun, ...]:
    """The failures that nothing has put right, the newest first."""
    none: tuple[FailedRun, ...] = ()
    return steps.run("failures", lambda: _open_failures(memories, permissions), none)


def _open_failures(memories: MemorySnapshot, permissions: Permissions) -> tuple[FailedRun, ...]:
    return open_failures(_telling_events(memories, permissions), memories.now)


def _find_named(failures: Sequence[FailedRun], text: str, names: Sequence[str]) -> FailedRun | None:
    """The newest failure whose command ``text`` names or quotes: "why does mypy fail?", "fix `npm test`"."""
    words = words_beside(text, names)
    for each in failures:
        quoted = f"`{each.command}`"
        if quoted in text:
            others = [name for name in names if name not in quoted]
            if not words_beside(text.replace(quoted, " "), others):
                return each
        if words and each.names.issuperset(words):
            return each
    return None


def _means_runs(request: BudgetedRequest, signals: Signals) -> bool:
    """Whether a question about a failure means a run, and nothing that came with it or that the editor shows."""
    place = request.position
    points_at_code = place is not None and (place.selected or signals.about_here)
    came_with = request.changes or request.additional_context or request.filters.event_types
    return not (points_at_code or came_with) and asks_about_runs(request.query)


def _find_passed(memories: MemorySnapshot, permissions: Permissions) -> PassedRun | None:
    return find_passed_run(memories.exclusion.events(_telling_events(memories, permissions)))


def _telling_events(memories: MemorySnapshot, permissions: Permissions) -> list[Event]:
    events = memories.events.newest(EVENTS_LOOKED_AT, Filters(event_types=TELLING))
    return shown_events(filter(permissions.allow_event, events), memories.root, memories.accepts)


def _read_uncommitted(
    request: BudgetedRequest, memories: MemorySnapshot, permissions: Permissions
) -> Sequence[Hunk]:
    """The uncommitted changes that may be shown; none where the request names others."""
    if memories.working is None or request.changes is not None:
        return ()
    return list(filter(permissions.allow_change, memories.working()))
