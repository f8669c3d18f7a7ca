"""Files that changed on disk: what becomes of them in the events and in the index."""

from __future__ import annotations

import stat
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, TypeAlias

from contextls.model import EventType, NewEvent, Outcome
from contextls.store.times import now_ms
from contextls.workspace.stamps import Stamp, changed_ms, stamp_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.live.clock import Clock

# Takes relative paths of files that are to be indexed as they are now.
Update: TypeAlias = "Callable[[Iterable[str]], None]"

# A checkout or a generator touches more files at once than a person does: one event then stands for all.
_MAX_FILES_EACH = 50
_MAX_PATHS_NAMED = 20
_MAX_KEPT = 4096
# Formatting after a save, or saving again at once, is one piece of work.
_BURST_MS = 2_000
_ECHO_MS = 10_000


class WrittenFiles:
    """Takes in files that changed on disk. Belongs to the writing thread.

    A save is reported twice by most editors, as a save and as a change on disk, and so is a rename: a file whose
    stamp is that of the last report is not taken in again, unless it may have changed without its stamp telling, or went
    with its folder and came back with it.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._stamps: dict[Path, Stamp] = {}
        self._recorded: dict[Path, int] = {}  # when a write was recorded last, in ms
        # Both with the oldest first; moves in ms, and as times of files are kept.
        self._moved: OrderedDict[Path, tuple[int, float]] = OrderedDict()
        self._gone: OrderedDict[Path, int] = OrderedDict()

    def take(self, paths: Iterable[Path], engine: Engine, update: Update) -> None:
        """Record what happened, then ``update`` the index."""
        fresh: dict[str, Path] = {}
        for path in paths:
            is_new = self._is_new(path)
            relative = engine.upkeep.place(path)
            if (
                relative is not None
                and (is_new or not engine.upkeep.finds(relative))
                and engine.upkeep.concerns(relative)
            ):
                fresh[relative] = path
        if not fresh:
            return
        # No event is recorded of a link that took a file's place: it may lead anywhere.
        recorded = {
            relative: path
            for relative, path in fresh.items()
            if not self._is_echo(path) and engine.accepts(relative)
        }
        try:
            self._record(engine, recorded)
        finally:
            update(fresh)

    def _record(self, engine: Engine, files: Mapping[str, Path]) -> None:
        files = self._record_folders(engine, files)
        if len(files) > _MAX_FILES_EACH:
            content = {"count": len(files), "paths": sorted(files)[:_MAX_PATHS_NAMED]}
            engine.record(_change_event(EventType.FILES_CHANGED, content))
        else:
            self._record_each(engine, files)

    def take_renames(self, pairs: Iterable[tuple[Path, Path]], engine: Engine, update: Update) -> None:
        """Record files or folders that the editor renamed, as (old, new), then ``update`` the index."""
        changed: list[str] = []
        for old, new in pairs:
            for path in (old, new):
                self._moved[path] = (self._clock.now_ms(), time.time())
                self._moved.move_to_end(path)
            origin, place = (_relative_if_accepted(engine, path) for path in (old, new))
            if place is not None:
                self._is_new(new)
                self._record_rename(engine, origin, place)
            elif origin is not None:
                engine.record(_change_event(EventType.FILE_DELETE, {"path": origin}))
            changed.extend(path for path in (origin, place) if path is not None)
        if changed:
            update(changed)

    def _record_folders(self, engine: Engine, files: Mapping[str, Path]) -> Mapping[str, Path]:
        """Record the folders that were moved; return those of ``files`` that remain to be recorded."""
        gone = {relative for relative, path in files.items() if _kind(path) is None}
        moves = engine.upkeep.find_folder_moves(gone, files.keys() - gone)
        left = dict(files)
        for (old, new), same in moves.items():
            self._record_rename(engine, old, new)
            for name in files:
                if name in (old, new) or name in same or name.startswith(f"{old}/"):
                    left.pop(name, None)
        return left

    def _record_each(self, engine: Engine, files: Mapping[str, Path]) -> None:
        gone = {relative for relative, path in files.items() if _kind(path) is None}
        origins = engine.upkeep.find_moves(gone, files.keys() - gone)
        moved = set(origins.values())
        missed = engine.upkeep.find_known(gone - moved)
        for relative, path in files.items():
            if relative in origins:
                self._record_rename(engine, origins[relative], relative)
            elif relative in gone:
                if relative in missed:
                    engine.record(_change_event(EventType.FILE_DELETE, {"path": relative}))
            elif _kind(path) == stat.S_IFREG and not self._in_burst(path):
                engine.record(_change_event(EventType.FILE_WRITE, {"path": relative}, path))

    @staticmethod
    def _record_rename(engine: Engine, origin: str | None, place: str) -> None:
        """A file that comes from where nothing is remembered is a new one."""
        if origin is None:
            engine.record(_change_event(EventType.FILE_WRITE, {"path": place}, engine.root / place))
        else:
            engine.record(_change_event(EventType.FILE_RENAME, {"path": place, "from": origin}))

    def _in_burst(self, path: Path) -> bool:
        now = self._clock.now_ms()
        recorded = self._recorded.get(path)
        if recorded is not None and now - recorded < _BURST_MS:
            return True
        if len(self._recorded) >= _MAX_KEPT:
            self._recorded.clear()
        self._recorded[path] = now
        return False

    def _is_echo(self, path: Path) -> bool:
        """Whether this only says once more that something was renamed or deleted."""
        now = self._clock.now_ms()
        self._forget_until(now - _ECHO_MS)
        if stamp_at(path) is not None:
            self._gone.pop(path, None)
        elif path in self._gone:
            return True
        else:
            self._gone[path] = now
        for place in (path, *path.parents):
            if place in self._moved:
                try:
                    return path.stat().st_mtime <= self._moved[place][1]
                except OSError:
                    return True
        return False

    def _forget_until(self, ms: int) -> None:
        """Forget the renames and deletions up to a moment."""
        while self._gone and next(iter(self._gone.values())) <= ms:
            self._gone.popitem(last=False)
        while self._moved and next(iter(self._moved.values()))[0] <= ms:
            self._moved.popitem(last=False)

    def _is_new(self, path: Path) -> bool:
        stamp = stamp_at(path)
        if stamp is None or _kind(path) != stat.S_IFREG:
            self._stamps.pop(path, None)
            return True
        if self._stamps.get(path) == stamp:
            return False
        if len(self._stamps) >= _MAX_KEPT:
            self._stamps.clear()
        self._stamps[path] = stamp.distrust_recent(time.time_ns())
        return True


def _change_event(kind: EventType, content: Mapping[str, object], file: Path | None = None) -> NewEvent:
    """A change on disk: every process on the workspace notices it, and the first one records it."""
    stamp = None if file is None else stamp_at(file)
    since = now_ms() - _ECHO_MS if stamp is None else changed_ms(stamp)
    return NewEvent(kind, content, Outcome.SUCCESS, new_since=since)


def _kind(path: Path) -> int | None:
    """Whether a file or a folder is at ``path``; ``None`` for anything else, links included."""
    stamp = stamp_at(path)
    kind = None if stamp is None else stat.S_IFMT(stamp.mode)
    return kind if kind in (stat.S_IFREG, stat.S_IFDIR) else None


def _relative_if_accepted(engine: Engine, path: Path) -> str | None:
    relative = engine.relative(path)
    return relative if relative is not None and engine.accepts(relative) else None
