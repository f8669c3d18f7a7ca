"""Which file is in front of the user, and when looking at it counts as reading.

Editors have no common word for focus. A file that was opened, is edited, or that a question or an action is about,
comes to the front; clients that know better say so. A file that stays in front for a while was read;
one that is left at once was only passed on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.live.clock import Countdown, to_ms
from contextls.live.file_event import record_file_event
from contextls.model import EventType

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.live.clock import Clock
    from contextls.live.edits import Edits
    from contextls.live.workspaces import Workspaces

# Going back and forth between two files is one piece of work, not news each time, however long it takes: only a file
# that was left alone for so long counts again.
FOCUS_AGAIN_MS = 60_000


class Attention:
    """The file in front. Belongs to the event loop."""

    def __init__(self, workspaces: Workspaces, edits: Edits, clock: Clock) -> None:
        self._workspaces = workspaces
        self._edits = edits
        self._clock = clock
        self._front: Path | None = None
        self._settled = False
        self._countdown = Countdown(clock)
        self._unread: set[Path] = set()
        self._noted: dict[Path, int] = {}  # when each last stayed in front, in ms

    def open_file(self, path: Path) -> None:
        """A file was opened: editors show what they open."""
        if path == self._front:
            self.close_file(path)
        self._unread.add(path)
        self.turn_to(path)

    def turn_to(self, path: Path) -> None:
        """The file came to the front; whether it stays there shows after a while."""
        if path == self._front:
            return
        self.turn_away()
        self._front, self._settled = path, False
        self._await_reading()

    def work_in(self, path: Path) -> None:
        """The user edits, saves or asks about the file: it certainly has been read."""
        self.turn_to(path)
        self._settle()

    def turn_away(self) -> None:
        """Something that is no file of a workspace came to the front."""
        self._countdown.cancel()
        if self._front is not None:
            self._edits.record(self._front)
        self._front = None

    def close_file(self, path: Path) -> None:
        """The file was closed."""
        self._unread.discard(path)
        if path == self._front:
            self._countdown.cancel()
            self._front = None

    def resume(self) -> None:
        """Folders came or went: a file in front that none of them held may be read from now on."""
        if self._front is not None and not self._settled:
            self._await_reading()

    def stop(self) -> None:
        """Forget what has not lasted long enough."""
        self._countdown.cancel()

    def _await_reading(self) -> None:
        self._countdown.restart(to_ms(self._workspaces.settings.read_seconds), self._settle)

    def _settle(self) -> None:
        path = self._front
        workspace = self._workspaces.containing(path)
        if path is None or workspace is None or self._settled:
            return
        self._settled = True
        self._countdown.cancel()
        now = self._clock.now_ms()
        recent = {each: at for each, at in self._noted.items() if now - at < FOCUS_AGAIN_MS}
        if path in self._unread:
            self._unread.discard(path)
            record_file_event(workspace, path, EventType.FILE_READ)
        elif path not in recent:
            # Clients name files here that they have not opened, and that need not exist.
            record_file_event(workspace, path, EventType.FILE_FOCUS, must_exist=True)
        self._noted = recent | {path: now}
