"""One-line sentences about entities, edges, habits and events; ``quote`` marks the names in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from contextls.assembly.pieces.bodies import (
    Absence,
    CommitList,
    Copy,
    DiffHunk,
    EventRun,
    Habit,
    NoChanges,
    RelationBundle,
    WorkUnderWay,
)
from contextls.assembly.pieces.candidate import span_id
from contextls.memory.events import describe_event
from contextls.memory.events.passed_runs import PassedRun
from contextls.memory.knowledge.entities import Entity
from contextls.memory.knowledge.relations import Relation, RelationType
from contextls.model import Event, Outcome, Pattern, PatternUnit
from contextls.text.fence import one_line
from contextls.text.own_words import MAY_NOT_ANSWER, NO_FAILURE, NO_PLACE
from contextls.workspace.git_operation import GitOperation

LISTED_NAMES = 6
Quote = Callable[[str], str]


def describe_event_run(run: EventRun, quote: Quote, *, passed: bool = True) -> str:
    """One event: what happened and where, how it ended, how often; ``passed`` is whether to say that it ended well."""
    event = run.event
    lines = [str(line) for line in run.other_lines[:LISTED_NAMES]]
    more = f" and {len(run.other_lines) - LISTED_NAMES} more" if len(run.other_lines) > LISTED_NAMES else ""
    also = (
        f", also at {'line' if len(run.other_lines) == 1 else 'lines'} {', '.join(lines)}{more}"
        if lines
        else ""
    )
    is_told = event.outcome and (passed or event.outcome is not Outcome.SUCCESS)
    outcome = f" [{event.outcome}]" if is_told else ""
    again = f" (×{run.times})" if run.times > 1 else ""
    return f"{describe_event(event, quote)}{also}{outcome}{again}"


def describe_commit_list(commits: CommitList, quote: Quote) -> str:
    """Say which commits a list has."""
    if commits.path:
        place = quote(commits.path)
        return (
            f"Commits that changed {quote(commits.symbol)} in {place}"
            if commits.symbol
            else f"Newest commits of {place}"
        )
    if not commits.trunk:
        return "Recent commits"
    return f"Commits on {quote(commits.branch or 'HEAD')} since {quote(commits.trunk)}"


def describe_change(change: DiffHunk, quote: Quote) -> str:
    """Say where a change is, in which symbol, its state, what became of the file, and how many lines changed."""
    hunk = change.hunk
    if hunk.is_note:
        return f"{quote(hunk.path)} {change.how}, {hunk.note}"
    place = hunk.path if hunk.gone else span_id(hunk.path, hunk.start_line, hunk.end_line)
    name = f" {quote(hunk.symbol)}" if hunk.symbol else ""
    became = "deleted" if hunk.gone else hunk.came_from and f"renamed from {quote(hunk.came_from)}"
    told = ", ".join(filter(None, (change.how, became, hunk.note)))
    return f"{quote(place)}{name} {told} (+{hunk.added} −{hunk.removed})"


def describe_time(event: Event) -> str:
    """When it happened, to the second."""
    at = datetime.fromtimestamp(event.timestamp / 1000, UTC)
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def describe_passed_run(passed: PassedRun, quote: Quote) -> str:
    """Say which run passed and when, and when it, or the run that it answers for, had failed."""
    run, failed = passed.run, passed.failed
    command = run.content.get("command")
    told = f"No failure is open: {quote(str(command))} passed at {describe_time(run)}"
    if failed is None:
        return f"{told}."
    before = failed.content.get("command")
    name = "it" if before == command else quote(str(before))
    return f"{told}; {name} had failed at {describe_time(failed)}."


def describe_absence(absence: Absence | NoChanges | PassedRun | WorkUnderWay, quote: Quote) -> str:
    """The sentence that there are no such changes or failures, or that nothing speaks of some words, with what is nearest.

    Of work that git stopped in, what is left to do.
    """
    match absence:
        case WorkUnderWay():
            return describe_work_under_way(absence, quote)
        case PassedRun():
            return describe_passed_run(absence, quote)
        case NoChanges():
            return _describe_no_changes(absence, quote)
        case Absence():
            return _describe_nothing_found(absence, quote)


def _describe_no_changes(absence: NoChanges, quote: Quote) -> str:
    which = f"changes to show {absence.how}" if " " in absence.how else f"{absence.how} changes to show"
    patterns = [quote(pattern) for pattern in absence.within if not pattern.startswith("!")]
    within = _either(patterns[:LISTED_NAMES])
    return f"There are no {which}{f' in {within}' if within else ''}."


def _describe_nothing_found(absence: Absence, quote: Quote) -> str:
    if absence.unsure:
        return MAY_NOT_ANSWER
    if absence.placeless:
        return NO_PLACE
    if absence.failureless:
        return NO_FAILURE
    if not absence.words:
        return "Nothing is known here of what was done: no recorded event and no uncommitted change answers this."
    words = _either([quote(word) for word in absence.words[:LISTED_NAMES]])
    places = [
        f"{quote(span_id(one.path, one.start_line, one.end_line))}{f' {quote(one.symbol)}' if one.symbol else ''}"
        for one in absence.nearest
    ]
    if absence.only:
        return f"Only {_list(absence.only, 'and')} mention {words}: {', '.join(places)}."
    nearest = f" Nearest: {', '.join(places)}." if places else ""
    where = _either([quote(folder) for folder in absence.within[:LISTED_NAMES]]) or "this workspace"
    if absence.followed:
        similar = [f"{quote(one.name)} ({quote(f'{one.path}:{one.line}')})" for one in absence.similar]
        named = f" Similar names: {', '.join(similar)}." if similar else ""
        return f"There is no {words} in {where}.{named} What follows is nearest to the question."
    return f"Nothing in {where} mentions {words}.{nearest}"


def describe_work_under_way(work: WorkUnderWay, quote: Quote) -> str:
    """The operation, the message that git prepared for it, and the files that it waits for."""
    shown = [quote(path) for path in work.conflicts[:LISTED_NAMES]]
    more = len(work.conflicts) - len(shown)
    named = _list([*shown, *([f"{more} more"] if more else [])], "and")
    is_or_are = "is" if len(work.conflicts) == 1 else "are"
    left = f"{named} {is_or_are} in conflict and not staged." if shown else ""
    return " ".join(filter(None, [_describe_operation(work.operation, quote), left]))


def _describe_operation(operation: GitOperation | None, quote: Quote) -> str:
    if operation is None:
        return ""
    what = f"{operation.name} of {quote(operation.branch)}" if operation.branch else operation.name
    step = f", step {operation.step}" if operation.step else ""
    message = f"; git has prepared the message {quote(operation.message)}" if operation.message else ""
    judged = "".join(f"; {word}: {quote(f'{sha} {subject}')}" for sha, subject, word in operation.judged)
    return f"A {what} is under way{step}{message}{judged}."


def _either(names: Sequence[str]) -> str:
    return _list(names, "or")


def _list(names: Sequence[str], last: str) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def describe_copies(copies: Sequence[Copy], quote: Quote) -> str:
    """Name the other places of the same lines; empty where there are none."""
    if not copies:
        return ""
    named = [
        quote(span_id(copy.path, copy.start_line, copy.end_line)) + _describe_difference(copy.differing)
        for copy in copies[:LISTED_NAMES]
    ]
    more = len(copies) - len(named)
    return f"also in {', '.join(named)}{f' and {more} more' if more else ''}"


def _describe_difference(lines: int) -> str:
    return f" but for {lines} line{'' if lines == 1 else 's'}" if lines else ""


def describe_pointer(body: RelationBundle | Habit, quote: Quote) -> str:
    """The sentence of a relation or of a habit."""
    if isinstance(body, Habit):
        return describe_pattern(body.pattern)
    return describe_relations(body.subject, body.relations, body.names, quote)


def describe_entity(entity: Entity, quote: Quote, mark: str = "") -> str:
    """One entity: type, name, place, signature, first sentence of its documentation, and what is known about it."""
    facts = "; ".join(f"{name} {quote(value)}" for name, value in entity.properties)
    kind = f"{mark}{entity.type}{mark}"
    if entity.id == entity.path:
        return f"{kind}: {quote(entity.path)}" + (f" — {facts}" if facts else "")
    place = f" ({quote(f'{entity.path}:{entity.line}')})" if entity.path else ""
    signature = f" — {quote(entity.signature)}" if entity.signature else ""
    doc = f" — {one_line(entity.doc).split('. ')[0][:160]}" if entity.doc else ""
    known = f" — {facts}" if facts else ""
    return f"{kind}: {quote(entity.name)}{place}{signature}{doc}{known}"


# How a bundle reads from its subject: as the source of its edges, and as their target.
_PHRASES: Mapping[str, tuple[str, str]] = {
    RelationType.IMPORTS: ("imports", "is imported by"),
    RelationType.DEFINES: ("defines", "is defined in"),
    RelationType.CALLS: ("calls", "is called by"),
    RelationType.REFERENCES: ("uses", "is used in"),
    RelationType.TESTS: ("tests", "is tested by"),
    RelationType.CO_CHANGES: ("changes together with", "changes together with"),
    RelationType.AUTHORED: ("wrote much of", "was written mostly by"),
    RelationType.RAISED_IN: ("was raised in", "raised"),
    RelationType.FIXED_BY: ("passed after a change to", "was changed to fix"),
    RelationType.SUBTASK: ("is done by", "is part of"),
}
_COUNTED: Mapping[str, str] = {
    RelationType.CO_CHANGES: "commits",
    RelationType.AUTHORED: "commits",
    RelationType.FIXED_BY: "times",
}


def describe_relations(
    subject: str, relations: Sequence[Relation], names: Mapping[str, str], quote: Quote
) -> str:
    """Edges of one type that share an end, as a sentence."""
    first = relations[0]
    phrase = _PHRASES[first.type][subject != first.source]
    others = {relation.other(subject): relation for relation in relations}
    shown = [
        _count_names(end, relation, names, quote) for end, relation in list(others.items())[:LISTED_NAMES]
    ]
    more = f" and {len(others) - LISTED_NAMES} more" if len(others) > LISTED_NAMES else ""
    return f"{quote(names.get(subject, subject))} {phrase} {', '.join(shown)}{more}"


def _count_names(end: str, relation: Relation, names: Mapping[str, str], quote: Quote) -> str:
    name = quote(names.get(end, end))
    unit = _COUNTED.get(relation.type)
    return (
        f"{name} ({relation.support} of {relation.applications} {unit})"
        if unit and relation.applications
        else name
    )


def describe_pattern(pattern: Pattern) -> str:
    """One habit with its numbers."""
    what = "commits" if pattern.unit is PatternUnit.COMMITS else "times"
    passed = "" if pattern.passed is None else f"; {pattern.passed} passed"
    numbers = f"{pattern.successes} of {pattern.applications} {what}{passed}"
    return f"{one_line(pattern.description)} ({numbers})"
