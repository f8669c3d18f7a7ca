"""The memories at one moment, which sources read, and the version that tells whether a later moment is the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.assembly.admission.exclusion import ExclusionFilter
from contextls.memory.events import EventLog
from contextls.memory.feedback import Feedback
from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.knowledge.base import Knowledge
from contextls.memory.knowledge.relations import RelationGraph
from contextls.memory.memories import Memories
from contextls.memory.patterns.memory import PatternMemory
from contextls.memory.scope.scope import EVERYTHING, Scope
from contextls.memory.tasks.stack import TaskStack
from contextls.memory.vcs.asked_changes import AskedChanges
from contextls.memory.vcs.branch_work import BranchWork
from contextls.memory.vcs.change_scope import ChangeScope
from contextls.memory.vcs.hunks import Hunk
from contextls.memory.vcs.line_history import LineChange
from contextls.memory.vcs.view import CommitView
from contextls.memory.working_set.memory import WorkingSet
from contextls.model import IndexExtent, ManifestBudget
from contextls.models.summarizers.summaries import Summaries
from contextls.workspace.git_log import Commit


class MemorySnapshot(Struct, frozen=True):
    """The memories behind one answer. ``accepts`` says whether a path below ``root`` may be shown; ``now`` is in ms.

    ``explain_absence`` says of a path why it may not, or cannot, enter; None where it can.

    Two snapshots of the same ``version`` give the same answer to a request at the same ``now``.
    """

    content: ContentIndex
    snapshot: Snapshot
    graph: RelationGraph
    knowledge: Knowledge
    events: EventLog
    accepts: Callable[[str], bool]
    now: int
    root: Path
    index_complete: bool
    index_extent: IndexExtent | None = None
    tasks: TaskStack | None = None
    patterns: PatternMemory | None = None
    feedback: Feedback | None = None
    history: CommitView | None = None
    working: Callable[[], Sequence[Hunk]] | None = None
    changes: Callable[[ChangeScope], AskedChanges] | None = None
    branch: Callable[[], BranchWork | None] | None = None
    newest_commits: Callable[[int, Callable[[str], bool] | None], Sequence[Commit]] | None = None
    line_changes: Callable[[str, int, int], Iterable[LineChange]] | None = None
    summaries: Summaries | None = None
    working_set: WorkingSet | None = None
    absence: tuple[str, ...] = ()  # that the workspace is not there, in words
    too_long: frozenset[str] = frozenset()  # files whose unsaved text is, so that they are shown as on disk
    package_sources: tuple[str, ...] = ()  # those of installed packages that may be asked
    identity_permissions: tuple[str, ...] = ()  # what the user's settings let identities see
    exclusion: ExclusionFilter = field(default_factory=ExclusionFilter)
    find_scope: Callable[[Sequence[str] | None], Scope] = lambda _: EVERYTHING
    explain_absence: Callable[[str], str | None] = lambda _: None
    version: Hashable = field(default_factory=object)

    def budget(self) -> ManifestBudget:
        """The bounds of prompts that the working set sets."""
        return self.working_set.budget() if self.working_set else ManifestBudget()

    def code_alone(self) -> MemorySnapshot:
        """The snapshot without pins, changes, history, habits and tasks."""
        nothing = dict.fromkeys(
            (
                "working_set",
                "working",
                "changes",
                "branch",
                "newest_commits",
                "line_changes",
                "history",
                "patterns",
                "tasks",
                "feedback",
            )
        )
        return replace(self, **nothing)


def take_snapshot(memories: Memories, now: int | None) -> MemorySnapshot:
    """Take the memories as they are, for an answer at ``now`` (ms; by default the time of the clock)."""
    # Read first: what happens meanwhile makes an answer younger than its version, never older.
    complete = memories.content.is_complete
    extent = None if complete else memories.content.extent
    shown = memories.current()  # with unsaved texts, so that the version counts them
    version = _or_new(lambda: (_version(memories, shown), complete))
    history = memories.history.snapshot()
    snapshot = memories.current()
    content = memories.content
    working_set = memories.working_set
    exclusions = working_set.exclusions()
    now = int(time.time() * 1000) if now is None else now
    knowledge = memories.knowledge.at(snapshot, now)
    return MemorySnapshot(
        content=content.memory,
        snapshot=working_set.searchable(snapshot, exclusions),
        graph=knowledge.graph,
        knowledge=knowledge,
        events=memories.events,
        accepts=lambda path: memories.shows(path) and not exclusions.hides(path),
        now=now,
        root=memories.root,
        index_complete=complete and content.is_complete,
        index_extent=extent,
        tasks=memories.tasks,
        patterns=memories.patterns,
        feedback=memories.feedback,
        history=history,
        working=lambda: memories.working.hunks(snapshot.outlines),
        changes=lambda scope: memories.changes(scope, snapshot.outlines),
        branch=lambda: memories.branch(snapshot.outlines),
        newest_commits=memories.newest_commits,
        line_changes=memories.line_changes,
        summaries=memories.summaries,
        working_set=working_set,
        too_long=content.too_long(),
        absence=content.absence(),
        package_sources=memories.settings.package_sources,
        identity_permissions=memories.settings.identity_permissions,
        exclusion=ExclusionFilter(exclusions, snapshot.outlines),
        find_scope=lambda entries: memories.scope.find(entries, snapshot.outlines.keys()),
        explain_absence=lambda path: _explain_absence(memories, path),
        version=version,
    )


def _explain_absence(memories: Memories, path: str) -> str | None:
    from contextls.memory.file_status import explain_absence

    return explain_absence(memories, path)


def _version(memories: Memories, snapshot: Snapshot) -> Hashable:
    """The versions of all memories, and of what answers read from the disk: pinned files, uncommitted changes."""
    changes = memories.working.hunks(snapshot.outlines)
    pins, asked = memories.working_set.stamps(), memories.settings.package_sources
    return memories.version(), pins, changes, asked


def _or_new(ask: Callable[[], Hashable]) -> Hashable:
    """The result of ``ask``; when it fails, something that equals nothing: the source that asks again reports it."""
    try:
        return ask()
    except Exception:  # whatever it is, the other memories still answer
        return object()
