"""Changes: those that the request names, and the uncommitted ones that the question is most likely about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from contextls.assembly.admission.exclusion import ExclusionFilter
from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import DiffHunk, NoChanges
from contextls.assembly.pieces.candidate import Candidate, Scores, recency
from contextls.assembly.question import Question
from contextls.assembly.source import Findings, LeftOut, Offer
from contextls.assembly.sources.hunk_candidates import MAX_HUNKS, asked_hunks, hunk_candidate
from contextls.assembly.sources.working_state import describe_state
from contextls.assembly.targets.work_question import Work
from contextls.assembly.usefulness.reasons import join_reasons, spell_keywords, words_of
from contextls.assembly.wording.signals import Intent, Signals
from contextls.memory.events.failures import FailedRun, latest_failure
from contextls.memory.vcs.change_scope import ChangeScope, describe_changes
from contextls.memory.vcs.hunks import Hunk
from contextls.model import WRITES, Changes, Event, Section
from contextls.regex import compile_late
from contextls.workspace.git_files import refusal
from contextls.workspace.git_head import obstacle
from contextls.workspace.git_tree import EntryKind, read_index

# What share of the question's words a change holds that is shown though nobody asked for changes.
MIN_MATCHED = 0.5
# A change that nobody was seen to make (before the server ran, say) counts as half a day old.
_UNSEEN_MS = 12 * 60 * 60 * 1000
_ABOUT_WORK = frozenset({Work.CHANGES, Work.REVIEW, Work.MESSAGE, Work.DESCRIPTION, Work.STANDING})
_ABOUT_CHANGES = compile_late(
    r"\b(my|our|these|uncommitted|(un)?staged|working|current|recent|latest) (\w+ )?(changes?|diff|edits?)\b"
    r"|\bmy (\w+ )?work\b|\b(commit message|what (did|have) i)\b",
    re.IGNORECASE,
)
# In a file that the question names, "the changes" are those of the user; elsewhere they may be what the program is about.
_ABOUT_SOME_CHANGES = compile_late(r"\b(changes?|changed|diff|edits?|edited)\b", re.IGNORECASE)


class AskedChangeSource:
    """The changes that the request names: nothing counts for more, and they are read in their order."""

    name = "changes"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:  # noqa: ARG002
        """A candidate for each change, or one that says that there are none."""
        how = describe_changes(question.request.changes or Changes.ALL)
        if question.lacks_changes:
            return Offer((_no_changes(how, question.request.filters.paths),))
        return Offer(tuple(asked_hunks(question.asked_changes, how, memories.exclusion)))


class WorkingChangeSource:
    """The uncommitted changes, where the request names none itself."""

    name = "working"

    def offer(self, question: Question, memories: MemorySnapshot, found: Findings) -> Offer:
        """A candidate for each change that the question is likely about; a warning where git cannot be read."""
        problem = refusal(memories.root)
        warnings: tuple[str, ...] = (problem,) if problem else ()
        if question.request.changes is not None or memories.working is None:
            return Offer(warnings=warnings)
        state = tuple(describe_state(question, memories))
        if any(isinstance(each.body, DiffHunk) for each in state):
            return _offer_some(state, warnings)  # what is staged, or on the branch, is what is meant
        hunks, events = memories.working(), found.of("events").events
        if not hunks and not warnings and question.work.kind in _ABOUT_WORK:
            warnings = _explain_silence(memories)
        if question.work.alone and question.work.kind in _ABOUT_WORK:
            hunks = (*hunks, *_find_edited_submodules(memories, hunks))
        candidates = find_likely_changes(
            hunks, events, question.signals, memories.now, memories.exclusion, _meaning(question)
        )
        return _offer_some((*state, *candidates), warnings)


def _explain_silence(memories: MemorySnapshot) -> tuple[str, ...]:
    """Why git could not be asked whether there are changes; nothing where it was."""
    found = obstacle(memories.root)
    return () if found is None or found.ordinary else (found.text,)


def _find_edited_submodules(memories: MemorySnapshot, known: Sequence[Hunk]) -> list[Hunk]:
    """The submodules with uncommitted changes: to look into them takes a moment that other questions do not have."""
    index = read_index(memories.root)
    entries = index.entries.items() if index else ()
    submodules = {path for path, entry in entries if entry.kind is EntryKind.SUBMODULE}
    submodules -= {hunk.path for hunk in known}
    if not submodules or memories.changes is None:
        return []
    return [hunk for hunk in memories.changes(ChangeScope(Changes.ALL)).hunks if hunk.path in submodules]


def _no_changes(how: str, within: tuple[str, ...]) -> Candidate:
    body, scores = NoChanges(how, within), Scores(1.0, 1.0, 1.0)
    return Candidate(Section.RECENT, "no-changes", body, scores, why="the changes that were asked for")


def _offer_some(candidates: Sequence[Candidate], warnings: tuple[str, ...]) -> Offer:
    """All that are no changes, and the first changes."""
    changes = [one for one in candidates if isinstance(one.body, DiffHunk)]
    over = {id(one) for one in changes[MAX_HUNKS:]}
    return Offer(
        tuple(one for one in candidates if id(one) not in over),
        tuple(LeftOut(one, "limit") for one in changes[MAX_HUNKS:]),
        warnings=warnings,
    )


class Meaning(Struct, frozen=True):
    """The changes that a question means: all of them, or those that led to ``failure``."""

    everything: bool = False
    failure: FailedRun | None = None


def _meaning(question: Question) -> Meaning:
    failure = question.failures[0] if question.failures else None
    if question.work.kind is not Work.FAILURE:
        # Where other things are asked as well, "the diff" and "my edits" may be those of the program.
        may_be_code = question.work.kind is Work.CHANGES and not question.work.alone
        return Meaning(question.work.kind in _ABOUT_WORK and not may_be_code, failure)
    # Without recorded edits, a failure has no changes that led to it, though files may have been edited.
    return Meaning(question.stops and not (failure and failure.changes), failure)


def find_likely_changes(
    hunks: Sequence[Hunk],
    events: Sequence[Event],
    signals: Signals,
    now: int,
    exclusion: ExclusionFilter = ExclusionFilter(),  # noqa: B008 - frozen
    meaning: Meaning = Meaning(),  # noqa: B008 - frozen
) -> list[Candidate]:
    """Candidates for the changes that the question is most likely about.

    A change matters when the question speaks of the user's changes, or of some in a file or symbol that it names, or when
    it is in a file that was changed before the last failure and the question is about a failure. Any other must take lines
    away and hold half of the question's words, or it would only take room.
    """
    asked = meaning.everything or bool(_ABOUT_CHANGES.search(signals.text))
    failure = meaning.failure or (latest_failure(events, now) if signals.intent is Intent.FIX else None)
    causes = {event.content.get("path") for event in failure.changes} if failure else set()
    written = _last_writes(events)
    words = [word for word in signals.keywords if len(word) > 2]
    named = signals.mentions if _ABOUT_SOME_CHANGES.search(signals.text) else ()
    candidates = []
    for hunk in hunks:
        text = f"{hunk.path} {hunk.symbol} {hunk.text}".lower()
        held = [word for word in words if word in text]
        matched = len(held) / len(words) if words else 0.0
        is_named = hunk.path.endswith(named) or hunk.symbol.endswith(named)
        meant = asked or is_named or hunk.path in causes
        # What only adds lines is shown as the code that it is.
        if not meant and (matched < MIN_MATCHED or not hunk.removed):
            continue
        if hunk.is_note and not meaning.everything:
            continue  # another mode, or bytes that nobody reads, explains nothing
        before = "before the latest failure" if hunk.path in causes else ""
        relevance = min(1.0, 0.9 + 0.5 * matched) if meant else 0.5 * matched
        age = recency(written.get(hunk.path, now - _UNSEEN_MS), now)
        salience = 0.9 if hunk.path in causes else 0.6 if asked else 0.3
        why = join_reasons(["uncommitted change", before, words_of(spell_keywords(held, signals.text))])
        candidates.append(hunk_candidate(hunk, Scores(relevance, age, salience), why, exclusion))
    return sorted(candidates, key=lambda one: (-one.scores.relevance, -one.scores.recency, one.id))


def _last_writes(events: Iterable[Event]) -> dict[object, int]:
    """When each file was written last, by its path."""
    written: dict[object, int] = {}
    for event in events:
        if event.type in WRITES:
            path = event.content.get("path")
            written[path] = max(event.timestamp, written.get(path, 0))
    return written
