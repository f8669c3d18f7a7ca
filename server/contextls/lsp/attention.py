"""Which file is in front of the user, and when looking at it counts as reading.

The protocol has no word for focus. A document that was opened, is edited, or that a question or an action is about,
comes to the front; clients that know better say ``context/didFocus``. A file that stays in front for a while was read;
one that is left at once was only passed on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.model import EventType, NewEvent, Outcome

if TYPE_CHECKING:
    from asyncio import TimerHandle
    from collections.abc import Callable
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer

# Going back and forth between two files is one piece of work, not news each time.
FOCUS_AGAIN_SECONDS = 60.0


class Attention:
    """The file in front. Belongs to the event loop."""

    def __init__(self, server: ContextServer) -> None:
        self._server = server
        self._front: Path | None = None
        self._settled = False
        self._timer: TimerHandle | None = None
        self._unread: set[Path] = set()
        self._noted: dict[Path, float] = {}

    def opened(self, path: Path) -> None:
        """A document was opened: editors show what they open."""
        self._unread.add(path)
        if path == self._front:
            self.closed(path)
            self._unread.add(path)
        self.turned_to(path)

    def turned_to(self, path: Path) -> None:
        """The file came to the front; whether it stays there shows after a while."""
        if path == self._front:
            return
        self.turned_away()
        self._front, self._settled = path, False
        self._timer = self._server.loop.call_later(self._server.settings.read_seconds, self._settle)

    def worked_in(self, path: Path) -> None:
        """The user edits, saves or asks about the file: it certainly has been read."""
        self.turned_to(path)
        self._settle()

    def asked_about(self, uri: str | None) -> None:
        """A question has this document as its place."""
        document = self._server.documents.get(uri) if uri else None
        if document is not None and document.path is not None:
            self.worked_in(document.path)

    def turned_away(self) -> None:
        """Something that is no file of a workspace came to the front."""
        self._forget_timer()
        if self._front is not None:
            self._server.edits.tell(self._front)
        self._front = None

    def closed(self, path: Path) -> None:
        """The document was closed."""
        self._unread.discard(path)
        if path == self._front:
            self._forget_timer()
            self._front = None

    def stop(self) -> None:
        """Forget what has not lasted long enough."""
        self._forget_timer()

    def _settle(self) -> None:
        path = self._front
        if path is None or self._settled:
            return
        self._settled = True
        self._forget_timer()
        now = self._server.loop.time()
        if path in self._unread:
            self._unread.discard(path)
            self._record(EventType.FILE_READ, path)
        elif now - self._noted.get(path, -FOCUS_AGAIN_SECONDS) >= FOCUS_AGAIN_SECONDS:
            self._record(EventType.FILE_FOCUS, path)
        self._noted[path] = now

    def _record(self, kind: EventType, path: Path) -> None:
        workspace = self._server.workspaces.containing(path)
        if workspace is not None:
            workspace.write(recording(kind, path), f"recording a {kind}")

    def _forget_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def recording(kind: EventType, path: Path) -> Callable[[Engine], None]:
    """A writing job that records an event about one file, if the workspace accepts it."""

    def record(engine: Engine) -> None:
        relative = engine.relative(path)
        if relative is not None and engine.accepts(relative):
            engine.record(NewEvent(kind, {"path": relative}, Outcome.SUCCESS))

    return record
