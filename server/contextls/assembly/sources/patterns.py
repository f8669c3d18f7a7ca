"""Applicable patterns: habits that concern the files, the words, the failure or the task in question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import Habit
from contextls.assembly.pieces.candidate import Candidate, Scores, recency
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, Offer
from contextls.assembly.targets.work_question import Work
from contextls.assembly.wording.signals import Intent
from contextls.memory.events.schema import in_order
from contextls.memory.index.priors import FileKind, file_kind
from contextls.memory.patterns.match import Occasion, PatternMatch
from contextls.memory.patterns.wording import words_of
from contextls.memory.vcs.view import CommitView
from contextls.model import WRITES, Event, Pattern, PatternKind, Section
from contextls.regex import compile_cued, compile_late

FILES_LOOKED_AT = 8
EDITED_LOOKED_AT = 4
MAX_PATTERNS = 12
# Each further file of the answer is meant a little less; a file edited lately, less than one in question.
FADING = 0.07
EDITED = 0.6
_CHANGING = compile_late(
    r"\A\W*(please\s)?(fix|mend|repair|correct)\b"
    r"|\b(i|we|you|to)\s+(add|change|delete|deprecate|extract|fix|move|refactor|remove|rename|replace|support)\b"
    r"|\bwhat (\w+ ){0,3}changes?\b|\bbreaks?\b|\b(renam|refactor)ing\b",
    re.IGNORECASE,
)
_RUNNING = compile_cued(
    r"\b(how|what|which)\b(\s\w+){0,3}\s(re)?(run|build|compile|lint|format|deploy|release|launch)\b"
    r"|\bhow (do|can|should|to)( i| we| you)? (test|check|start|serve) (it|this|that|all|everything|(my|our|the) \w+\W*\Z)"
    r"|\b(which|what) commands?\b|\bcommands? (to|for)\b|\bcomes? next\b|\bwhat('s| is| now)? next\b"
    r"|\A\W*(please\s)?(run|build|compile|lint|deploy|release)\b",
    "run build compile lint format deploy release launch test check start serve command next",
    re.IGNORECASE,
)
_PAIRS = (PatternKind.TOGETHER, PatternKind.TEST)


class PatternSource:
    """Habits."""

    name = "patterns"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:
        """The patterns that concern the question, strongest first."""
        if memories.patterns is None:
            return Offer()
        history = CommitView.empty() if memories.history is None else memories.history
        occasion = find_occasion(question, found.of("content").candidates, found.of("events").events)
        matches = memories.patterns.matching(occasion, history, memories.now, MAX_PATTERNS)
        told = (match for match in _without_repeats(matches) if _names_code(match.pattern, memories))
        return Offer(tuple(_candidate(match, memories.now) for match in told))


def _without_repeats(matches: Sequence[PatternMatch]) -> Iterator[PatternMatch]:
    """One pattern of those that say nearly the same.

    Of two files that change together, one way round: that from a file to its test, or else the stronger. Of the files
    after which a command is run, the first.
    """
    told = {frozenset(each.pattern.files) for each in matches if each.pattern.kind is PatternKind.TEST}
    for match in matches:
        same = _subject_of(match.pattern)
        if same is None:
            yield match
        elif same not in told:
            told.add(same)
            yield match


def _names_code(pattern: Pattern, memories: MemorySnapshot) -> bool:
    """Whether the files of a pair are ones that people write: no build output that is committed, no lock file."""
    return pattern.kind not in _PAIRS or all(
        path in memories.snapshot.outlines and file_kind(path) is not FileKind.DATA for path in pattern.files
    )


def _subject_of(pattern: Pattern) -> frozenset[str] | None:
    """The two files or the command of a pattern that is shown once for them; ``None`` for any other."""
    if pattern.kind is PatternKind.TOGETHER:
        return frozenset(pattern.files)
    return frozenset(pattern.commands) if pattern.kind is PatternKind.COMMAND else None


def _candidate(match: PatternMatch, now: int) -> Candidate:
    pattern = match.pattern
    relevance = match.strength * pattern.confidence
    return Candidate(
        section=Section.PATTERN,
        id=pattern.id,
        body=Habit(pattern),
        scores=Scores(relevance, recency(pattern.last_seen, now), pattern.confidence),
        paths=pattern.files,
        why=f"{pattern.successes} of {pattern.applications} {pattern.unit}",
    )


def find_occasion(question: Question, content: Sequence[Candidate], events: Sequence[Event]) -> Occasion:
    """Read a question as patterns see it: files, words, failure, task.

    The files are the one that it points at, those changed as the request asks, those found, the active one, those edited
    lately.
    """
    signals, tasks = question.signals, question.tasks
    place = question.position
    files: dict[str, float] = {place.path: 1.0} if place and question.is_placed else {}
    changed = dict.fromkeys(hunk.path for hunk in question.changes)
    for rank, path in enumerate(list(changed)[:FILES_LOOKED_AT]):
        files.setdefault(path, 1.0 - FADING * rank)
    found = dict.fromkeys(path for one in content for path in one.paths)
    for rank, path in enumerate(list(found)[:FILES_LOOKED_AT]):
        files.setdefault(path, 1.0 - FADING * rank)
    newest = reversed(in_order(events))
    edited = dict.fromkeys(str(event.content["path"]) for event in newest if event.type in WRITES)
    for path in [*([place.path] if place else ()), *list(edited)[:EDITED_LOOKED_AT]]:
        files.setdefault(path, EDITED)
    work = question.work.kind
    return Occasion(
        files=tuple(files.items()),
        # Some of the words of a long report are in every error; it quotes those that it is about.
        words=frozenset()
        if signals.query.is_report
        else frozenset(signals.keywords) | words_of(signals.text),
        text=signals.text,
        changing=_is_about_change(question),
        running=work is Work.STANDING or bool(_RUNNING.search(question.request.query)),
        fixing=signals.intent is Intent.FIX,
        failing=question.target.failure is not None or work in (Work.FAILURE, Work.STANDING),
        tasks=tuple(frame.id for frame in tasks.path) if tasks else (),
    )


def _is_about_change(question: Question) -> bool:
    """Whether something is to be changed, or was; who only wants to understand does not ask what changes along."""
    return bool(
        question.changes
        or question.target.hunks
        or question.work.kind
        or question.signals.intent is Intent.ACTION
        or _CHANGING.search(question.request.query)
    )
