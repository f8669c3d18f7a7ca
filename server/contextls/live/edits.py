"""Keystrokes become edits: one event for a stretch of typing, recorded once the file is left alone or saved."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from contextls.live.clock import Countdown, to_ms
from contextls.store.times import now_ms
from contextls.text.surrogates import repair_surrogates
from contextls.workspace.read import read_plain, to_plain

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.live.clock import Clock
    from contextls.live.workspace import Workspace
    from contextls.live.workspaces import Workspaces

# Typing without a pause is recorded at least this often.
MAX_TYPING_MS = 60_000
# An editor's save has reached the disk at most this long after it was announced.
SAVING_MS = 10_000
# Texts are analysed at some 3 characters a microsecond. What takes longer than this is not waited for by other events.
_MAX_CHARS_IN_ORDER = 150_000


class _SuspectedReload(Struct):
    """Text that was taken for reloaded at a moment, as the disk held it already; ``before`` is what it replaced."""

    before: str
    at: int
    is_unrecorded: bool = False


class _OpenFile(Struct):
    """An open file: its text now, as last recorded and as last equal to the disk, and since when it has news."""

    text: str
    recorded: str
    clean: str
    countdown: Countdown
    since: int | None = None
    reload: _SuspectedReload | None = None


class Edits:
    """The edits of open files that are not recorded yet. Belongs to the event loop."""

    def __init__(self, workspaces: Workspaces, clock: Clock) -> None:
        self._workspaces = workspaces
        self._clock = clock
        self._open: dict[Path, _OpenFile] = {}

    def open_file(self, path: Path, text: str) -> None:
        """From here on, what differs from ``text`` is an edit."""
        self._cancel_countdown(path)
        self._open[path] = _OpenFile(text, text, text, Countdown(self._clock))

    def change_text(self, path: Path, text: str) -> None:
        """The file's text is another now."""
        file = self._open.get(path)
        if file is None:
            return
        file.text = text
        if self._workspaces.containing(path) is None:
            return
        now = self._clock.now_ms()
        file.since = now if file.since is None else file.since
        wait = min(to_ms(self._workspaces.settings.edit_seconds), max(0, file.since + MAX_TYPING_MS - now))
        file.countdown.restart(wait, partial(self.record, path))

    def record(self, path: Path, *, saved: bool = False) -> None:
        """Record what is not recorded yet, if anything; in a file of no workspace it waits for one, until it is saved."""
        file = self._open.get(path)
        if file is None:
            return
        file.countdown.cancel()
        file.since = None
        workspace = self._workspaces.containing(path)
        if workspace is None:
            if saved:
                file.recorded = file.clean = file.text
            return
        before, after, clean = file.recorded, file.text, file.clean
        file.recorded = after
        if saved:
            file.clean = after
        reload, file.reload = file.reload, None
        if before == after:
            if saved and reload is not None and self._clock.now_ms() - reload.at <= SAVING_MS:
                self._record_saved(path, reload, after, workspace)
            return
        # Text that changes by itself to what is on disk was reloaded, by a checkout say, and not edited; or it is being
        # saved, and the client has not said so yet.
        if before == clean and not saved:
            file.reload = _SuspectedReload(before, self._clock.now_ms())
        self._record_change(path, before, after, file.reload, workspace)

    def _record_change(
        self, path: Path, before: str, after: str, reload: _SuspectedReload | None, workspace: Workspace
    ) -> None:
        """Record an edit, unless the text was only reloaded: then the disk holds it."""
        at = now_ms()

        def record_edit(engine: Engine) -> None:
            relative = engine.relative(path)
            if relative is None:
                return
            if reload is not None and read_plain(path, after) == to_plain(after):
                reload.is_unrecorded = True
                return
            _record_edit(workspace, engine, relative, before, after, at)

        workspace.write_edit(record_edit)

    def _record_saved(self, path: Path, reload: _SuspectedReload, after: str, workspace: Workspace) -> None:
        """Record what was taken for reloaded, and was on its way to the disk."""
        at = now_ms()

        def record_edit(engine: Engine) -> None:
            relative = engine.relative(path)
            if relative is not None and reload.is_unrecorded:
                _record_edit(workspace, engine, relative, reload.before, after, at)

        workspace.write_edit(record_edit)

    def close_file(self, path: Path) -> None:
        """The file was closed: the disk holds the truth, and what was typed but never saved is gone."""
        self._cancel_countdown(path)
        file = self._open.pop(path, None)
        workspace = self._workspaces.containing(path)
        if file is None or workspace is None:
            return
        before, after = to_plain(file.recorded), to_plain(file.text)
        recorded_unsaved, at = file.recorded != file.clean, now_ms()

        def record_edit(engine: Engine) -> None:
            relative, kept = engine.relative(path), read_plain(path, after)
            # Typing that was given up was never recorded; what was recorded before is taken back.
            if relative is not None and kept is not None and (recorded_unsaved or kept == after):
                _record_edit(workspace, engine, relative, before, kept, at)

        if recorded_unsaved or before != after:
            workspace.write_edit(record_edit)

    def record_all(self) -> None:
        """Record everything now: the live workspaces are about to end."""
        for path in tuple(self._open):
            self.record(path)

    def _cancel_countdown(self, path: Path) -> None:
        file = self._open.get(path)
        if file is not None:
            file.countdown.cancel()


def _record_edit(workspace: Workspace, engine: Engine, path: str, before: str, after: str, at: int) -> None:
    """Record an edit now, or that of a large file as soon as it is analysed.

    On a busy machine either is late: ``at`` says when it was, so that what was run after it is not taken for earlier.
    """
    texts = repair_surrogates(before), repair_surrogates(after)
    if len(before) + len(after) <= _MAX_CHARS_IN_ORDER:
        engine.upkeep.record_edit(path, *texts, at=at)
        return
    workspace.follow(
        engine, lambda engine: engine.upkeep.record_edit(path, *texts, at=at), "recording an edit"
    )
