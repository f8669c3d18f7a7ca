"""Follow changes on disk where the editor does not do it for us."""

from __future__ import annotations

import logging
import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

from contextls.errors import CancelledError
from contextls.text.surrogates import is_encodable
from contextls.workspace.ignore import IgnoreRules, is_ignore_file
from contextls.workspace.scan import scan

OnChange = Callable[[frozenset[str], frozenset[str]], None]
OnProblem = Callable[[str], None]

_BURST_MS = 100  # a burst is reported at the latest this long after its first change
_STEP_MS = 25  # and at the earliest when nothing happened for this long; a stop is noticed as fast
# Where the system does not tell of changes, the files are looked at: not at once, and seldom where there are many.
_POLL_MS, _POLL_MS_PER_FOLDER = 2_000, 2
_ROOT_GONE_SECONDS = 0.5
_TRIES = 3  # while folders come and go
_DELETED = 3  # the notifier's number for it
_NO_LIMIT = sys.maxsize

_log = logging.getLogger(__name__)


class Watcher:
    """Reports what changed below ``root``, in batches, from a thread of its own.

    ``on_change(changed, deleted)`` gets relative paths. ``changed`` are accepted files; ``deleted`` may name
    folders, of which everything below is gone. What the rules leave out is not reported. On Linux ignored
    folders are not even watched; elsewhere the system watches the whole tree with one handle. A change of an
    ignore file is reported like any other, and the set of watched folders follows it.

    Where the system has no handles left, the files are looked at from time to time. ``on_problem`` gets a message then,
    and when watching must end. ``on_gap`` is called when anything may have changed without being told.
    """

    def __init__(
        self,
        root: Path,
        rules: IgnoreRules,
        on_change: OnChange,
        on_problem: OnProblem | None = None,
        on_gap: Callable[[], None] = lambda: None,
    ) -> None:
        self._root = root
        self._rules = rules
        self._on_change = on_change
        self._on_problem = on_problem or _log.warning
        self._on_gap = on_gap
        self._stop = threading.Event()
        self._per_folder = sys.platform == "linux"
        self._polls = False
        self._has_gap = False  # the notifier fell silent, and what it had seen is lost
        self._rests_until = 0.0
        self.stirred = False  # something happened that was not reported yet
        self.ready = threading.Event()  # set when changes from now on will be seen
        self._thread = threading.Thread(target=self._run, name=f"watch {root.name}", daemon=True)

    def start(self) -> None:
        """Begin to watch; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """End within a blink, also while all folders are listed; nothing is reported after this returns.

        Safe to call twice and before ``start``.
        """
        self._stop.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        came_back = False
        while not self._stop.is_set():
            try:
                self._watch_until_gone(report_all=came_back)
            except CancelledError:
                return
            except (OSError, WatchfilesRustInternalError, UnicodeEncodeError) as error:
                if self._root.is_dir():
                    self._on_problem(
                        f"{self._root}: cannot watch for changes ({error}); save or re-index to update"
                    )
                    self.ready.set()
                    return
            came_back = True
            self._stop.wait(_ROOT_GONE_SECONDS)

    def _watch_until_gone(self, report_all: bool) -> None:
        if not self._root.is_dir():
            self.ready.set()
            return
        folders, gone = self._folders(), False
        notifier = self._notifier(folders)
        paths = self._find_unwatched(folders) | ({""} if report_all else set())
        try:
            while not self._stop.is_set():
                unwatched: set[str] = set()
                if self._has_gap:
                    self._rest(len(folders))
                if self._has_gap or (self._per_folder and self._moves_folders(paths, folders)):
                    # The new watch stands before the old one falls, so nothing gets lost between the two; where files are
                    # looked at from time to time, the old one looks once more.
                    overlap = _poll_ms(len(folders)) + _BURST_MS if self._polls else 1
                    gone = gone or not self._root.is_dir()
                    folders = self._folders()
                    fresh = self._notifier(folders)
                    late, lost = self._wait_for_changes(notifier, overlap)
                    notifier.close()
                    notifier = fresh
                    paths, gone = paths | late, gone or lost
                    unwatched = self._find_unwatched(folders)
                self._report(paths)
                if self._has_gap:
                    self._has_gap = False
                    self._on_gap()
                self.stirred = False
                if gone or not self._root.is_dir():
                    return
                paths = unwatched
                if not unwatched:
                    if not self.ready.is_set():
                        _log.info("watching %s", self._root)
                        self.ready.set()
                    paths, gone = self._wait_for_changes(notifier, 1_000)
        finally:
            self.stirred = False
            notifier.close()

    def _wait_for_changes(self, notifier: RustNotify, milliseconds: int) -> tuple[set[str], bool]:
        """Wait for changes at most so long; and whether the root itself went, though another may be there."""
        try:
            seen = notifier.watch(
                min(_BURST_MS, milliseconds), min(_STEP_MS, milliseconds), milliseconds, self._stop
            )
        except WatchfilesRustInternalError as error:  # a name that is not UTF-8 is enough
            _log.info("%s: looking for what the system could not tell (%s)", self._root, error)
            self._has_gap = self.stirred = True
            return set(), False
        if isinstance(seen, str):
            return set(), False
        self.stirred = True
        return self._relative(path for _, path in seen), (_DELETED, str(self._root)) in seen

    def _rest(self, folders: int) -> None:
        """Wait where the last gap was just now: whoever goes through badly named files makes one after the other."""
        self._stop.wait(self._rests_until - time.monotonic())
        self._rests_until = time.monotonic() + _poll_ms(folders) / 1000

    def _find_unwatched(self, folders: frozenset[str]) -> set[str]:
        """Folders made after ``folders`` were listed and before their parents were watched, which no watch reports."""
        return set(self._folders() - folders) if self._per_folder else set()

    def _folders(self) -> frozenset[str]:
        if not self._per_folder:
            return frozenset({""})
        return frozenset(scan(self._root, self._rules, _NO_LIMIT, cancel=self._stop).folders)

    def _notifier(self, folders: frozenset[str]) -> RustNotify:
        # The notifier that bears folders which vanished or closed since they were listed is silent about its limit, too.
        for _ in range(_TRIES if self._per_folder and not self._polls else 0):
            try:
                return self._make_notifier(folders, bears_all=False)
            except (FileNotFoundError, PermissionError):
                continue
            except (OSError, WatchfilesRustInternalError) as error:
                if not self._root.is_dir():
                    raise
                self._polls = True
                self._on_problem(
                    f"{self._root}: the system tells of no more changes ({error}), so files are looked at every few "
                    "seconds; a higher fs.inotify.max_user_watches or max_user_instances brings them at once"
                )
                break
        return self._make_notifier(folders, bears_all=True)

    def _make_notifier(self, folders: frozenset[str], *, bears_all: bool) -> RustNotify:
        # A folder deeper than the system can name cannot be watched.
        places = [place for folder in folders if os.path.isdir(place := str(self._root / folder))]  # noqa: PTH112
        return RustNotify(
            [place for place in places if os.access(place, os.R_OK)],
            debug=False,
            force_polling=self._polls,
            poll_delay_ms=_poll_ms(len(places)),
            recursive=not self._per_folder,
            ignore_permission_denied=bears_all,
        )

    def _relative(self, paths: Iterable[str]) -> set[str]:
        prefix = f"{self._root}{os.sep}"
        return {path[len(prefix) :].replace(os.sep, "/") for path in paths if path.startswith(prefix)}

    def _moves_folders(self, paths: set[str], folders: frozenset[str]) -> bool:
        """Whether a folder came or went, or an ignore file decides again which ones count."""
        for path in paths:
            if path in folders or is_ignore_file(path):
                return True
            if self._mode(path) == stat.S_IFDIR and self._rules.reason(path, is_dir=True) is None:
                return True
        return False

    def _report(self, paths: Iterable[str]) -> None:
        changed: set[str] = set()
        deleted: set[str] = set()
        for path in paths:
            mode = self._mode(path)
            if mode == stat.S_IFDIR:
                inside = scan(self._root, self._rules, _NO_LIMIT, below=path, cancel=self._stop).files
                changed |= {file.path for file in inside}
                if path and not inside and is_encodable(path) and self._rules.reason(path) is None:
                    deleted.add(path)  # nothing is there that would tell of a file whose name it took
            elif is_encodable(path) and self._rules.reason(path) is None:
                (changed if mode == stat.S_IFREG else deleted).add(path)
        if (changed or deleted) and not self._stop.is_set():
            try:
                self._on_change(frozenset(changed), frozenset(deleted))
            except Exception:  # the receiver's mistake must not end the watch
                _log.exception("a batch of changes could not be handled")

    def _mode(self, path: str) -> int | None:
        """The kind of entry on disk now (links are not followed); None when there is none."""
        try:
            return stat.S_IFMT((self._root / path).lstat().st_mode)
        except (OSError, ValueError):
            return None


def _poll_ms(folders: int) -> int:
    return _POLL_MS + _POLL_MS_PER_FOLDER * folders
