"""One ``Engine`` per workspace: the whole public Python API, with no protocol types.

All methods are synchronous and safe to call from any thread. Reading methods (``search``, ``assemble``, ``events``,
``status``) may run at the same time; writes go through one writer.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from contextls.assembly.assembler import Sources, assemble
from contextls.errors import InvalidRequestError, StoreError
from contextls.memory.activity.recorder import Recorder
from contextls.memory.events import EventLog
from contextls.memory.snapshot import Snapshot
from contextls.memory.workspace_content import WorkspaceContent
from contextls.model import (
    AssembleRequest,
    ClearReport,
    Context,
    Event,
    Filters,
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
        self._events = EventLog(locations.events_database, session_id=uuid.uuid4().hex[:12])
        try:
            self.content = WorkspaceContent(root, settings, locations)
        except BaseException:
            self._events.close()
            raise
        self._recorder = Recorder(
            root, settings, self._events, self.accepts, lambda: self.content.memory.snapshot.outlines
        )
        self._closed = False

    @classmethod
    def open(cls, root: Path, settings: Settings | None = None) -> Engine:
        """Open the workspace at ``root``; cheap: reads no file of it. Raises ``WorkspaceError`` when it cannot be used."""
        resolved = open_root(root)
        locations = locate(resolved)
        locations.create()
        return cls(resolved, settings or Settings(), locations)

    def index(
        self,
        progress: Callable[[IndexProgress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> IndexReport:
        """Bring the content index up to date with the disk; touches only what changed.

        Raises ``CancelledError`` when ``cancel`` is set; what was finished stays.
        """
        return self.content.index(progress, cancel)

    def prepare(self) -> None:
        """Load what questions need, so that the first one does not wait for it."""
        self.content.prepare()

    def update_files(self, paths: Iterable[str]) -> None:
        """Bring these files (relative paths; deleted ones too) up to date. Returns when they are searchable.

        A folder stands for all files below it, also when it is gone. A changed ignore file brings the whole
        workspace up to date.
        """
        self.content.update_files(paths)

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved editor text of ``path`` wins over disk until ``None`` takes it away.

        Cheap: the text is analysed at the next question.
        """
        self.content.set_overlay(path, text)

    def accepts(self, path: str) -> bool:
        """Whether the file at this relative path belongs to the memory (inside the root, not ignored)."""
        return self.content.accepts(path)

    def relative(self, path: Path) -> str | None:
        """The workspace-relative form of an absolute path; ``None`` when it lies outside the root."""
        return relative(self.root, path)

    def record(self, event: NewEvent) -> Event | None:
        """Append an event; durable when this returns, with the errors that a failed command's output tells of.

        ``None`` when it concerns an ignored file or the settings leave it out. Raises ``InvalidRequestError`` naming the
        field that is wrong.
        """
        return self._recorder.record(event)

    def wants(self, kind: str) -> bool:
        """Whether the settings let events of this type in."""
        return self._recorder.wants(kind)

    def events(self, limit: int = 50, filters: Filters = Filters()) -> tuple[Event, ...]:
        """The newest events, newest first."""
        _check_limit(limit)
        return self._events.newest(limit, filters)

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

        ``now`` (ms) is what recency is measured from; the same request, memories and ``now`` give the same bytes.
        """
        snapshot = self._current()
        sources = Sources(
            content=self.content.memory,
            snapshot=snapshot,
            graph=self.content.graph_for(snapshot),
            events=self._events,
            accepts=self.accepts,
            now=int(time.time() * 1000) if now is None else now,
            root=self.root,
            index_complete=self.content.is_complete,
        )
        return assemble(request, sources, self._settings.tokenizer)

    def status(self) -> Status:
        """The truth about the index, the events and where they live, also when some of it cannot be read."""
        snapshot = self._current()
        content = self.content
        warnings = [*self._events.warnings(), *content.problems()]
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
        if events:
            self._events.wipe()
        return ClearReport(index=index, events=events)

    def stop(self) -> None:
        """Ask running work to end soon, from any thread; the engine answers from what it has until ``close``."""
        self.content.stop()

    def close(self) -> None:
        """Finish pending writes and let go of files, threads and worker processes. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self.content.close()
        self._events.close()

    def _current(self) -> Snapshot:
        """The newest snapshot, with unsaved editor texts in it."""
        if self._closed:
            raise StoreError(f"{self.root} was closed; open the workspace again")
        return self.content.current()


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= LONGEST_LIST:
        raise InvalidRequestError("limit", f"a whole number from 1 to {LONGEST_LIST}", limit)
