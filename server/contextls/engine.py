"""One ``Engine`` per workspace: the whole public Python API, with no protocol types.

All methods are synchronous and safe to call from any thread. Reading methods (``search``, ``assemble``, ``events``,
``status``) may run at the same time; writes go through one writer.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from contextls.assembly.assembler import Sources, assemble
from contextls.code.pool import WorkerPool
from contextls.errors import InvalidRequestError, StoreError
from contextls.memory.content_memory import ContentMemory
from contextls.memory.content_store import ContentStore
from contextls.memory.events import EventLog, validated
from contextls.memory.indexer import Indexer
from contextls.memory.leaks import shows_ignored, without_output
from contextls.memory.relations import RelationGraph
from contextls.memory.snapshot import Snapshot
from contextls.model import (
    AssembleRequest,
    ClearReport,
    Context,
    Event,
    EventType,
    Filters,
    IndexProgress,
    IndexReport,
    NewEvent,
    SearchHit,
    SearchResult,
    Status,
)
from contextls.settings import Settings
from contextls.store.embedders.choose import EmbedderChoice, open_embedder
from contextls.store.locations import Locations, locate
from contextls.workspace.ignore import IgnoreRules, is_ignore_file
from contextls.workspace.roots import open_root, relative
from contextls.workspace.scan import scan

MOST_WORKERS = 4
LONGEST_LIST = 10_000


class Engine:
    """The memory of one workspace and what can be asked of it."""

    def __init__(self, root: Path, settings: Settings, locations: Locations) -> None:
        """Use ``Engine.open``."""
        self.root = root
        self._settings = settings
        self._locations = locations
        embedder = open_embedder(
            EmbedderChoice(
                embedder=settings.embedder,
                embedder_path=settings.embedder_path,
                embedder_endpoint=settings.embedder_endpoint,
                embedder_model=settings.embedder_model,
                embedder_key_variable=settings.embedder_key_variable,
                embedder_consent=settings.embedder_consent,
            )
        )
        self._embedder = embedder
        self._events = EventLog(locations.events_database, session_id=uuid.uuid4().hex[:12])
        try:
            self._store = ContentStore(locations, embedder)
        except BaseException:
            self._events.close()
            raise
        self._content = ContentMemory(self._store, embedder)
        self._pool = WorkerPool(
            settings.workers or min(MOST_WORKERS, os.cpu_count() or 1),
            settings.parse_timeout_seconds,
            preload=("contextls.memory.content.analysis",),
        )
        self._indexer = Indexer(
            root,
            self._content,
            self._store,
            self._pool,
            settings.max_file_bytes,
            settings.include_noise,
            slow_embedder=settings.embedder != "static",
        )
        self._rules = self._load_rules()
        self._overlays: dict[str, str | None] = {}
        self._overlay_guard = threading.Lock()
        self._showing = threading.Lock()
        self._graph = (Snapshot(), RelationGraph(Snapshot()))
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
        self._rules = self._load_rules()
        hidden = [path for path in self._content.unsaved() if not self.accepts(path)]
        for path in hidden:
            self._content.drop_unsaved(path)
        self._indexer.update(hidden, self._rules)
        report = self._indexer.run(self._rules, progress, cancel)
        if self._content.is_loaded:
            self.prepare()
        return report

    def prepare(self) -> None:
        """Load what questions need, so that the first one does not wait for it."""
        self._content.catch_up()
        self._graph_for(self._content.settle()).prepare()

    def update_files(self, paths: Iterable[str]) -> None:
        """Bring these files (relative paths; deleted ones too) up to date. Returns when they are searchable.

        A folder stands for all files below it, also when it is gone. A changed ignore file brings the whole
        workspace up to date.
        """
        changed = set(paths)
        if any(map(is_ignore_file, changed)):
            self.index()
        self._content.catch_up()
        self._indexer.update(self._files_of(changed), self._rules)

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved editor text of ``path`` wins over disk until ``None`` takes it away.

        Cheap: the text is analysed at the next question.
        """
        if text is None or self.accepts(path):
            with self._overlay_guard:
                self._overlays[path] = text

    def accepts(self, path: str) -> bool:
        """Whether the file at this relative path belongs to the memory (inside the root, not ignored)."""
        return self.relative(self.root / path) == path and self._rules.reason(path) is None

    def relative(self, path: Path) -> str | None:
        """The workspace-relative form of an absolute path; ``None`` when it lies outside the root."""
        return relative(self.root, path)

    def record(self, event: NewEvent) -> Event | None:
        """Append an event; durable when this returns. ``None`` when it concerns an ignored file and is not kept.

        Raises ``InvalidRequestError`` naming the field that is wrong.
        """
        validated(event)
        path = event.content.get("path")
        if isinstance(path, str):
            inside = self.relative(self.root / path)
            if inside is None:
                raise InvalidRequestError("content.path", f"a path inside {self.root}", path)
            if not self.accepts(inside):
                return None
            event = replace(event, content={**event.content, "path": inside})
        if event.type == EventType.SHELL_EXEC and shows_ignored(event.content, self.root, self.accepts):
            event = replace(event, content=without_output(event.content))
        return self._events.append(event)

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
        snapshot = self._current()
        ranked = self._content.search(snapshot, self._content.question(query), limit)
        hits = []
        for item in ranked:
            row = snapshot.view.row(item.ref)
            hits.append(
                SearchHit(
                    row.path,
                    row.start_line,
                    row.end_line,
                    row.language,
                    row.kind,
                    row.symbol,
                    round(item.score, 4),
                    row.text,
                )
            )
        ms = (time.perf_counter() - started) * 1000
        return SearchResult(query, tuple(hits), round(ms, 3), self._is_complete())

    def assemble(self, request: AssembleRequest, *, now: int | None = None) -> Context:
        """The best prompt for the request that fits its budget. Raises ``InvalidRequestError``.

        ``now`` (ms) is what recency is measured from; the same request, memories and ``now`` give the same bytes.
        """
        snapshot = self._current()
        sources = Sources(
            content=self._content,
            snapshot=snapshot,
            graph=self._graph_for(snapshot),
            events=self._events,
            accepts=self.accepts,
            now=int(time.time() * 1000) if now is None else now,
            root=self.root,
            index_complete=self._is_complete(),
        )
        return assemble(request, sources, self._settings.tokenizer)

    def status(self) -> Status:
        """The truth about the index, the events and where they live, also when some of it cannot be read."""
        snapshot = self._current()
        warnings = [*self._events.warnings(), *self._store.warnings()]
        warnings.extend(filter(None, (self._indexer.problem, self._content.problem)))
        events = 0
        try:
            events = self._events.count()
        except StoreError as error:
            warnings.append(str(error))
        complete = self._store.is_complete()
        state = (
            "indexing"
            if self._indexer.running
            else "ready"
            if complete
            else "stale"
            if snapshot.outlines
            else "empty"
        )
        languages = Counter(outline.language for outline in snapshot.outlines.values())
        return Status(
            root=str(self.root),
            state=state,
            files=len(snapshot.outlines),
            chunks=len(snapshot.view),
            events=events,
            languages=dict(sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
            embedder=self._embedder.identity,
            tokenizer=self._settings.tokenizer,
            index_bytes=self._store.size_bytes(),
            index_location=str(self._locations.cache),
            state_location=str(self._locations.state),
            skipped=self._store.skipped(),
            warnings=tuple(warnings),
        )

    def clear(self, *, index: bool = True, events: bool = False) -> ClearReport:
        """Delete what was asked for. The index can be rebuilt; events cannot."""
        if index:
            self._indexer.flush()
            self._store.wipe()
            self._content.forget()
        if events:
            self._events.wipe()
        return ClearReport(index=index, events=events)

    def stop(self) -> None:
        """Ask running work to end soon, from any thread; the engine answers from what it has until ``close``."""
        self._indexer.stop()

    def close(self) -> None:
        """Finish pending writes and let go of files, threads and worker processes. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self._indexer.close()
        self._pool.close()
        self._store.close()
        self._events.close()

    def _current(self) -> Snapshot:
        """The newest snapshot, with unsaved editor texts in it."""
        if self._closed:
            raise StoreError(f"{self.root} was closed; open the workspace again")
        self._content.catch_up()
        # Held while texts are analysed, or a question side by side would be answered without them.
        with self._showing:
            self._show_unsaved()
        return self._content.snapshot

    def _show_unsaved(self) -> None:
        with self._overlay_guard:
            waiting, self._overlays = self._overlays, {}
        closed = [path for path, text in waiting.items() if text is None]
        texts = {path: text for path, text in waiting.items() if text is not None and self.accepts(path)}
        try:
            for path in closed:
                self._content.drop_unsaved(path)
            if closed:
                self._indexer.update(closed, self._rules)
            if texts:
                self._indexer.show_unsaved(texts)
        except BaseException:
            with self._overlay_guard:
                self._overlays = waiting | self._overlays
            raise

    def _files_of(self, paths: set[str]) -> set[str]:
        known = self._content.snapshot.outlines
        files = set()
        folders = []
        for path in paths:
            entry = self.root / path
            if entry.is_dir() and not entry.is_symlink():
                limit = self._settings.max_file_bytes
                files |= {file.path for file in scan(self.root, self._rules, limit, below=path).files}
                folders.append(f"{path}/")
            else:
                files.add(path)
                if path not in known and not entry.exists():
                    folders.append(f"{path}/")
        if folders:
            files |= {path for path in known if path.startswith(tuple(folders))}
        return files

    def _graph_for(self, snapshot: Snapshot) -> RelationGraph:
        known, graph = self._graph
        if known is not snapshot:
            graph = RelationGraph(snapshot, graph)
            self._graph = (snapshot, graph)
        return graph

    def _load_rules(self) -> IgnoreRules:
        return IgnoreRules(
            self.root, patterns=self._settings.ignore, include_noise=self._settings.include_noise
        )

    def _is_complete(self) -> bool:
        return not self._indexer.running and self._store.is_complete()


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= LONGEST_LIST:
        raise InvalidRequestError("limit", f"a whole number from 1 to {LONGEST_LIST}", limit)
