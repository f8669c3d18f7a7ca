"""One ``Engine`` per workspace: the facade of its memories and of the assembly of prompts.

All methods are synchronous and safe to call from any thread. Reading methods (``search``, ``assemble``, ``events``,
``status``) may run at the same time; writes go through one writer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from contextls.engine.bounds import check_limit
from contextls.engine.dependencies import Dependencies
from contextls.engine.scope import ScopeChoice
from contextls.engine.search import search_chunks
from contextls.engine.sharing import shared_files
from contextls.errors import ContextlsError, InvalidRequestError
from contextls.made_once import made_once
from contextls.memory.activity.workspace_list import remember
from contextls.memory.memories import Memories
from contextls.model import DEFAULT_RELATIONS, Filters, Shape
from contextls.settings import Settings
from contextls.store.locations import locate
from contextls.store.times import now_ms
from contextls.text.gate import clean
from contextls.workspace.roots import open_project, relative
from contextls.workspace.trust import is_trusted

if TYPE_CHECKING:
    from contextls.engine.conversations import Chats
    from contextls.engine.questions import Questions
    from contextls.engine.tasks import Tasks
    from contextls.engine.upkeep import Upkeep
    from contextls.engine.working_set import Pins
    from contextls.model import (
        AssembledTurn,
        AssembleRequest,
        ClearReport,
        CompressedText,
        Context,
        EntityView,
        Event,
        FileStatus,
        GraphView,
        IndexProgress,
        IndexReport,
        NewEvent,
        Pattern,
        SearchResult,
        Status,
        TurnRequest,
    )


class Engine:
    """The memory of one workspace and what can be asked of it."""

    def __init__(self, memories: Memories) -> None:
        """Use ``Engine.open``."""
        self.root = memories.root
        self.scope = ScopeChoice(memories)
        self._dependencies = Dependencies(memories, Engine)
        self._memories = memories
        self._is_trusted: bool | None = None

    @classmethod
    def open(cls, root: Path | str, settings: Settings | None = None, *, looks_only: bool = False) -> Engine:
        """Open the workspace at ``root``; cheap: reads no file of it. Raises ``WorkspaceError`` when it cannot be used.

        From now on it is a known one, in which shells record, unless the caller ``looks_only``.
        """
        resolved = open_project(Path(root))
        settings = settings or Settings()
        shared = shared_files(resolved, settings)
        locations = locate(resolved).create_writable()
        if not looks_only:
            remember(resolved)
        try:
            return cls(Memories(resolved, settings, locations, shared))
        except BaseException:
            locations.delete_temporary()
            raise

    @made_once
    def tasks(self) -> Tasks:
        """The tasks of the workspace."""
        from contextls.engine.tasks import Tasks

        return Tasks(self._memories.tasks)

    @made_once
    def conversations(self) -> Chats:
        """The conversations of this workspace."""
        from contextls.engine.conversations import Chats

        return Chats(self._memories)

    @made_once
    def working_set(self) -> Pins:
        """The pins and exclusions of people and models."""
        from contextls.engine.working_set import Pins

        return Pins(
            self._memories.working_set,
            self.record,
            lambda conversation: self._questions.list_server_entries(conversation),
        )

    @made_once
    def upkeep(self) -> Upkeep:
        """Keeps a workspace that stays open in step with disk, git and other processes, as an editor's server does."""
        from contextls.engine.upkeep import Upkeep

        return Upkeep(self._memories, self.record)

    @made_once
    def _questions(self) -> Questions:
        # Loaded with the first question, or by ``prepare``: it is half of all code.
        from contextls.engine.questions import Questions

        return Questions(self, self._memories, self._dependencies)

    @property
    def is_trusted(self) -> bool:
        """Whether what lies in this workspace may instruct a model: a face said so, or else the user's settings do."""
        if self._is_trusted is None:
            return is_trusted(self.root, self._memories.settings.trusted_folders)
        return self._is_trusted

    def set_trust(self, trusted: bool | None) -> None:
        """Trust this workspace, or not; ``None`` leaves it to the settings. Nothing of it is stored."""
        self._is_trusted = trusted

    def index(
        self,
        progress: Callable[[IndexProgress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> IndexReport:
        """Bring the content index up to date with the disk; touches only what changed.

        Raises ``CancelledError`` when ``cancel`` is set; what was finished stays.
        """
        return self._memories.index(progress, cancel)

    def prepare(self) -> None:
        """Load what questions need, so that the first one does not wait for it; what is damaged is indexed again."""
        self._memories.prepare()
        _ = self._questions

    def mend(self) -> IndexReport | None:
        """Index again what turns out to be damaged when it is loaded; ``None`` when nothing is."""
        return self._memories.content.mend()

    @property
    def is_built(self) -> bool:
        """Whether a full run has ended since the index was made."""
        return self._memories.content.is_built

    def read_history(self) -> None:
        """Read from git what is new; takes seconds the first time. Raises ``CancelledError``."""
        self._memories.history.catch_up()

    def listen(self, listener: Callable[[str], None]) -> None:
        """Let ``listener`` hear, from any thread, what became of damaged state; also what happened before."""
        self._memories.notices.listen(listener)

    def update_files(self, paths: Iterable[str]) -> None:
        """Bring these files (relative paths; deleted ones too) up to date. Returns when they are searchable.

        A folder stands for all files below it, also when it is gone. A changed ignore file brings the whole
        workspace up to date.
        """
        self._memories.update_files(paths)

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved editor text of ``path`` wins over disk until ``None`` takes it away.

        Cheap: the text is analysed at the next question.
        """
        self._memories.set_overlay(path, text)

    def accepts(self, path: str) -> bool:
        """Whether the file at this relative path belongs to the memory (inside the root, not ignored)."""
        return self._memories.content.accepts(path)

    def shows(self, path: str) -> bool:
        """Whether an answer may mention this file; cheap."""
        return self._memories.shows(path)

    def relative(self, path: Path) -> str | None:
        """The workspace-relative form of an absolute path; ``None`` when it lies outside the root."""
        return relative(self.root, path)

    def record(self, event: NewEvent) -> Event | None:
        """Append an event; durable when this returns, with the errors that a failed command's output tells of.

        ``None`` when it concerns an ignored file or the settings leave it out. Raises ``InvalidRequestError`` naming the
        field that is wrong.
        """
        return self._memories.recorder.record(self._memories.tasks.stamp_event(event))

    def record_many(self, events: Sequence[NewEvent]) -> list[Event | ContextlsError | None]:
        """Append many events in one transaction; for each what ``record`` would return or raise."""
        return self._memories.recorder.record_many(
            [self._memories.tasks.stamp_event(event) for event in events]
        )

    def adopt(self, settings: Settings) -> None:
        """Take over live settings, such as a pause of memory; for others the workspace has to be opened again."""
        self._memories.adopt(settings)

    def events(
        self,
        limit: int = 50,
        filters: Filters = Filters(),
        session_id: str | None = None,
        before: str | None = None,
    ) -> tuple[Event, ...]:
        """The newest events, newest first; of one session, or those that come after the event ``before`` in this order.

        What concerns files that are ignored by now is left out. Raises ``InvalidRequestError``.
        """
        check_limit(limit)
        memories = self._memories
        from contextls.memory.events.listing import list_events

        return list_events(memories.events, self.root, memories.shows, limit, filters, session_id, before)

    def patterns(self, limit: int = 50, path: str | None = None) -> tuple[Pattern, ...]:
        """The habits of this workspace, surest first; with ``path``, those that concern this file."""
        check_limit(limit)
        return self._memories.patterns.about(path, now_ms(), limit)

    def feedback(self, source: str, *, helpful: bool, context_id: str | None = None) -> None:
        """Keep what a user said about a component of a prompt, named by its ``source``; durable when this returns.

        Raises ``InvalidRequestError``, also where nothing of this workspace has that name.
        """
        from contextls.engine.feedback_source import check_feedback_source

        check_feedback_source(source, self._memories)
        self._memories.feedback.give(source, helpful=helpful, context_id=context_id)

    def entities(
        self, query: str | None = None, types: Collection[str] | None = None, limit: int = 50
    ) -> tuple[EntityView, ...]:
        """The entities that ``query`` mentions, surest first; without one, the most salient.

        Raises ``InvalidRequestError``.
        """
        check_limit(limit)
        from contextls.memory.knowledge.views import list_entities

        return list_entities(self._memories.known_now(), query and clean(query), types, limit)

    def graph(self, name: str, depth: int = 1, limit: int = DEFAULT_RELATIONS) -> GraphView | None:
        """The entity called ``name`` and its neighbours, ``limit`` of each kind; ``None`` when there is none.

        Raises ``InvalidRequestError``.
        """
        check_limit(limit)
        from contextls.memory.knowledge.views import graph_around

        return graph_around(self._memories.known_now(), name, depth, limit)

    def search(self, query: str, limit: int = 10, scope: Sequence[str] | None = None) -> SearchResult:
        """The chunks that answer ``query``, best first, in ``scope``: by default the saved one, where empty all.

        Raises ``InvalidRequestError``.
        """
        return search_chunks(self._memories, query, limit, scope)

    def assemble(
        self, request: AssembleRequest, *, shape: Shape = Shape.MARKDOWN, now: int | None = None
    ) -> Context:
        """The best prompt for the request that fits its budget, as one text: ``markdown`` or ``tagged``.

        Raises ``InvalidRequestError``.
        ``now`` (ms) is what recency is measured from; the same request, memories and ``now`` give the same bytes. Without
        it, an answer of the last half minute counts while nothing that could alter it has changed.
        """
        if shape is Shape.MARKDOWN:
            return self._questions.assemble(request, now)
        if shape is Shape.TAGGED:
            from contextls.model import TurnOptions, TurnRequest

            return self.follow_up(TurnRequest(request, TurnOptions(shape=shape)), now=now)
        raise InvalidRequestError("shape", "markdown or tagged; assemble_turn answers the others", shape)

    def assemble_part(self, request: AssembleRequest, name: str, *, installed: bool = False) -> Context:
        """Like ``assemble``, for one part of a prompt from several workspaces: each path begins with ``name``.

        Of a package that is ``installed`` only the code counts.
        """
        return self._questions.assemble_part(request, name, installed=installed)

    def follow_up(self, request: TurnRequest, *, now: int | None = None) -> Context:
        """Like ``assemble``, after the messages that the options name: what they show already is only pointed to.

        Of their shapes ``tagged`` is answered, else ``markdown``, within the window of their model.
        Raises ``InvalidRequestError``, ``StoreError``.
        """
        return self._questions.follow_up(request, now)

    def assemble_turn(self, request: TurnRequest, *, now: int | None = None) -> AssembledTurn:
        """The turn of a conversation for the request: layers, history and what was retrieved, within the model's window.

        The retrieved pieces are those of ``assemble``. Raises ``InvalidRequestError``, ``ContextLimitError`` when what is
        never cut does not fit.
        """
        return self._questions.assemble_turn(request, now)

    def update(self, context_id: str, event: NewEvent, max_tokens: int | None = None) -> Context:
        """The context of this id with ``event``, which is recorded, first in it; never above the budget.

        Raises ``InvalidRequestError`` when the id is not known (any more) or a field of the event is wrong.
        """
        self._questions.check_known(context_id)
        return self._questions.update(context_id, self.record(event), max_tokens)

    def write_prompt_file(self, content: str) -> Path:
        """Write a prompt to a new file that only the user can read; its path. Raises ``StoreError``."""
        from contextls.assembly.answer.prompt_files import write_prompt_file

        return write_prompt_file(self.root, content)

    def summarize(
        self, text: str, max_tokens: int, tokenizer: str, path_or_language: str = ""
    ) -> CompressedText:
        """``text`` in at most ``max_tokens``, by the configured model where it does not fit; without one, by rules.

        Raises ``InvalidRequestError``.
        """
        from contextls.assembly.selection.summarizing import summarize_text

        return summarize_text(
            text,
            max_tokens,
            tokenizer,
            path_or_language,
            self._memories.summaries,
            self._memories.content.pool,
        )

    def versions(self) -> Mapping[str, Hashable]:
        """For each memory, by its name, a value that differs once any process has changed it; cheap."""
        return self._memories.versions()

    def status(self) -> Status:
        """The truth about the index, the events and where they live, also when some of it cannot be read."""
        return self._memories.status()

    def file_status(self, path: Path) -> FileStatus:
        """Whether prompts can draw on the file at this absolute path and, if not, why. Raises ``InvalidRequestError``."""
        from contextls.memory.file_status import file_status

        return file_status(self._memories, path)

    def defines(self, path: str, name: str, line: str) -> bool:
        """Whether ``line``, as it stands in an editor, is where this file defines ``name``, as far as the index knows.

        Cheap.
        """
        return self._memories.content.defines(path, name, line)

    def clear(self, *, index: bool = True, events: bool = False, conversations: bool = False) -> ClearReport:
        """Delete what was asked for. The index can be rebuilt; events and conversations cannot."""
        if events or conversations:
            self._questions.forget(turns=conversations)
        if index:
            self._dependencies.wipe()
        return self._memories.clear(index=index, events=events, conversations=conversations)

    def stop(self) -> None:
        """Ask running work to end soon, from any thread; the engine answers from what it has until ``close``."""
        self._memories.stop()

    def close(self) -> None:
        """Finish pending writes and let go of files, threads and worker processes. Safe to call twice."""
        self._dependencies.close()
        self._memories.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()
