"""Keystrokes become edits: one event for a stretch of typing, told once the file is left alone or saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextls.lsp.documents import well_formed
from contextls.workspace.regular_file import SOURCE_BYTES, read_bytes

if TYPE_CHECKING:
    from asyncio import TimerHandle
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.lsp.documents import Document
    from contextls.lsp.server import ContextServer

# Somebody who types without a pause is told of in between.
LONGEST_SECONDS = 60.0


@dataclass(slots=True)
class _Open:
    """An open document: its text as last told, as last equal to the disk, and since when it has news."""

    document: Document
    told: str
    clean: str
    since: float | None = None
    timer: TimerHandle | None = None


class Edits:
    """The edits of open documents that are not told yet. Belongs to the event loop."""

    def __init__(self, server: ContextServer) -> None:
        self._server = server
        self._open: dict[Path, _Open] = {}

    def opened(self, document: Document, path: Path) -> None:
        """From here on, what differs from the document's text is an edit."""
        self._forget_timer(path)
        self._open[path] = _Open(document, document.text, document.text)

    def changed(self, path: Path) -> None:
        """The document's text is another now."""
        known = self._open.get(path)
        if known is None:
            return
        now = self._server.loop.time()
        known.since = now if known.since is None else known.since
        self._forget_timer(path)
        wait = min(self._server.settings.edit_seconds, max(0.0, known.since + LONGEST_SECONDS - now))
        known.timer = self._server.loop.call_later(wait, self.tell, path)

    def tell(self, path: Path, *, saved: bool = False) -> None:
        """Record what is not told yet, if anything."""
        known = self._open.get(path)
        if known is None:
            return
        self._forget_timer(path)
        before, after = known.told, known.document.text
        clean, known.told, known.since = known.clean, after, None
        if saved:
            known.clean = after
        workspace = self._server.workspaces.containing(path)
        if before == after or workspace is None:
            return
        # Text that changes by itself to what is on disk was reloaded, by a checkout say: nobody edited it.
        reloaded = before == clean and not saved

        def record(engine: Engine) -> None:
            relative = engine.relative(path)
            if relative is not None and not (reloaded and _on_disk(path) == _plain(after)):
                engine.record_edit(relative, well_formed(before), well_formed(after))

        workspace.write(record, "recording an edit")

    def closed(self, path: Path) -> None:
        """The document was closed: the disk holds the truth, and what was typed but never saved is gone."""
        self._forget_timer(path)
        known = self._open.pop(path, None)
        workspace = self._server.workspaces.containing(path)
        if known is None or workspace is None:
            return
        before, after = _plain(known.told), _plain(known.document.text)
        told_unsaved = known.told != known.clean

        def record(engine: Engine) -> None:
            relative, kept = engine.relative(path), _on_disk(path)
            # Nobody was told of typing that was given up; what was told before is taken back.
            if relative is not None and kept is not None and (told_unsaved or kept == after):
                engine.record_edit(relative, well_formed(before), well_formed(kept))

        if told_unsaved or before != after:
            workspace.write(record, "recording an edit")

    def stop(self) -> None:
        """Tell everything now: the server is about to end."""
        for path in tuple(self._open):
            self.tell(path)

    def _forget_timer(self, path: Path) -> None:
        known = self._open.get(path)
        if known is not None and known.timer is not None:
            known.timer.cancel()
            known.timer = None


def _on_disk(path: Path) -> str | None:
    try:
        return _plain(read_bytes(path, SOURCE_BYTES).decode("utf-8", "replace"))
    except OSError:
        return None


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")
