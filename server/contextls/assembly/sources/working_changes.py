"""Changes: those that the request names, and the uncommitted ones that the question is most likely about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contextls.assembly.bodies import DiffHunk
from contextls.assembly.candidate import Candidate, Reason, Scores, recency, span_id
from contextls.assembly.exclusion import ExclusionFilter
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.question import Question
from contextls.assembly.reasons import join_reasons, spell_keywords, words_of
from contextls.assembly.signals import Intent, Signals
from contextls.assembly.source import Findings, Offer
from contextls.memory.events.failures import latest_failure
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Changes, Event, EventType, Section
from contextls.workspace.git_files import refusal

MAX_HUNKS = 40
# A change that is asked for counts a little less than the one before it, and more than any event (0.95).
MIN_ASKED = 0.96
_STEP = 0.0001
# What share of the question's words a change holds that is shown though nobody asked for changes.
MIN_MATCHED = 0.5
# A change that nobody was seen to make (before the server ran, say) counts as half a day old.
_UNSEEN_MS = 12 * 60 * 60 * 1000
_ABOUT_CHANGES = re.compile(
    r"\b(my|the|these|this|uncommitted|working|current|recent) (\w+ )?(changes?|diff|edits?|work)\b"
    r"|\b(review|commit message|what (did|have) i)\b",
    re.IGNORECASE,
)


class AskedChangeSource:
    """The changes that the request names: nothing counts for more, and they are read in their order."""

    name = "changes"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """A candidate for each change."""
        scope = question.request.changes
        how = "uncommitted" if scope is Changes.ALL else str(scope)
        return Offer(
            tuple(
                hunk_candidate(
                    hunk,
                    Scores(max(MIN_ASKED, 1.0 - _STEP * number), 1.0, 1.0),
                    f"{how} change",
                    memories.exclusion,
                    how,
                )
                for number, hunk in enumerate(question.asked_changes)
            )
        )


class WorkingChangeSource:
    """The uncommitted changes, where the request names none itself."""

    name = "working"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:
        """A candidate for each change that the question is likely about; a warning where git cannot be read."""
        problem = refusal(memories.root)
        warnings = (problem,) if problem else ()
        if question.request.changes is not None or memories.working is None:
            return Offer(warnings=warnings)
        events = found.of("events").events
        hunks = memories.working()
        candidates = likely_changes(hunks, events, question.signals, memories.now, memories.exclusion)
        return Offer(tuple(candidates), warnings=warnings)


def hunk_candidate(
    hunk: Hunk, scores: Scores, why: Reason, exclusion: ExclusionFilter, how: str = "uncommitted"
) -> Candidate:
    """The candidate of one change."""
    return Candidate(
        section=Section.RECENT,
        id=span_id(hunk.path, hunk.start_line, hunk.end_line),
        body=DiffHunk(hunk, how, hunk.text.strip("\n")),
        scores=scores,
        paths=(hunk.path,),
        symbols=exclusion.symbols_at(hunk.path, hunk.start_line, hunk.end_line),
        why=why,
    )


def likely_changes(
    hunks: Sequence[Hunk],
    events: Sequence[Event],
    signals: Signals,
    now: int,
    exclusion: ExclusionFilter = ExclusionFilter(),  # noqa: B008 - frozen
) -> list[Candidate]:
    """Candidates for the changes that the question is most likely about.

    A change matters when the question speaks of changes, or when it is in a file that was changed before the last failure
    and the question is about a failure. Any other must hold half of the question's words, or it would only take room.
    """
    asked = bool(_ABOUT_CHANGES.search(signals.text))
    failure = latest_failure(events, now) if signals.intent is Intent.FIX else None
    causes = {event.content.get("path") for event in failure.changes} if failure else set()
    written: dict[object, int] = {}
    for event in events:
        if event.type in (EventType.FILE_EDIT, EventType.FILE_WRITE):
            path = event.content.get("path")
            written[path] = max(event.timestamp, written.get(path, 0))
    words = [word for word in signals.keywords if len(word) > 2]
    candidates = []
    for hunk in hunks:
        text = f"{hunk.path} {hunk.symbol} {hunk.text}".lower()
        held = [word for word in words if word in text]
        matched = len(held) / len(words) if words else 0.0
        meant = asked or hunk.path in causes
        if not meant and matched < MIN_MATCHED:
            continue
        before = "before the latest failure" if hunk.path in causes else ""
        relevance = min(1.0, 0.9 + 0.5 * matched) if meant else 0.5 * matched
        age = recency(written.get(hunk.path, now - _UNSEEN_MS), now)
        salience = 0.9 if hunk.path in causes else 0.6 if asked else 0.3
        why = join_reasons(["uncommitted change", before, words_of(spell_keywords(held, signals.text))])
        candidates.append(hunk_candidate(hunk, Scores(relevance, age, salience), why, exclusion))
    best = sorted(candidates, key=lambda one: (-one.scores.relevance, -one.scores.recency, one.id))
    return best[:MAX_HUNKS]
