"""The content side of one workspace: what is indexed, what editors show, what is ignored, and the newest snapshot of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Hashable, Iterable
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.code.pool import WorkerPool
from contextls.memory.index.content_index import ContentIndex
from contextls.memory.index.disk.index_store import IndexStore
from contextls.memory.index.disk.vector_index import MIN_CHUNKS
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.updating.affected import find_affected_files
from contextls.memory.index.updating.first_answer import FirstAnswer
from contextls.memory.index.updating.follower import Follower
from contextls.memory.index.updating.freshness import Freshness
from contextls.memory.index.updating.full_run import FindUse
from contextls.memory.index.updating.indexer import Indexer
from contextls.memory.index.updating.indexing_options import IndexingOptions
from contextls.memory.index.updating.known_files import KnownFilesSource
from contextls.memory.index.updating.order_of_use import NOTHING_USED, Use
from contextls.memory.index.updating.unsaved import UnsavedTexts
from contextls.memory.index.updating.writer_role import WriterRole
from contextls.model import IndexExtent, IndexProgress, IndexReport
from contextls.models.embedders.base import Embedder
from contextls.models.embedders.choose import open_embedder
from contextls.settings import Settings
from contextls.store.locations import Locations
from contextls.store.notices import Notices
from contextls.text.gate import clean, without_marks
from contextls.workspace.ignore import IgnoreRules, is_ignore_file
from contextls.workspace.roots import relative
from contextls.workspace.size_limit import is_too_large

MAX_REMEMBERED = 10_000
_PRELOAD = ("contextls.memory.index.updating.worker_rules", "contextls.code.parse")
_SHARED_TABLE = "contextls.memory.index.updating.shared_table"
SharedFiles = Callable[[Embedder], KnownFilesSource]


class _Accepted(Struct, frozen=True):
    """Whether paths were accepted, while one snapshot and one set of rules held."""

    snapshot: Snapshot
    rules: IgnoreRules
    known: dict[str, bool] = field(default_factory=dict)

    @property
    def is_full(self) -> bool:
        """Whether so many paths are remembered that it is better to start over."""
        return len(self.known) > MAX_REMEMBERED


class WorkspaceIndex:
    """Index, unsaved texts and ignore rules as one thing that can be read and kept up to date."""

    name = "index"

    def __init__(
        self,
        root: Path,
        settings: Settings,
        locations: Locations,
        notices: Notices | None = None,
        shared: SharedFiles | None = None,
        *,
        min_chunks: int = MIN_CHUNKS,
    ) -> None:
        """Cheap: reads no file of the workspace. ``shared`` opens what may know files that are not analysed yet.

        From ``min_chunks`` on, vectors are searched through an index.
        """
        self._root = root
        self._settings = settings
        self.freshness = Freshness(root)
        self.embedder = open_embedder(settings)
        self._shared = shared(self.embedder) if shared else None
        self.store = IndexStore(locations, self.embedder, notices, min_chunks=min_chunks)
        self.memory = ContentIndex(self.store, self.embedder)
        # The worker processes of this workspace, which others share.
        self.pool = WorkerPool(
            settings.worker_count,
            settings.parse_timeout_seconds,
            preload=(*_PRELOAD, *([_SHARED_TABLE] if settings.embedder == "static" else [])),
        )
        self.role = WriterRole(locations.writer_lock)
        self.indexer = Indexer(
            root,
            self.memory,
            self.store,
            self.pool,
            IndexingOptions.of(settings, self.embedder),
            self._shared,
        )
        self._first_answer = FirstAnswer(root, self.indexer, self.store, settings.max_file_bytes)
        self._follower = Follower(self.indexer, self.role)
        self.rules = self._load_rules()
        self._unsaved = UnsavedTexts(self.memory, self.indexer)
        self._was_built = False  # when that was last asked, or a run ended
        self._accepted = _Accepted(Snapshot(), self.rules)

    def index(
        self,
        progress: Callable[[IndexProgress], None] | None = None,
        cancel: threading.Event | None = None,
        find_use: FindUse = lambda _: NOTHING_USED,
    ) -> IndexReport:
        """Bring the content index up to date with the disk, what ``find_use`` finds in use first.

        Raises ``CancelledError``; what was finished stays.
        """
        self.rules = self._load_rules(self.rules)
        hidden = [path for path in self.memory.unsaved() if not self.accepts(path)]
        for path in hidden:
            self.memory.drop_unsaved(path)
        self.indexer.update(hidden, self.rules)
        with self.freshness.looking_at_all():
            report = self.indexer.run(
                self.rules, progress, cancel, lambda files: self._with_open(find_use(files))
            )
        self._was_built = True
        if self.memory.is_loaded:
            self.memory.catch_up()
        return report

    def prepare(self) -> None:
        """Load what questions need, so that the first one does not wait for it."""
        self.memory.catch_up()
        self.memory.prepare_words()
        if self.role.is_joined:  # a command ends before an index over vectors would be of use
            self.store.vectors.follow(len(self.memory.snapshot.view), builds=self.role.is_ours())

    def mend(self) -> IndexReport | None:
        """Load what is stored, which shows what is damaged, and index that again; ``None`` when nothing is."""
        self.memory.catch_up()
        return None if self.store.is_sound() else self.index()

    def update_files(self, paths: Iterable[str]) -> None:
        """Bring these files or folders up to date; searchable when this returns.

        Where another process has the role of the writer, they are when it has stored them; until then nothing is fresh.
        """
        changed = set(paths)
        with ExitStack() as busy:
            busy.enter_context(self.freshness.updating())
            if any(map(is_ignore_file, changed)):
                self.index()
            self.memory.catch_up()
            known = self.memory.snapshot.files
            files = find_affected_files(self._root, changed, self.rules, self._settings.max_file_bytes, known)
            if self.role.is_ours():
                self.indexer.update(files, self.rules)
            else:
                self._follower.follow(files, self.rules, busy.pop_all().close)

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved editor text of ``path`` wins over disk until ``None`` takes it away.

        One that is longer than a file may be is left out, as such a file is: its analysis would hold up a question.
        """
        if text is None or self.accepts(path):
            if text is not None and is_too_large(path, len(text), self._settings.max_file_bytes):
                self._unsaved.leave_out(path)
            else:
                self._unsaved.put(path, text)
            if self.indexer.queue:
                self.indexer.queue.prefer([path])

    def too_long(self) -> frozenset[str]:
        """The files whose unsaved text is left out as too long; what is on disk counts."""
        return self._unsaved.too_long()

    def concerns(self, path: str) -> bool:
        """Whether something that happened at this relative path matters: it is no ignored place, or was indexed.

        Unlike ``accepts``, it lets through what took a file's place: a link, a pipe, a folder.
        """
        return path in self.memory.snapshot.outlines or self.rules.reason(path) is None

    def accepts(self, path: str) -> bool:
        """Whether the file at this relative path belongs to the memory (inside the root, not ignored)."""
        return relative(self._root, path) == path and self.rules.reason(path) is None

    def defines(self, path: str, name: str, line: str) -> bool:
        """Whether a definition of ``name`` in this file begins with ``line``; it may have moved since it was indexed."""
        outline = self.memory.snapshot.outlines.get(path)
        return outline is not None and outline.defines(name, line)

    def shows(self, path: str) -> bool:
        """Whether an answer may mention this file: it is indexed, or accepted.

        What a question asks about a path is remembered until anything in the workspace changes.
        """
        snapshot, rules = self.memory.snapshot, self.rules
        if path in snapshot.outlines:
            return True
        accepted = self._accepted
        if accepted.snapshot is not snapshot or accepted.rules is not rules or accepted.is_full:
            accepted = self._accepted = _Accepted(snapshot, rules)
        if path not in accepted.known:
            accepted.known[path] = self.accepts(path)
        return accepted.known[path]

    def current(self) -> Snapshot:
        """The newest snapshot, with what other processes wrote and with unsaved editor texts in it."""
        self.memory.catch_up()
        self._unsaved.show(self.rules, self.accepts)
        return self.memory.snapshot

    def look_for(self, text: str, files: Container[str]) -> None:
        """Find files with words of ``text`` that are not indexed yet, and show them from the next ``current`` on.

        Looks at those of ``files``, for some seconds at most; at nothing where all is indexed. Raises
        ``CancelledError``.
        """
        self.memory.catch_up()
        self._first_answer.find(without_marks(clean(text)), self.rules, files)

    @property
    def extent(self) -> IndexExtent | None:
        """The number of files that answers draw on, of how many; ``None`` where that is all, or not known yet."""
        extent = self._first_answer.extent()
        return None if extent is None or self.is_complete else IndexExtent(*extent)

    @property
    def is_complete(self) -> bool:
        """Whether everything on disk was indexed when it was last looked at, and nothing is known to have changed since.

        Ask before a snapshot is taken: what changes later makes the answer older than it says, never the other way.
        """
        return not self.indexer.running and self.freshness.is_fresh() and self.store.is_complete()

    @property
    def is_built(self) -> bool:
        """Whether a full run has ended since the index was made."""
        return self.store.is_complete()

    def was_lost(self) -> bool:
        """Whether the index was built and is not any more, as where another process cleared it; true once each time."""
        before, self._was_built = self._was_built, self.is_built
        return before and not self._was_built

    def state(self, snapshot: Snapshot) -> str:
        """``indexing``, ``ready``, ``stale`` (there is an index, but not of everything) or ``empty``."""
        if self._is_indexing():
            return "indexing"
        if self.store.is_complete() and (len(snapshot.view) or not self.store.chunk_count()):
            return "ready"
        return "stale" if snapshot.outlines or self.store.chunk_count() else "empty"

    def version(self) -> tuple[Hashable, ...]:
        """Differs whenever the index or the rules do, in this process or on disk; reads no chunk.

        Unsaved texts count from the next ``current`` on, which is what shows them.
        """
        stored = (self.store.generation(), self.store.is_complete())
        return self.rules, self.memory.version, *stored, self._is_indexing(), self.too_long()

    def _with_open(self, use: Use) -> Use:
        """``use`` with what is open in editors."""
        return replace(use, opened=(*self._unsaved.paths(), *sorted(self.memory.unsaved())))

    def _is_indexing(self) -> bool:
        return self.indexer.running or self.freshness.is_indexing()

    def absence(self) -> tuple[str, ...]:
        """A warning for the user where the workspace itself is not there."""
        return () if self._root.is_dir() else (f"{self._root} is gone; answers show it as it was",)

    def warnings(self) -> tuple[str, ...]:
        """Warnings about the index, the embedder or the ignore files right now, in words for the user."""
        found = filter(None, (self.indexer.problem, self._follower.problem, self.memory.problem))
        shared = (self._shared.problem,) if self._shared and self._shared.problem else ()
        return (*self.absence(), *self.store.warnings(), *found, *shared, *self.rules.warnings())

    def wipe(self) -> None:
        """Delete the index; unsaved texts stay."""
        self.indexer.flush()
        self.store.wipe()
        self.indexer.forget_queue()
        self.memory.forget()

    def stop(self) -> None:
        """Ask running work to end soon, from any thread."""
        self.indexer.stop()

    def close(self) -> None:
        """Finish pending writes and let go of files, connections, threads and worker processes."""
        self._follower.close()
        self.indexer.close()
        self.role.leave()
        self.pool.close()
        self.embedder.close()
        self.store.close()
        # What is mapped keeps its file open until nobody holds it.
        self.memory.snapshot = Snapshot()

    def _load_rules(self, before: IgnoreRules | None = None) -> IgnoreRules:
        return IgnoreRules(
            self._root,
            patterns=self._settings.ignore,
            include_noise=self._settings.include_noise,
            before=before,
        )
