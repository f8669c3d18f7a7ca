"""One ``Engine`` per workspace: the whole public Python API, with no protocol types.

All methods are synchronous and safe to call from any thread. Reading methods (``search``, ``assemble``, ``events``,
``status``) may run at the same time; writes go through one writer.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

from contextls.assembly.assembler import Sources
from contextls.assembly.cache import MemoryState
from contextls.assembly.prompts import Prompts
from contextls.errors import ContextlsError, InvalidRequestError, StoreError
from contextls.memory.activity.edits import edit_event
from contextls.memory.activity.git_moves import GitMoves
from contextls.memory.activity.known import remember
from contextls.memory.activity.moved import moved
from contextls.memory.activity.recorder import Recorder
from contextls.memory.events import EventLog, Retention
from contextls.memory.feedback import Feedback
from contextls.memory.history.commit_history import CommitHistory
from contextls.memory.knowledge import Knowledge, KnowledgeBase
from contextls.memory.patterns.memory import PatternMemory
from contextls.memory.patterns.pattern import Pattern
from contextls.memory.snapshot import Snapshot
from contextls.memory.tasks import TaskStack
from contextls.memory.views import graph_around, listed
from contextls.memory.working_changes import Hunk, WorkingTree
from contextls.memory.workspace_content import WorkspaceContent
from contextls.model import (
    AssembleRequest,
    ClearReport,
    Context,
    EntityView,
    Event,
    EventType,
    Filters,
    GraphView,
    IndexProgress,
    IndexReport,
    NewEvent,
    SearchResult,
    Status,
)
from contextls.settings import Settings
from contextls.store.locations import Locations, locate
from contextls.workspace.roots import open_root, relative

LONGEST_LIST = 10_000


class Engine:
    """The memory of one workspace and what can be asked of it."""

    def __init__(self, root: Path, settings: Settings, locations: Locations) -> None:
        """Use ``Engine.open``."""
        self.root = root
        self._settings = settings
        self._locations = locations
        with ExitStack() as opened:
            self._events = EventLog(locations.events_database, uuid.uuid4().hex[:12], Retention.of(settings))
            opened.callback(self._events.close)
            self.tasks = TaskStack(locations.state)
            opened.callback(self.tasks.close)
            self._feedback = Feedback(locations.state)
            opened.callback(self._feedback.close)
            self._patterns = PatternMemory(locations.cache, self._events, self._feedback, root, self.shows)
            opened.callback(self._patterns.close)
            self.content = WorkspaceContent(root, settings, locations)
            opened.pop_all()
        self.history = CommitHistory(
            root, locations.history_database, settings.history_commits, lambda: self.content.rules
        )
        self._knowledge = KnowledgeBase(root, self._events, self.history.snapshot, self.shows)
        self._working = WorkingTree(root, self.shows, told=settings.watch)
        self._git = GitMoves(root, locations.state, self.record)
        self._recorder = Recorder(
            root, settings, self._events, self.accepts, lambda: self.content.memory.snapshot.outlines
        )
        self._prompts = Prompts(settings.tokenizer)
        self._closed = False

    @classmethod
    def open(cls, root: Path, settings: Settings | None = None) -> Engine:
        """Open the workspace at ``root``; cheap: reads no file of it. Raises ``WorkspaceError`` when it cannot be used."""
        resolved = open_root(root)
        locations = locate(resolved)
        locations.create()
        remember(resolved)
        return cls(resolved, settings or Settings(), locations)

    def index(
        self,
        progress: Callable[[IndexProgress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> IndexReport:
        """Bring the content index up to date with the disk; touches only what changed.

        Raises ``CancelledError`` when ``cancel`` is set; what was finished stays.
        """
        self._working.forget()
        report = self.content.index(progress, cancel)
        self._knowledge.prepare(self.content.graph_for(self.content.memory.snapshot))
        return report

    def prepare(self) -> None:
        """Load what questions need, so that the first one does not wait for it."""
        self.content.prepare()
        self._knowledge.prepare(self.content.graph_for(self.content.memory.snapshot))
        self._patterns.catch_up()
        self.history.follow()

    def update_files(self, paths: Iterable[str]) -> None:
        """Bring these files (relative paths; deleted ones too) up to date. Returns when they are searchable.

        A folder stands for all files below it, also when it is gone. A changed ignore file brings the whole
        workspace up to date.
        """
        changed = set(paths)
        self.content.update_files(changed)
        self._working.touched(changed)

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved editor text of ``path`` wins over disk until ``None`` takes it away.

        Cheap: the text is analysed at the next question.
        """
        self.content.set_overlay(path, text)
        self._working.set_overlay(path, text)

    def accepts(self, path: str) -> bool:
        """Whether the file at this relative path belongs to the memory (inside the root, not ignored)."""
        return self.content.accepts(path)

    def shows(self, path: str) -> bool:
        """Whether an answer may speak of this file; costs next to nothing to tell."""
        return self.content.shows(path)

    def relative(self, path: Path) -> str | None:
        """The workspace-relative form of an absolute path; ``None`` when it lies outside the root."""
        return relative(self.root, path)

    def record(self, event: NewEvent) -> Event | None:
        """Append an event; durable when this returns, with the errors that a failed command's output tells of.

        ``None`` when it concerns an ignored file or the settings leave it out. Raises ``InvalidRequestError`` naming the
        field that is wrong.
        """
        return self._recorder.record(self.tasks.stamped(event))

    def record_many(self, events: Sequence[NewEvent]) -> list[Event | ContextlsError | None]:
        """Append many events in one transaction; for each what ``record`` would return or raise."""
        return self._recorder.record_many([self.tasks.stamped(event) for event in events])

    def record_edit(self, path: str, before: str, after: str) -> Event | None:
        """Append what changed in the file at this relative path, by symbol; ``None`` when nothing did or may be kept."""
        if not (self.wants(EventType.FILE_EDIT) and self.accepts(path)):
            return None
        event = edit_event(self.content.pool, path, before, after)
        return None if event is None else self.record(event)

    def follow_git(self) -> int:
        """Append commits, checkouts, stashes and rebases since any process last looked; their number. Cheap when none."""
        moves = self._git.catch_up()
        if moves:
            self.history.follow()
        return moves

    def moved(self, gone: Iterable[str], came: Iterable[str]) -> dict[str, str]:
        """Which files that came are files that went, by their content: new path -> old path."""
        return moved(self.root, self.content.store, gone, came)

    def wants(self, kind: str) -> bool:
        """Whether the settings let events of this type in."""
        return self._recorder.wants(kind)

    def events(self, limit: int = 50, filters: Filters = Filters()) -> tuple[Event, ...]:
        """The newest events, newest first."""
        _check_limit(limit)
        return self._events.newest(limit, filters)

    def working_changes(self) -> tuple[Hunk, ...]:
        """What differs between the newest commit and the files as they are, unsaved texts included, by symbol."""
        return self._working.hunks(self._current().outlines)

    def patterns(self, limit: int = 50, path: str | None = None) -> tuple[Pattern, ...]:
        """The habits of this workspace, surest first; with ``path``, those that concern this file."""
        _check_limit(limit)
        return self._patterns.about(path, int(time.time() * 1000), limit)

    def feedback(self, source: str, *, helpful: bool, context_id: str | None = None) -> None:
        """Keep what somebody said about a component of a prompt, named by its ``source``; durable when this returns.

        Raises ``InvalidRequestError``.
        """
        self._feedback.give(source, helpful=helpful, context_id=context_id)

    def entities(
        self, query: str | None = None, types: Collection[str] | None = None, limit: int = 50
    ) -> tuple[EntityView, ...]:
        """The entities that ``query`` mentions, surest first; without one, the most salient.

        Raises ``InvalidRequestError``.
        """
        _check_limit(limit)
        return listed(self._known_now(), query, types, limit)

    def graph(self, name: str, depth: int = 1) -> GraphView | None:
        """What hangs together with the entity called ``name``; ``None`` when there is none.

        Raises ``InvalidRequestError``.
        """
        return graph_around(self._known_now(), name, depth)

    def search(self, query: str, limit: int = 10) -> SearchResult:
        """The chunks that answer ``query``, best first."""
        started = time.perf_counter()
        if not query.strip():
            raise InvalidRequestError("query", "a question of at least one word", query)
        _check_limit(limit)
        hits = self.content.find(self._current(), query, limit)
        ms = (time.perf_counter() - started) * 1000
        return SearchResult(query, hits, round(ms, 3), self.content.is_complete)

    def assemble(self, request: AssembleRequest, *, now: int | None = None) -> Context:
        """The best prompt for the request that fits its budget. Raises ``InvalidRequestError``.

        ``now`` (ms) is what recency is measured from; the same request, memories and ``now`` give the same bytes. Without
        it, an answer of the last half minute counts while nothing that could alter it has changed.
        """
        sources, state = self._sources(now)
        return self._prompts.assemble(request, sources, state, exact=now is not None)

    def update(self, context_id: str, event: NewEvent, max_tokens: int | None = None) -> Context:
        """The context of this id with ``event``, which is recorded, first in it; never above the budget.

        Raises ``InvalidRequestError`` when the id is not known (any more) or a field of the event is wrong.
        """
        self._prompts.check_known(context_id)
        recorded = self.record(event)
        sources, _ = self._sources(None)
        return self._prompts.update(context_id, recorded, max_tokens, sources)

    def status(self) -> Status:
        """The truth about the index, the events and where they live, also when some of it cannot be read."""
        snapshot = self._current()
        content = self.content
        warnings = [
            *self._events.warnings(),
            *self.tasks.warnings(),
            *self._feedback.warnings(),
            *content.problems(),
        ]
        warnings += self.history.warnings()
        events = 0
        try:
            events = self._events.count()
        except StoreError as error:
            warnings.append(str(error))
        languages = Counter(outline.language for outline in snapshot.outlines.values())
        return Status(
            root=str(self.root),
            state=content.state(snapshot),
            files=len(snapshot.outlines),
            chunks=len(snapshot.view),
            events=events,
            languages=dict(sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
            embedder=content.embedder.identity,
            tokenizer=self._settings.tokenizer,
            index_bytes=content.store.size_bytes(),
            index_location=str(self._locations.cache),
            state_location=str(self._locations.state),
            skipped=content.store.skipped(),
            warnings=tuple(warnings),
        )

    def clear(self, *, index: bool = True, events: bool = False) -> ClearReport:
        """Delete what was asked for. The index can be rebuilt; events cannot."""
        if index:
            self.content.wipe()
            self.history.wipe()
        if events:
            self._events.wipe()
            self._patterns.forget()
            self._prompts.forget()
        return ClearReport(index=index, events=events)

    def stop(self) -> None:
        """Ask running work to end soon, from any thread; the engine answers from what it has until ``close``."""
        self.content.stop()
        self.history.stop()

    def close(self) -> None:
        """Finish pending writes and let go of files, threads and worker processes. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self.history.close()
        self.content.close()
        self._patterns.close()
        self._feedback.close()
        self.tasks.close()
        self._events.close()

    def _known_now(self) -> Knowledge:
        return self._knowledge.at(self.content.graph_for(self._current()), int(time.time() * 1000))

    def _sources(self, now: int | None) -> tuple[Sources, MemoryState]:
        """The memories at this moment, and what tells whether a later moment is the same."""
        # Read first: what happens meanwhile makes an answer younger than its state, never older.
        numbers = self._numbers()
        history = self.history.snapshot()
        snapshot = self._current()
        graph = self.content.graph_for(snapshot)
        now = int(time.time() * 1000) if now is None else now
        sources = Sources(
            content=self.content.memory,
            snapshot=snapshot,
            graph=graph,
            knowledge=self._knowledge.at(graph, now),
            events=self._events,
            accepts=self.shows,
            now=now,
            root=self.root,
            index_complete=self.content.is_complete,
            tasks=self.tasks,
            patterns=self._patterns,
            feedback=self._feedback,
            history=history,
            working=lambda: self._working.hunks(snapshot.outlines),
        )
        try:
            changes: object = self._working.hunks(snapshot.outlines)
        except Exception:  # the source that asks again reports it; until then no answer is given twice
            changes = object()
        # An empty history is made anew each time; all are the same.
        views = (snapshot, self.content.rules, history if len(history) else None)
        return sources, MemoryState(views, (*numbers, changes))

    def _numbers(self) -> tuple[Hashable, ...]:
        """What changes whenever a memory behind answers does, but for the snapshot."""
        oldest = self._events.after(0, 1)
        return (
            self._events.last_number(),
            self._events.wipes(),
            oldest[0].id if oldest else "",
            self._patterns.generation(),
            self.tasks.generation(),
            self._feedback.generation(),
            self.content.is_complete,
        )

    def _current(self) -> Snapshot:
        """The newest snapshot, with unsaved editor texts in it."""
        if self._closed:
            raise StoreError(f"{self.root} was closed; open the workspace again")
        return self.content.current()


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= LONGEST_LIST:
        raise InvalidRequestError("limit", f"a whole number from 1 to {LONGEST_LIST}", limit)
