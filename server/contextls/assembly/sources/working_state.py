"""The state of the work, for questions that mean it: commits, the changes of the branch, the code where it failed."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.bodies import CommitList, WorkUnderWay
from contextls.assembly.pieces.candidate import Candidate, Scores
from contextls.assembly.question import Question
from contextls.assembly.sources.chunk_candidate import content_candidate
from contextls.assembly.sources.hunk_candidates import asked_hunks, branch_hunks
from contextls.assembly.targets.implicit_target import find_near_target
from contextls.assembly.targets.work_question import Work
from contextls.memory.vcs.branch_work import BranchWork
from contextls.memory.vcs.change_scope import ChangeScope
from contextls.model import Changes, Section
from contextls.workspace.git_operation import find_operation
from contextls.workspace.git_tree import read_index

# The number of commit subjects shown as examples of how messages are written here.
MAX_SUBJECTS = 10
# With a failure, only the code that it points at, and what that refers to, is shown.
MIN_WORTH = 0.5
MAX_PIECES = 10
# What is referred to directly is worth this; where it takes more than a share of the budget, it is all.
DIRECT, DIRECT_SHARE = 0.53, 0.33
CHARS_PER_TOKEN = 4
# Commits follow the changes that a message is about; where one was, they tell what is done already.
_OWN_COMMITS, _STYLE = 0.85, 0.6
_ABOUT_ALL_WORK = (Work.MESSAGE, Work.DESCRIPTION, Work.CHANGES, Work.STANDING)


def describe_state(question: Question, memories: MemorySnapshot) -> Iterable[Candidate]:
    """The candidates for a question about the work alone, in addition to events and uncommitted changes."""
    kind = question.work.kind
    if not question.work.alone:
        return
    if question.stops and kind is Work.FAILURE:
        yield from _code_behind(question, memories)
    if kind in _ABOUT_ALL_WORK:
        yield from _under_way(memories)
    told: frozenset[str] = frozenset()
    if kind in (Work.DESCRIPTION, Work.STANDING) and memories.branch and (branch := memories.branch()):
        told = frozenset(each.sha for each in branch.commits)
        yield from _commits_of(branch, memories)
        if kind is Work.DESCRIPTION:
            uncommitted = memories.working() if memories.working else ()
            yield from branch_hunks(branch.changes().hunks, uncommitted, memories.exclusion)
    if kind is Work.MESSAGE and memories.changes:
        # What is staged is what will be committed.
        yield from asked_hunks(
            memories.changes(ChangeScope(Changes.STAGED)).hunks, "staged", memories.exclusion
        )
    if kind in (Work.MESSAGE, Work.DESCRIPTION):
        yield from _newest_commits(memories, told, _STYLE, "how messages are written here")
    if kind is Work.COMMITS:
        newest = _newest_commits(memories, told, _OWN_COMMITS, "the newest commits")
        yield from (replace(one, chance=_OWN_COMMITS) for one in newest)


def _under_way(memories: MemorySnapshot) -> Iterable[Candidate]:
    """A merge, rebase or the like that git stopped in: the message that is wanted is the one for that."""
    operation = find_operation(memories.root)
    if operation is not None:
        names = memories.exclusion.is_named_in
        judged = tuple(each for each in operation.judged if not names(each[1]))
        message = "" if names(operation.message) else operation.message
        operation = replace(operation, message=message, judged=judged)
    index = read_index(memories.root)
    conflicts = tuple(
        path
        for path in sorted(index.conflicts if index else ())
        if memories.accepts(path) and not memories.exclusion.hides(path)
    )
    if operation is None and not conflicts:
        return
    body = WorkUnderWay(operation, conflicts)
    why = f"a {operation.name} is under way" if operation else "files are in conflict"
    yield Candidate(Section.RECENT, "under-way", body, Scores(1.0, 1.0, 1.0), why=why, chance=1.0)


def _code_behind(question: Question, memories: MemorySnapshot) -> Iterable[Candidate]:
    """The code that mending a failure needs, and no more."""
    snapshot = memories.snapshot
    near = find_near_target(question.target, snapshot, memories.graph, question.signals, question.position)
    best = sorted(near, key=lambda ref: (-near[ref].worth, ref.segment, ref.position))
    pieces, shown = [], 0
    for ref in best[:MAX_PIECES]:
        if near[ref].worth < MIN_WORTH:
            break
        row = snapshot.view.row(ref)
        if near[ref].worth < DIRECT and shown > DIRECT_SHARE * question.request.max_tokens:
            break  # what lies deeper would take the room of what is referred to
        shown += len(row.text) // CHARS_PER_TOKEN
        outline = snapshot.outlines.get(row.path)
        pieces.append(content_candidate(row, near[ref].worth, near[ref].why, outline, near[ref].worth))
    return memories.exclusion.trim(pieces)


def _commits_of(branch: BranchWork, memories: MemorySnapshot) -> Iterable[Candidate]:
    shown = _speakable(((each.sha, each.subject) for each in branch.commits), memories)
    if shown:
        body = CommitList(shown, branch.name, branch.trunk)
        scores = Scores(_OWN_COMMITS, salience=_OWN_COMMITS)
        why = "the commits of this branch"
        yield Candidate(Section.RECENT, "commits:branch", body, scores, why=why, chance=_OWN_COMMITS)


def _newest_commits(
    memories: MemorySnapshot, told: Collection[str], worth: float, why: str
) -> Iterable[Candidate]:
    """The newest commits without those that are ``told`` already."""
    scope = memories.exclusion.scope
    within = scope.includes if scope else None
    recent = memories.newest_commits(MAX_SUBJECTS + len(told), within) if memories.newest_commits else ()
    shown = _speakable(((each.sha, each.subject) for each in recent if each.sha not in told), memories)
    if shown:
        yield Candidate(Section.RECENT, "commits:recent", CommitList(shown), Scores(worth), why=why)


def _speakable(commits: Iterable[tuple[str, str]], memories: MemorySnapshot) -> tuple[tuple[str, str], ...]:
    """The commits whose subjects name nothing that is excluded."""
    return tuple((sha, subject) for sha, subject in commits if not memories.exclusion.is_named_in(subject))
