"""Changes as candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contextls.assembly.bodies import DiffHunk
from contextls.assembly.candidate import Candidate, Reason, Scores, span_id
from contextls.assembly.exclusion import ExclusionFilter
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Section

MAX_HUNKS = 40
# A change that is asked for counts a little less than the one before it, and more than any event (0.95).
MIN_ASKED = 0.96
_STEP = 0.0001


def asked_hunks(hunks: Sequence[Hunk], how: str, exclusion: ExclusionFilter) -> Iterable[Candidate]:
    """Candidates for changes that are asked for: nothing counts for more, and they are read in their order."""
    why = f"change {how}" if " " in how else f"{how} change"
    for number, hunk in enumerate(hunks):
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
