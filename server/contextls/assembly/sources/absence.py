"""Sentences for a prompt without an answer: nothing mentions the words, no piece is likely to help, or no place is known."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.assembly.pieces.bodies import Absence, CodeSpan, NamedLine
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.usefulness.reasons import MAX_WORDS
from contextls.memory.events.passed_runs import PassedRun
from contextls.model import Section
from contextls.text.fence import inline

NO_PLACE_ID = "no-place"
NO_FAILURE_ID = "no-failure"
# Notes that a question lacks what only the user, a conversation or another workspace knows.
LACKING = frozenset((NO_PLACE_ID, NO_FAILURE_ID))
# The chance that this is what the question wanted to know.
PASSED = 0.95


def absence_candidate(
    missing: tuple[str, ...] = (),
    nearest: Sequence[Candidate] = (),
    within: tuple[str, ...] = (),
    *,
    followed: bool = False,
    only: tuple[str, ...] = (),
    similar: tuple[NamedLine, ...] = (),
) -> Candidate:
    """That nothing speaks of the words that are ``missing``, and where the ``nearest`` stand; see ``Absence``."""
    spans = spans_of(nearest)
    return Candidate(
        section=Section.SEMANTIC,
        id="nothing",
        body=Absence(missing, spans, within, followed, only, similar),
        scores=Scores(1.0, salience=1.0),
        paths=tuple(dict.fromkeys([*(one.path for one in spans), *(one.path for one in similar)])),
        why=_say_why(missing, only),
    )


def _say_why(missing: tuple[str, ...], only: tuple[str, ...]) -> str:
    """The reason, with the words that are known nowhere, or only beside the code: others of the question may be."""
    if not missing:
        return "nothing is known of the work at hand"
    where = f"known in {' and '.join(only)} alone" if only else "not known here"
    return f"{where}: {', '.join(map(inline, missing[:MAX_WORDS]))}"


def passed_candidate(passed: PassedRun) -> Candidate:
    """That nothing fails any more, which is all of the answer."""
    scores = Scores(1.0, 1.0, 1.0)
    why = "the run that passed"
    return Candidate(Section.RECENT, passed.run.id, passed, scores, why=why, chance=PASSED)


def unsure_candidate() -> Candidate:
    """That what is shown may not answer the question."""
    return Candidate(
        section=Section.SEMANTIC,
        id="unsure",
        body=Absence((), (), followed=True, unsure=True),
        scores=Scores(1.0, salience=1.0),
        why="no piece is likely to answer",
    )


def placeless_candidate() -> Candidate:
    """That the question points at code in an editor, and nothing says which."""
    return Candidate(
        section=Section.SEMANTIC,
        id=NO_PLACE_ID,
        body=Absence((), (), placeless=True),
        scores=Scores(1.0, salience=1.0),
        why="no cursor or selection came with the question",
    )


def failureless_candidate() -> Candidate:
    """That the question means a run that failed, and none is known."""
    return Candidate(
        section=Section.SEMANTIC,
        id=NO_FAILURE_ID,
        body=Absence((), (), followed=True, failureless=True),
        scores=Scores(1.0, salience=1.0),
        why="no run that fails is known",
    )


def spans_of(candidates: Sequence[Candidate]) -> tuple[CodeSpan, ...]:
    """The code of ``candidates``."""
    return tuple(one.body for one in candidates if isinstance(one.body, CodeSpan))
