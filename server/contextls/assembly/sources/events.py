"""Recent activity: this session's events and the highlights of earlier sessions, collapsed into what they amount to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import EventRun
from contextls.assembly.pieces.candidate import Candidate, Reason, Scores, recency
from contextls.assembly.question import Question
from contextls.assembly.request import server_entries_of
from contextls.assembly.source import Findings, LeftOut, Offer
from contextls.assembly.sources.event_relevance import EventRelevance
from contextls.assembly.sources.repeated_events import RepeatedEvent, group_repeats, without_superseded
from contextls.assembly.sources.tasks import without_released
from contextls.assembly.usefulness.reasons import of_event
from contextls.assembly.wording.signals import Intent, Signals
from contextls.memory.events import EventLog
from contextls.memory.events.failures import FailedRun, open_failures, settled_events
from contextls.memory.events.leaks import shown_events
from contextls.memory.index.query.traces import without_installed_frames
from contextls.model import LOOKS, Event, EventType, Filters, Outcome, Section, ServerEntry
from contextls.text.json_lines import lines_said
from contextls.text.tool_advice import is_advice

MAX_SESSION_EVENTS = 60
# The number of entries where the question asks how the work stands.
MAX_RUNS = 16
MAX_OTHER_EVENTS = 100
# Reads and problems of other sessions say little; what was changed, run and broken there may say much.
_PASSING = LOOKS | {EventType.DIAGNOSTIC}
# The number of last lines shown of a command's output or an error's stack trace.
MAX_OUTPUT_LINES = 20
# The number of last lines searched for those: most frames of a trace may be of installed packages.
MAX_READ_LINES = 400
# The chance that an event is of use that a question about the work asks for.
MEANT = 0.95


class EventSource:
    """Recent events."""

    name = "events"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:
        """A candidate for each thing that happened and matters here, without those of completed tasks."""
        request, log = question.request, memories.events
        session = request.session_id or log.current_session()
        recent = recent_events(log, request.filters, session, memories.root, memories.accepts)
        # Between a failure and now there may be more events than are read here.
        failed = {event.id: event for failure in question.failures for event in failure.events}
        together = [*recent, *(failed[each] for each in failed.keys() - {event.id for event in recent})]
        tasks = None if request.filters.task_id else question.tasks  # a task that is named is not let go
        events = memories.exclusion.events(without_released(together, tasks))
        content = found.of("content").candidates
        relevance = EventRelevance.of(question, content, memories.snapshot.outlines, memories.now)
        settled = settled_events(events)
        edited = {event.content.get("path") for event in events if event.type == EventType.FILE_EDIT}
        meant = [
            event
            for event in events
            if event.id not in settled
            and relevance.lets_in(event)
            # Its edits say more, and say whether they matter.
            and not (event.type == EventType.FILE_WRITE and event.content.get("path") in edited)
        ]
        candidates = event_candidates(
            meant, question.signals, memories.now, session or "", question.failures, relevance.failure
        )
        candidates = list(_keep_at_hand(candidates, server_entries_of(request)))
        if question.work.alone:
            asked = {event.id for event in meant if relevance.asks_for(event)}
            candidates = [replace(one, chance=MEANT) if one.id in asked else one for one in candidates]
        if question.stops:
            candidates = sorted(candidates, key=lambda one: (-one.scores.relevance, -one.scores.recency))
        most = MAX_RUNS if question.stops else len(candidates)
        over = tuple(LeftOut(one, "limit") for one in candidates[most:])
        return Offer(tuple(candidates[:most]), over, events=tuple(events))


def _keep_at_hand(candidates: Iterable[Candidate], entries: Sequence[ServerEntry]) -> Iterator[Candidate]:
    """``candidates`` with outputs that the server keeps at hand weighed as it says, where nothing weighs them more."""
    kept = {each.id: each for each in entries}
    for one in candidates:
        entry = kept.get(one.id)
        if entry is not None and one.scores.relevance < entry.priority:
            scores = replace(one.scores, relevance=entry.priority)
            yield replace(one, scores=scores, why=entry.why)
        else:
            yield one


def recent_events(
    log: EventLog, filters: Filters, session: str | None, root: Path, accepts: Callable[[str], bool]
) -> list[Event]:
    """The newest events of ``session``, then other sessions' failures, changes, commands and commits.

    What files hold that are ignored by now is left out.
    """
    # What is excluded by its id is left out later, where it is reported.
    filters = replace(filters, exclude=())
    own = log.newest(MAX_SESSION_EVENTS, filters, session) if session else ()
    others = [
        event
        for event in log.newest(MAX_OTHER_EVENTS, filters)
        if event.outcome is Outcome.FAILURE or event.type not in _PASSING
    ]
    together = {event.id: event for event in [*own, *others]}
    return shown_events(together.values(), root, accepts)


def event_candidates(
    events: Sequence[Event],
    signals: Signals,
    now: int,
    session_id: str | None = None,
    failures: Sequence[FailedRun] | None = None,
    meant: Collection[str] = (),
) -> list[Candidate]:
    """Candidates for ``events``; the same thing done again and again counts once, at its newest.

    ``session_id`` is the session of the question, which is told from others in the reasons.

    ``failures`` are those that are open where they are known; ``meant`` are ids of events that the question is about.

    A question about something broken lifts what failed last, and the changes since the last time that the same command
    passed.
    """
    if failures is None:
        failures = open_failures(events, now) if signals.intent is Intent.FIX else ()
    failure = failures[0] if failures and (signals.intent is Intent.FIX or meant) else None
    others = {event.id for other in failures[1:] for event in other.events} & set(meant)
    broken = {event.id for event in failure.events} if failure else set()
    causes = {event.id for event in failure.changes} if failure else set()
    candidates = []
    for run in without_superseded(group_repeats(events)):
        event, ids = run.newest, {each.id for each in run.events}
        matched = _matching_words(event, signals)
        relevance, salience = _relevance(event, signals, matched), 0.8 if _is_failure(event) else 0.5
        own, cause = session_id in (None, event.session_id), bool(ids & causes)
        why: Reason = partial(of_event, event, matched, signals.text, own=own, before_failure=cause)
        if ids & broken:
            relevance, salience, why = 0.95, 1.0, "the latest failure"
        elif ids & others:
            relevance, salience, why = max(relevance, 0.92), 0.95, "a failure that is open"
        elif cause:
            relevance, salience = max(relevance, 0.9), 0.9
        candidates.append(_candidate(run, Scores(relevance, recency(event.timestamp, now), salience), why))
    return candidates


def _candidate(run: RepeatedEvent, scores: Scores, why: Reason) -> Candidate:
    path, summary = run.newest.content.get("path"), run.summary
    return Candidate(
        section=Section.RECENT,
        id=run.newest.id,
        body=EventRun(summary, run.times, _output_tail(summary), tuple(run.lines[1:])),
        scores=scores,
        paths=(path,) if isinstance(path, str) else (),
        why=why,
    )


def _output_tail(event: Event) -> str | None:
    """The end of what a command printed, or of an error's trace; ``None`` where there is none."""
    content, text = event.content, ""
    if event.type == EventType.SHELL_EXEC:
        text = str(content.get("stdout") or "") + str(content.get("stderr") or "")
    elif event.type == EventType.ERROR:
        text = str(content.get("stack") or "")
    said = (each for line in text.splitlines() for each in lines_said(line))
    printed = [each for each in said if each.strip() and not is_advice(each)]
    lines = list(without_installed_frames(printed[-MAX_READ_LINES:]))[-MAX_OUTPUT_LINES:]
    return "\n".join(lines) if lines else None


def _matching_words(event: Event, signals: Signals) -> list[str]:
    """The words of the question that the event contains."""
    text = " ".join(str(value) for value in event.content.values()).lower()
    return [word for word in signals.keywords if len(word) > 2 and word in text]


def _is_failure(event: Event) -> bool:
    """Whether what happened ended badly."""
    return event.outcome is Outcome.FAILURE


def _relevance(event: Event, signals: Signals, matched: Sequence[str]) -> float:
    """Half for the right kind of event, half for the share of the question's words that it contains."""
    kinds = set(signals.event_types)
    if EventType.FILE_WRITE in kinds:
        kinds |= {EventType.FILE_EDIT, EventType.FILE_RENAME}
    if signals.intent is Intent.FIX:
        kinds.add(EventType.DIAGNOSTIC)
    words = sum(len(word) > 2 for word in signals.keywords)
    return 0.5 * (event.type in kinds) + (0.5 * len(matched) / words if words else 0.0)
