"""All memories of one workspace together: opened, brought up to date, looked at and closed as one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TypeVar

from contextls.errors import StoreError
from contextls.memory.activity.git_moves import GitMoves
from contextls.memory.activity.recorder import Recorder
from contextls.memory.conversations.retention import ChatRetention
from contextls.memory.conversations.store import Conversations
from contextls.memory.events import EventLog, Retention
from contextls.memory.feedback import Feedback
from contextls.memory.index.outlines import Outline
from contextls.memory.index.snapshot import Snapshot
from contextls.memory.index.workspace_index import SharedFiles, WorkspaceIndex
from contextls.memory.knowledge.base import Knowledge, KnowledgeBase
from contextls.memory.memory import Memory
from contextls.memory.patterns.memory import PatternMemory
from contextls.memory.scope.saved import SavedScope
from contextls.memory.tasks.stack import TaskStack
from contextls.memory.vcs.asked_changes import AskedChanges, ChangeScope, Workspace, asked_changes
from contextls.memory.vcs.branch_work import BranchWork, read_branch
from contextls.memory.vcs.commit_history import CommitHistory
from contextls.memory.vcs.files_in_use import files_in_use
from contextls.memory.vcs.working_changes import WorkingTree
from contextls.memory.working_set.memory import WorkingSet
from contextls.model import Changes, ClearReport, IndexProgress, IndexReport, Status
from contextls.models.summarizers.summaries import SummarizerChoice, open_summaries
from contextls.settings import Settings
from contextls.store.digest_cache import delete_values
from contextls.store.locations import Locations
from contextls.store.notices import Notices

# Whoever clears the index wants every cache gone that can be made again from the workspace.
_CLEARED_WITH_INDEX = ("index", "history", "summaries", "knowledge")
_DERIVED_FROM_EVENTS = ("patterns",)

AnyMemory = TypeVar("AnyMemory", bound=Memory)


class Memories:
    """The memories of one workspace. Each is an attribute; what concerns several of them is a method."""

    def __init__(
        self, root: Path, settings: Settings, locations: Locations, shared: SharedFiles | None = None
    ) -> None:
        """Open every memory; cheap: reads no file of the workspace. Raises ``StoreError``.

        ``shared`` opens a shared index of files.
        """
        self.root = root
        self.settings = settings
        self._locations = locations
        self._shared = shared
        self.notices = Notices()
        if locations.is_temporary:
            self.notices.tell(
                f"the cache of {root} cannot be written; until its permissions allow that, every start indexes again"
            )
        self._all: list[Memory] = []
        with ExitStack() as on_failure:
            on_failure.callback(self._close_all)
            self._open()
            on_failure.pop_all()
        self.working = WorkingTree(root, self.shows, told=settings.watch)
        self.recorder = Recorder(
            root, settings, self.events, self.content.accepts, lambda: self.content.memory.snapshot.outlines
        )
        self.git = GitMoves(
            root, locations.state, lambda event: self.recorder.record(self.tasks.stamp_event(event))
        )
        self._closed = False

    def _open(self) -> None:
        """Open each memory: the one list of them, in the order of their warnings, closed the other way round."""
        settings, locations = self.settings, self._locations
        self.events = self._keep(
            EventLog(locations.events_database, retention=Retention.of(settings), notices=self.notices)
        )
        self.tasks = self._keep(TaskStack(locations.state, self.notices))
        self.feedback = self._keep(Feedback(locations.state, self.notices))
        self.conversations = self._keep(
            Conversations(
                locations.state,
                self.notices,
                settings.tokenizer,
                paused=lambda: self.settings.memory_paused,
                retention=ChatRetention.of(settings),
            )
        )
        self.patterns = self._keep(
            PatternMemory(locations.cache, self.events, self.feedback, self.root, self.shows, self.notices)
        )
        self.history = self._keep(
            CommitHistory(
                self.root,
                locations.history_database,
                settings.history_commits,
                lambda: self.content.rules,
                self.notices,
            )
        )
        self.content = self._keep(WorkspaceIndex(self.root, settings, locations, self.notices, self._shared))
        summaries = open_summaries(_summarizer(settings), locations.summaries_database)
        self.summaries = self._keep(summaries) if summaries else None
        self.knowledge = self._keep(
            KnowledgeBase(self.root, self.events, self.history, self.shows, self.tasks.list)
        )
        self.working_set = self._keep(
            WorkingSet(
                self.root,
                locations.state,
                lambda path, folder: self.content.rules.reason(path, folder),
                lambda: self.current().outlines,
                settings.max_file_bytes,
                lambda: self.content.rules.at_once().reason,
            )
        )
        self.scope = self._keep(SavedScope(self.root, locations.state))

    @property
    def cache(self) -> Path:
        """The folder of what can be made again."""
        return self._locations.cache

    def _keep(self, memory: AnyMemory) -> AnyMemory:
        self._all.append(memory)
        return memory

    def adopt(self, settings: Settings) -> None:
        """Take over settings that are live; the others stay as they were at opening."""
        self.settings = settings
        self.recorder.adopt(settings)

    def shows(self, path: str) -> bool:
        """Whether an answer may speak of this file; costs next to nothing to tell."""
        return self.content.shows(path)

    def index(
        self, progress: Callable[[IndexProgress], None] | None, cancel: threading.Event | None
    ) -> IndexReport:
        """Bring content, and what is known about it, up to date with the disk. Raises ``CancelledError``."""
        self.working.forget()
        report = self.content.index(progress, cancel, lambda files: files_in_use(self.root, files))
        self.knowledge.prepare(self.content.memory.snapshot)
        return report

    def look_for(self, text: str, scope: Sequence[str] | None = None) -> None:
        """Let answers to ``text`` draw on files that are not indexed yet; takes seconds at most, and none where all are.

        Raises ``InvalidRequestError`` (field ``scope``), ``CancelledError``.
        """
        if not (self._closed or self.content.is_complete):
            limited = self.scope.find(scope, self.content.memory.snapshot.outlines.keys())
            self.content.look_for(text, limited.holds)

    def prepare(self) -> None:
        """Load what questions need, so that the first one does not wait for it; what is damaged is indexed again."""
        self.content.mend()
        self.content.prepare()
        self.knowledge.prepare(self.content.memory.snapshot)
        self.patterns.catch_up()
        self.history.follow()

    def update_files(self, paths: Iterable[str]) -> None:
        """Bring these files or folders up to date; searchable when this returns."""
        changed = set(paths)
        self.content.update_files(changed)
        self.working.forget_files(changed)

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved editor text of ``path`` wins over disk until ``None`` takes it away."""
        self.content.set_overlay(path, text)
        self.working.set_overlay(path, text)
        self.working_set.set_overlay(path, text)

    def follow_git(self) -> int:
        """Append what git did since any process last looked; the number of events."""
        moves = self.git.catch_up()
        if moves:
            self.history.follow()
        return moves

    def changes(self, asked: ChangeScope, outlines: Mapping[str, Outline]) -> AskedChanges:
        """The differences that are asked for, right now; ``outlines`` are of the files as they are."""
        return asked_changes(self._changing(outlines), asked)

    def branch(self, outlines: Mapping[str, Outline]) -> BranchWork | None:
        """The work on the checked-out branch; None where there is no branch that it grew from."""
        return read_branch(
            self.root,
            lambda since: asked_changes(self._changing(outlines), ChangeScope(Changes.ALL, since)),
        )

    def _changing(self, outlines: Mapping[str, Outline]) -> Workspace:
        return Workspace(self.root, outlines, self.working.unsaved(), self.shows, self.content.pool)

    def current(self) -> Snapshot:
        """The newest snapshot, with unsaved editor texts in it. Raises ``StoreError`` after ``close``."""
        if self._closed:
            raise StoreError(f"{self.root} was closed; open the workspace again")
        return self.content.current()

    def known_now(self) -> Knowledge:
        """Entities and relations as they are now."""
        return self.knowledge.at(self.current(), int(time.time() * 1000))

    def status(self) -> Status:
        """The truth about the index, the events and where they live, also when some of it cannot be read."""
        snapshot = self.current()
        content = self.content
        warnings = [warning for memory in self._all for warning in memory.warnings()]
        events = 0
        try:
            events = self.events.count()
        except StoreError as error:
            warnings.append(str(error))
        languages = snapshot.files.count_languages()
        return Status(
            root=str(self.root),
            state=content.state(snapshot),
            files=len(snapshot.outlines),
            chunks=len(snapshot.view),
            events=events,
            languages=dict(sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
            embedder=content.embedder.identity,
            tokenizer=self.settings.tokenizer,
            index_bytes=content.store.size_bytes(),
            index_location=str(self._locations.cache),
            state_location=str(self._locations.state),
            skipped=content.store.skipped(),
            writer=content.role.holder(),
            scope=self.scope.current().entries,
            analyzed=content.indexer.analyzed,
            warnings=tuple(warnings),
            index_extent=content.extent,
        )

    def version(self) -> Hashable:
        """Differs whenever that of any memory does. Raises ``StoreError``."""
        return tuple(memory.version() for memory in self._all)

    def versions(self) -> Mapping[str, Hashable]:
        """The version of each memory by its name; one that cannot be read right now is left out."""
        found: dict[str, Hashable] = {}
        for memory in self._all:
            with suppress(StoreError):
                found[memory.name] = memory.version()
        return found

    def clear(self, *, index: bool, events: bool, conversations: bool = False) -> ClearReport:
        """Delete what was asked for. The index can be rebuilt; events and conversations cannot."""
        if index:
            self._wipe(_CLEARED_WITH_INDEX)
            delete_values(self._locations.packed_texts)
        deleted = 0
        if events:
            deleted = self.events.wipe()
            self._wipe(_DERIVED_FROM_EVENTS)
        forgotten = self.conversations.wipe() if conversations else 0
        return ClearReport(index=index, events=deleted, conversations=forgotten)

    def stop(self) -> None:
        """Ask running work to end soon, from any thread."""
        self.content.stop()
        self.history.stop()
        if self.summaries:
            self.summaries.stop()

    def close(self) -> None:
        """Finish pending writes and let go of files, threads and worker processes. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self._close_all()
        self._locations.delete_temporary()

    def _wipe(self, names: Collection[str]) -> None:
        for memory in self._all:
            if memory.name in names:
                memory.wipe()

    def _close_all(self) -> None:
        for memory in reversed(self._all):
            memory.close()


def _summarizer(settings: Settings) -> SummarizerChoice:
    return SummarizerChoice(
        summarizer_endpoint=settings.summarizer_endpoint,
        summarizer_model=settings.summarizer_model,
        summarizer_key_variable=settings.summarizer_key_variable,
        summarizer_consent=settings.summarizer_consent,
        summarizer_timeout_seconds=settings.summarizer_timeout_seconds,
    )
