"""The git history of one workspace: kept up to date in the background, read through an immutable view."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from pathlib import Path

from contextls.errors import StoreError
from contextls.memory.vcs.background_run import BackgroundRun
from contextls.memory.vcs.ingest import Ingest
from contextls.memory.vcs.load import load_view, make_filter
from contextls.memory.vcs.view import CommitView
from contextls.store.history_database import HistoryDatabase
from contextls.store.notices import Notices
from contextls.workspace.git_files import refusal
from contextls.workspace.git_head import head, obstacle
from contextls.workspace.git_log import boundary
from contextls.workspace.ignore import IgnoreRules

# Another process that reads the same history is waited for this long before its result so far is taken.
_LOCK_SECONDS = 30.0
_CLOSING_SECONDS = 5.0


class CommitHistory:
    """Commits of one workspace, cached in SQLite next to the content index. Safe to use from any thread."""

    name = "history"

    def __init__(
        self,
        root: Path,
        database: Path,
        limit: int,
        rules: Callable[[], IgnoreRules],
        notices: Notices | None = None,
    ) -> None:
        """Cheap: opens nothing. ``limit`` is the number of commits to remember; 0 leaves git alone.

        ``rules`` gives the ignore rules in force; what they leave out is in no view.
        """
        self._root = root
        self._path = database
        self._limit = limit
        self._rules = rules
        self._notices = notices
        self._empty = CommitView.empty()
        self._view: CommitView | None = None
        self._loaded: tuple[object, ...] | None = None
        self._database: HistoryDatabase | None = None
        self._checked: tuple[CommitView | None, IgnoreRules | None] = (None, None)
        self._problem: str | None = None
        self._asked = False
        self._shallow = False
        self._working = threading.Lock()  # held while a view is made
        self._background = BackgroundRun(self.catch_up, "contextls-history")

    def snapshot(self) -> CommitView:
        """The newest view; the first call reads what an earlier run stored. Asks no git, waits for no run, never raises."""
        absent = self._view is None and self._limit > 0 and self._path.exists()
        # A run that holds the lock shows its view when it is done; nobody waits for it.
        if absent and self._working.acquire(blocking=False):
            try:
                self._safely(self._load)
            finally:
                self._working.release()
        return self._without_ignored(self._view or self._empty)

    def catch_up(self, cancel: threading.Event | None = None) -> CommitView:
        """Read from git what is new, forget what history no longer holds, and show it.

        Takes seconds the first time. Raises ``CancelledError``; other trouble ends up in ``warnings``.
        """
        if self._limit:
            with self._working:
                self._safely(lambda: self._read(cancel or self._background.stopped))
        return self._view or self._empty

    def follow(self) -> None:
        """``catch_up`` on a thread of low priority; returns at once. Called during a run, it runs once more."""
        if self._limit:
            self._background.start()

    def wait(self, seconds: float) -> bool:
        """Wait until no background run is under way; False when one still is after ``seconds``."""
        return self._background.wait(seconds)

    def version(self) -> Hashable:
        """The newest view itself: another one is another version."""
        return self.snapshot()

    def warnings(self) -> tuple[str, ...]:
        """Reasons why history is not complete, in words for a user; none for a folder without one."""
        shallow = (
            f"the git history of {self._root} is shallow: what changes together is known from "
            f"{len(self.snapshot())} commits; `git fetch --unshallow` brings the rest"
        )
        problem = self._problem or (self._find_refusal() if self._limit else None)
        return tuple(filter(None, (problem, shallow if self._shallow else None)))

    def _find_refusal(self) -> str | None:
        """The reason why git cannot be asked; git is asked for it the first time."""
        if not self._asked and (found := obstacle(self._root)) is not None and not found.ordinary:
            return found.text
        return refusal(self._root)

    def wipe(self) -> None:
        """Forget all commits; the next ``catch_up`` reads them again."""
        with self._working:
            self._safely(lambda: self._open_database().wipe() if self._path.exists() else None)
            self._view = self._loaded = None

    def stop(self) -> None:
        """Ask a running ``catch_up`` to end soon, for good."""
        self._background.stop()

    def close(self) -> None:
        """End background work and let go of the file. Safe to call twice."""
        self._background.stop()
        self._background.wait(_CLOSING_SECONDS)
        if self._database is not None:
            self._database.close()

    def _read(self, cancel: threading.Event) -> None:
        found, self._asked = obstacle(self._root), True
        self._problem = None if found is None or found.ordinary else found.text
        if found is not None:
            self._view = self._empty
            return
        state = head(self._root)
        if state is None or state.commit is None:
            return
        self._shallow = boundary(self._root) != ""
        database = self._open_database()
        if self._view is None:
            self._load()  # what an earlier run stored, until this one is done
        with database.writing(_LOCK_SECONDS) as alone:
            if alone:
                self._problem = Ingest(self._root, database, self._limit, cancel).run(state.commit)
        self._load()

    def _without_ignored(self, view: CommitView) -> CommitView:
        """``view`` without what newer ignore rules leave out."""
        rules = self._rules()
        shown, checked = self._checked
        if shown is view and checked is rules:
            return view
        fit = view.limit_to(make_filter(rules))
        if fit.paths == view.paths:
            fit = view  # another one would be another version
        if self._view in (view, None):
            self._view = fit
        self._checked = (fit, rules)
        return fit

    def _load(self) -> None:
        database = self._open_database()
        rules = self._rules()
        meta = database.meta()
        state = (rules, meta.get("tip"), meta.get("boundary"), meta.get("limit"))
        if self._view is None or state != self._loaded or self._view.head != meta.get("tip", b"").decode():
            view = load_view(database, rules)
            self._view, self._checked, self._loaded = view, (view, rules), state

    def _open_database(self) -> HistoryDatabase:
        if self._database is None:
            self._database = HistoryDatabase(self._path, self._notices)
        return self._database

    def _safely(self, work: Callable[[], object]) -> None:
        try:
            try:
                work()
            except (ValueError, TypeError, LookupError, OverflowError) as error:
                # It is a cache of what git says: rows that make no sense are read again.
                self._open_database().wipe()
                self._view = self._loaded = None
                self._problem = (
                    f"the git history kept at {self._path} was damaged ({error}) and is read again"
                )
        except StoreError as error:
            self._problem = f"git history cannot be kept: {error}"
