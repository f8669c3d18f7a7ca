"""Limits what sources see to the scope of a question, and says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec.structs import replace

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.question import Question
from contextls.assembly.sources.chunk_relevance import FLOOR
from contextls.assembly.sources.content import MODEL
from contextls.assembly.wording.editor_words import points_here
from contextls.memory.index.query.traces import find_in_workspace, places_in
from contextls.memory.scope.scope import Scope
from contextls.memory.vcs.asked_changes import AskedChanges
from contextls.memory.vcs.branch_work import BranchWork
from contextls.memory.vcs.hunks import Hunk
from contextls.model import AssembleRequest, Section

# The number of files outside the scope that are named where nothing inside it answers.
MAX_NAMED = 3
# Files are only named that are at least half as likely to be of use as the best of them.
CLOSE = 0.5


def read_request_scope(request: AssembleRequest, memories: MemorySnapshot) -> Scope:
    """The scope that ``request`` names or that is saved, with the files that it points at.

    Raises ``InvalidRequestError`` naming an entry that is nothing here.
    """
    scope = memories.find_scope(request.scope)
    if not scope:
        return scope
    position = request.position
    if position is not None and (position.selected or points_here(request.query)):
        scope = scope.pointing_at([position.path])
    return scope.pointing_at(_named_outside(request.query, scope, memories.snapshot.outlines))


def include_failure(scope: Scope, question: Question, memories: MemorySnapshot) -> Scope:
    """``scope`` with the files in which the failure happened that the question means."""
    failure = question.target.failure
    if not scope or failure is None:
        return scope
    known = memories.snapshot.outlines.keys()
    traced = (found.path for found in find_in_workspace(places_in(failure.text), known))
    return scope.pointing_at([*(path for path, _ in failure.places if path in known), *traced])


def apply_scope(memories: MemorySnapshot, scope: Scope) -> MemorySnapshot:
    """``memories`` with only what lies in ``scope`` to be searched and shown. Pins are no part of what is searched."""
    if not scope:
        return memories
    working, changes, branch = memories.working, memories.changes, memories.branch
    return replace(
        memories,
        snapshot=scope.searchable(memories.snapshot),
        exclusion=replace(memories.exclusion, scope=scope),
        working=(lambda: _hunks_in(working(), scope)) if working else None,
        changes=(lambda asked: _changes_in(changes(asked), scope)) if changes else None,
        branch=(lambda: _branch_in(branch(), scope)) if branch else None,
    )


def describe_scope(scope: Scope, memories: MemorySnapshot) -> str:
    """One line for the report: what is searched, and how much of the whole that is."""
    paths = memories.snapshot.outlines.keys()
    inside = sum(map(scope.holds, paths))
    return f"scope: only {scope.describe()} ({inside:,} of {len(paths):,} files)"


def describe_hidden(
    question: Question, scope: Scope, memories: MemorySnapshot, found: Iterable[Candidate]
) -> str | None:
    """Name the files outside the scope that would answer. ``memories`` are not limited to it.

    That is where a name of the question is defined outside alone and, where nothing inside is likely to be an answer, what
    is outside.
    """
    if not scope or question.stops or question.overview:
        return None
    hidden = _defined_outside(question, scope, memories)
    if not (hidden or any(one.section is Section.SEMANTIC and one.chance >= FLOOR for one in found)):
        hidden = _likely_outside(question, scope, memories)
    hidden = [path for path in dict.fromkeys(hidden) if not memories.exclusion.hides(path)]
    if not hidden:
        return None
    more = f" and {len(hidden) - MAX_NAMED} more" if len(hidden) > MAX_NAMED else ""
    return f"the scope hides what matches: {', '.join(hidden[:MAX_NAMED])}{more}"


def _defined_outside(question: Question, scope: Scope, memories: MemorySnapshot) -> list[str]:
    found: list[str] = []
    for name in question.signals.mentions:
        own = re.split(r"\W+", name)[-1]
        paths = [
            each.path for each in memories.snapshot.symbols.find_named(own) if each.definition.name == own
        ]
        if not any(map(scope.includes, paths)):
            found += paths
    return found


def _likely_outside(question: Question, scope: Scope, memories: MemorySnapshot) -> list[str]:
    ranking = memories.content.ranking(memories.snapshot, question.signals.query)
    useful = MODEL.judge(ranking, memories.snapshot, memories.graph, FLOOR)
    path = memories.snapshot.view.path
    outside = {
        ref: chance
        for ref, chance in useful.chances.items()
        if chance >= FLOOR and not scope.includes(path(ref))
    }
    best = max(outside.values(), default=0.0)
    return [path(ref) for ref, chance in outside.items() if chance > CLOSE * best]


def _named_outside(query: str, scope: Scope, known: Collection[str]) -> list[str]:
    """The files outside that the words name, where they name none inside."""
    found: list[str] = []
    for place in places_in(query):
        meant = [each.path for each in find_in_workspace([place], known)]
        if not any(map(scope.holds, meant)):
            found += meant
    return found


def _hunks_in(hunks: Sequence[Hunk], scope: Scope) -> tuple[Hunk, ...]:
    return tuple(hunk for hunk in hunks if scope.includes(hunk.path) or scope.includes(hunk.came_from))


def _changes_in(asked: AskedChanges, scope: Scope) -> AskedChanges:
    hunks = _hunks_in(asked.hunks, scope)
    outside = len({hunk.path for hunk in asked.hunks} - {hunk.path for hunk in hunks})
    if not outside:
        return asked
    files = "file" if outside == 1 else "files"
    return AskedChanges(hunks, (*asked.warnings, f"the scope leaves out changes of {outside:,} {files}"))


def _branch_in(branch: BranchWork | None, scope: Scope) -> BranchWork | None:
    if branch is None:
        return None
    read: Callable[[], AskedChanges] = branch.changes
    commits = tuple(each for each in branch.commits if any(map(scope.includes, each.paths)))
    return replace(branch, commits=commits, changes=lambda: _changes_in(read(), scope))
