"""Changes on disk that are known and not in answers yet."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from contextls.workspace.reflog import GitFolder, git_folder
from contextls.workspace.stamps import Stamp, stamp_at

# After a move of git so long passes until its files were surely reported by the watcher: editors send what they
# saw of a large checkout in parts, some tenths of a second apart.
SETTLE_NS = 1_500_000_000
# git holds its lock while it writes files; one that is older was left behind by a git that was killed.
LOCK_NS = 60_000_000_000
# Where there is no repository, one may come.
_LOOK_AGAIN_SECONDS = 5.0

Ask = Callable[[], bool]


def _never() -> bool:
    return False


class Freshness:
    """Collects what is known of changes that the snapshot does not show yet. Safe to use from any thread.

    These are updates at work, those that wait in the process that follows the disk, and what git is doing or just did.
    """

    def __init__(self, root: Path) -> None:
        """Cheap: looks at nothing yet."""
        self._root = root
        self._guard = threading.Lock()
        self._updates = 0
        self._waits: Ask = _never
        self._indexes: Ask = _never
        self._folder: GitFolder | None = None
        self._looked = -_LOOK_AGAIN_SECONDS
        self._absorbed: tuple[Stamp | None, ...] | None = None

    def listen(self, waits: Ask, indexes: Ask) -> None:
        """Ask the owner of the workspace too: whether changes wait, and whether a full run is at work or about to begin."""
        self._waits, self._indexes = waits, indexes

    @contextmanager
    def updating(self) -> Iterator[None]:
        """Count as not fresh while the block runs."""
        with self._guard:
            self._updates += 1
        try:
            yield
        finally:
            with self._guard:
                self._updates -= 1

    @contextmanager
    def looking_at_all(self) -> Iterator[None]:
        """A full run: when it ends well, what git did before it began is known."""
        moved = self._git_stamps()
        with self.updating():
            yield
        self._absorbed = moved

    def is_indexing(self) -> bool:
        """Whether a full run is at work or about to begin, as far as the owner of the workspace knows."""
        return self._indexes()

    def is_fresh(self) -> bool:
        """Whether nothing is known to have changed since the snapshot was made; costs a few looks at files."""
        if self._updates or self._waits() or self._indexes():
            return False
        return not self._git_is_at_work()

    def _git_is_at_work(self) -> bool:
        stamps = self._git_stamps()
        now = time.time_ns()
        *places, lock = stamps or (None,)
        if lock is not None and now - lock.changed < LOCK_NS:
            return True
        if stamps == self._absorbed:
            return False
        if any(place is not None and 0 <= now - place.changed < SETTLE_NS for place in places):
            return True
        self._absorbed = stamps
        return False

    def _git_stamps(self) -> tuple[Stamp | None, ...]:
        """The stamps of HEAD, its log, the index and the lock that git holds while it changes files; empty without git."""
        if self._folder is None and time.monotonic() - self._looked > _LOOK_AGAIN_SECONDS:
            self._looked = time.monotonic()
            self._folder = git_folder(self._root)
        folder = self._folder
        if folder is None:
            return ()
        own = folder.own
        return tuple(
            stamp_at(place) for place in (own / "HEAD", folder.moves, own / "index", own / "index.lock")
        )
