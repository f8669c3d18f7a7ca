"""Changes as candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextls.assembly.admission.exclusion import ExclusionFilter
from contextls.assembly.pieces.bodies import DiffHunk
from contextls.assembly.pieces.candidate import Candidate, Reason, Scores, span_id
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Section

MAX_HUNKS = 40
# A change that is asked for counts a little less than the one before it, and more than any event (0.95).
MIN_ASKED = 0.96
_STEP = 0.0001


def asked_hunks(hunks: Sequence[Hunk], how: str, exclusion: ExclusionFilter) -> Iterable[Candidate]:
    """Candidates for changes that are asked for: nothing counts for more, and they are read in their order."""
    return _in_order(((hunk, how) for hunk in hunks), exclusion)


def branch_hunks(
    hunks: Sequence[Hunk], uncommitted: Sequence[Hunk], exclusion: ExclusionFilter
) -> Iterable[Candidate]:
    """The same for all that a branch changes, where each change says whether it is committed."""
    return _in_order(((hunk, _describe_standing(hunk, uncommitted)) for hunk in hunks), exclusion)


def _describe_standing(hunk: Hunk, uncommitted: Sequence[Hunk]) -> str:
    """The state of a change of the branch, in words; the lines of both are those of the file as it is now."""
    touching = [
        each
        for each in uncommitted
        if each.path == hunk.path and each.start_line <= hunk.end_line and hunk.start_line <= each.end_line
    ]
    if not touching:
        return "on the branch"
    if any((each.text, each.note) == (hunk.text, hunk.note) for each in touching):
        return "uncommitted"
    return "on the branch, in part uncommitted"


def _in_order(changes: Iterable[tuple[Hunk, str]], exclusion: ExclusionFilter) -> Iterable[Candidate]:
    for number, (hunk, how) in enumerate(changes):
        why = f"change {how}" if " " in how else f"{how} change"
        scores = Scores(max(MIN_ASKED, 1.0 - _STEP * number), 1.0, 1.0)
        yield hunk_candidate(hunk, scores, why, exclusion, how)


def hunk_candidate(
    hunk: Hunk, scores: Scores, why: Reason, exclusion: ExclusionFilter, how: str = "uncommitted"
) -> Candidate:
    """The candidate of one change."""
    return Candidate(
        section=Section.RECENT,
        id=span_id(hunk.path, hunk.start_line, hunk.end_line),
        body=DiffHunk(hunk, how, hunk.text.strip("\n") or None),
        scores=scores,
        paths=(hunk.path,),
        symbols=exclusion.symbols_at(hunk.path, hunk.start_line, hunk.end_line),
        why=why,
        chance=scores.relevance,
    )
