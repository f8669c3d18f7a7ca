"""Opens the memories of one workspace, each when it is first asked for, and knows which are open."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from contextls.errors import StoreError
from contextls.made_once import made_once
from contextls.memory.index.workspace_index import SharedFiles, WorkspaceIndex
from contextls.memory.memory import Memory
from contextls.memory.scope.saved import SavedScope
from contextls.settings import Settings
from contextls.store.locations import Locations
from contextls.store.notices import Notices

if TYPE_CHECKING:
    from contextls.memory.activity.git_moves import GitMoves
    from contextls.memory.activity.recorder import Recorder
    from contextls.memory.conversations.store import Conversations
    from contextls.memory.events import EventLog
    from contextls.memory.feedback import Feedback
    from contextls.memory.index.snapshot.snapshot import Snapshot
    from contextls.memory.knowledge.base import KnowledgeBase
    from contextls.memory.patterns.memory import PatternMemory
    from contextls.memory.tasks.stack import TaskStack
    from contextls.memory.vcs.commit_history import CommitHistory
    from contextls.memory.vcs.working_changes import WorkingTree
    from contextls.memory.working_set.memory import WorkingSet
    from contextls.models.summarizers.summaries import Summaries

Opened = TypeVar("Opened")


def _opened_once(open_it: Callable[[OpenMemories], Opened]) -> made_once[Opened]:
    """A memory that is loaded and opened when it is first asked for: a command needs few, a server has all (``prepare``)."""

    @wraps(open_it)
    def open_unless_closed(memories: OpenMemories) -> Opened:
        memories.check_open()
        return open_it(memories)

    return made_once(open_unless_closed)


class OpenMemories:
    """The memories of one workspace. Each is an attribute; all but the first two are opened when they are asked for."""

    def __init__(
        self, root: Path, settings: Settings, locations: Locations, shared: SharedFiles | None = None
    ) -> None:
        """Open the content index; cheap: reads no file of the workspace. ``shared`` opens a shared index of files.

        Raises ``StoreError``, and ``InvalidRequestError`` where settings are wrong.
        """
        self.root = root
        self.settings = settings
        self._locations = locations
        self._shared = shared
        self._closed = False
        self.notices = Notices()
        if locations.is_temporary:
            self.notices.tell(
                f"the cache of {root} cannot be written; until its permissions allow that, every start indexes again"
            )
        _ = self.content, self.scope
        if settings.summarizer_endpoint or settings.summarizer_model:
            self._refuse_wrong_summarizer()

    @_opened_once
    def content(self) -> WorkspaceIndex:
        """The content index."""
        return WorkspaceIndex(self.root, self.settings, self._locations, self.notices, self._shared)

    @_opened_once
    def scope(self) -> SavedScope:
        """The part of the workspace that questions are limited to."""
        return SavedScope(self.root, self._locations.state)

    @_opened_once
    def events(self) -> EventLog:
        """The log of events."""
        from contextls.memory.events import EventLog, Retention

        return EventLog(
            self._locations.events_database,
            retention=Retention.of(self.settings),
            notices=self.notices,
        )

    @_opened_once
    def tasks(self) -> TaskStack:
        """The stack of tasks."""
        from contextls.memory.tasks.stack import TaskStack

        return TaskStack(self._locations.state, self.notices)

    @_opened_once
    def feedback(self) -> Feedback:
        """The feedback of people on pieces of prompts."""
        from contextls.memory.feedback import Feedback

        return Feedback(self._locations.state, self.notices)

    @_opened_once
    def conversations(self) -> Conversations:
        """The conversations, as trees."""
        from contextls.memory.conversations.retention import ChatRetention
        from contextls.memory.conversations.store import Conversations

        return Conversations(
            self._locations.state,
            self.notices,
            self.settings.tokenizer,
            paused=lambda: self.settings.memory_paused,
            retention=ChatRetention.of(self.settings),
        )

    @_opened_once
    def patterns(self) -> PatternMemory:
        """Habits in what happened."""
        from contextls.memory.patterns.memory import PatternMemory

        return PatternMemory(
            self._locations.cache, self.events, self.feedback, self.root, self.shows, self.notices
        )

    @_opened_once
    def history(self) -> CommitHistory:
        """The commits of git."""
        from contextls.memory.vcs.commit_history import CommitHistory

        return CommitHistory(
            self.root,
            self._locations.history_database,
            self.settings.history_commits,
            lambda: self.content.rules,
            self.notices,
        )

    @_opened_once
    def summaries(self) -> Summaries | None:
        """Summaries of long texts by a model, where the user named one."""
        from contextls.models.summarizers.summaries import open_summaries

        return open_summaries(self.settings, self._locations.summaries_database)

    @_opened_once
    def knowledge(self) -> KnowledgeBase:
        """Entities and relations."""
        from contextls.memory.knowledge.base import KnowledgeBase
        from contextls.memory.knowledge.relations.stored_table import StoredTable

        return KnowledgeBase(
            self.root,
            self.events,
            self.history,
            self.shows,
            lambda: self.tasks.list(),
            StoredTable(self.content.store),
        )

    @_opened_once
    def working_set(self) -> WorkingSet:
        """The pins and exclusions of people and models."""
        from contextls.memory.working_set.memory import WorkingSet

        return WorkingSet(
            self.root,
            self._locations.state,
            lambda path, folder: self.content.rules.reason(path, folder),
            lambda: self.current().outlines,
            self.settings.max_file_bytes,
            lambda: self.content.rules.at_once().reason,
        )

    @_opened_once
    def working(self) -> WorkingTree:
        """Uncommitted changes."""
        from contextls.memory.vcs.working_changes import WorkingTree

        return WorkingTree(self.root, self.shows, self.names, watched=self.settings.watch)

    @_opened_once
    def recorder(self) -> Recorder:
        """The one way into the events."""
        from contextls.memory.activity.recorder import Recorder

        return Recorder(
            self.root,
            self.settings,
            self.events,
            self.content.accepts,
            lambda: self.content.memory.snapshot.outlines,
        )

    @_opened_once
    def git(self) -> GitMoves:
        """The moves of git, as events."""
        from contextls.memory.activity.git_moves import GitMoves

        return GitMoves(
            self.root,
            self._locations.state,
            lambda event: self.recorder.record(self.tasks.stamp_event(event)),
        )

    @property
    def cache(self) -> Path:
        """The folder of what can be made again."""
        return self._locations.cache

    def shows(self, path: str) -> bool:
        """Whether an answer may mention this file; cheap."""
        return self.content.shows(path)

    def names(self, path: str, *, is_folder: bool) -> bool:
        """Whether an answer may name this file or folder, though it may not show what is in it."""
        return self.content.rules.names(path, is_folder)

    def current(self) -> Snapshot:
        """The newest snapshot, with unsaved editor texts in it. Raises ``StoreError`` after ``close``."""
        self.check_open()
        return self.content.current()

    def check_open(self) -> None:
        """Raise ``StoreError`` after ``close``."""
        if self._closed:
            raise StoreError(f"{self.root} was closed; open the workspace again")

    def _refuse_wrong_summarizer(self) -> None:
        """Raise what the settings of the summarizer have wrong now, not at some question."""
        try:
            _ = self.summaries
        except BaseException:
            self.content.close()
            raise

    def _open_all(self, but: Collection[made_once[object]] = ()) -> list[Memory]:
        """Every memory but these; those that are not open yet are opened."""
        wanted = (each.get(self) for each in MEMORIES if each not in but)
        return [memory for memory in wanted if memory is not None]

    def _open_those_with_warnings(self) -> list[Memory]:
        """Every memory that may have a warning: none is opened only to say that it holds nothing."""
        without: set[made_once[object]] = {*_NEVER_WARN}
        if not self._has_conversations():
            without.add(OpenMemories.conversations)
        if OpenMemories.working_set.peek(self) is None and not os.path.lexists(self.root / ".context"):
            without.add(OpenMemories.working_set)
        return self._open_all(without)

    def _has_conversations(self) -> bool:
        opened = OpenMemories.conversations.peek(self) is not None
        return opened or any(self._locations.state.glob("conversations.*"))

    def _open_those_in_use(self) -> list[Memory]:
        """Every memory, without the conversations until they are asked for: most prompts are outside of any."""
        opened = OpenMemories.conversations.peek(self) is not None
        return self._open_all(() if opened else (OpenMemories.conversations,))

    def _list_open(self) -> list[Memory]:
        """The memories that are open."""
        opened = (each.peek(self) for each in MEMORIES)
        return [memory for memory in opened if memory is not None]


# The one list of them, in the order of their warnings; they are closed the other way round.
MEMORIES: tuple[made_once[Memory | None], ...] = (
    OpenMemories.events,
    OpenMemories.tasks,
    OpenMemories.feedback,
    OpenMemories.conversations,
    OpenMemories.patterns,
    OpenMemories.history,
    OpenMemories.content,
    OpenMemories.summaries,
    OpenMemories.knowledge,
    OpenMemories.working_set,
    OpenMemories.scope,
)
# They are derived: what is wrong is wrong with the memories that they come from.
_NEVER_WARN = (OpenMemories.patterns, OpenMemories.knowledge)
