"""Files that changed on disk, by whomever: what becomes of them in the events and in the index."""

from __future__ import annotations

import stat
import time
from typing import TYPE_CHECKING

from contextls.model import EventType, NewEvent, Outcome
from contextls.workspace.stamps import Stamp, stamp_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from contextls.engine import Engine

# A checkout or a generator touches more files at once than a person does: one event then stands for all.
_MANY_FILES = 50
_PATHS_NAMED = 20
_KEPT_STAMPS = 4096
# Formatting after a save, or saving again at once, is one piece of work.
_BURST_SECONDS = 2.0
_ECHO_SECONDS = 10.0


class WrittenFiles:
    """Takes in files that changed on disk. Belongs to the writing thread.

    A save is reported twice by most editors, as ``didSave`` and as a watched change, and so is a rename: a file whose
    stamp is that of the last report is not taken in again, unless it may have changed without its stamp telling.
    """

    def __init__(self) -> None:
        self._stamps: dict[Path, Stamp] = {}
        self._told: dict[Path, float] = {}
        self._moved: dict[Path, tuple[float, float]] = {}
        self._gone: dict[Path, float] = {}

    def take(self, engine: Engine, paths: Iterable[Path]) -> None:
        """Record what happened and bring the index up to date."""
        fresh = {
            relative: path
            for path in paths
            if self._is_new(path)
            and (relative := engine.place(path)) is not None
            and engine.concerns(relative)
        }
        if not fresh:
            return
        # Of a link that took a file's place no event tells: it may lead anywhere.
        told = {
            relative: path
            for relative, path in fresh.items()
            if not self._is_echo(path) and engine.accepts(relative)
        }
        try:
            self._record(engine, told)
        finally:
            engine.update_files(fresh)

    def _record(self, engine: Engine, told: Mapping[str, Path]) -> None:
        if len(told) > _MANY_FILES:
            content = {"count": len(told), "paths": sorted(told)[:_PATHS_NAMED]}
            engine.record(NewEvent(EventType.FILES_CHANGED, content, Outcome.SUCCESS))
        else:
            self._tell(engine, told)

    def renamed(self, engine: Engine, pairs: Iterable[tuple[Path, Path]]) -> None:
        """The editor renamed files or folders: (old, new)."""
        changed: list[str] = []
        for old, new in pairs:
            self._moved[old] = self._moved[new] = (time.monotonic(), time.time())
            origin, place = (_accepted(engine, path) for path in (old, new))
            if place is not None:
                self._is_new(new)
                self._tell_rename(engine, origin, place)
            elif origin is not None:
                engine.record(NewEvent(EventType.FILE_DELETE, {"path": origin}, Outcome.SUCCESS))
            changed.extend(path for path in (origin, place) if path is not None)
        if changed:
            engine.update_files(changed)

    def _tell(self, engine: Engine, files: Mapping[str, Path]) -> None:
        gone = {relative for relative, path in files.items() if _kind(path) is None}
        origins = engine.moved(gone, files.keys() - gone)
        moved = set(origins.values())
        missed = engine.remembered(gone - moved)
        for relative, path in files.items():
            if relative in origins:
                self._tell_rename(engine, origins[relative], relative)
            elif relative in gone:
                if relative in missed:
                    engine.record(NewEvent(EventType.FILE_DELETE, {"path": relative}, Outcome.SUCCESS))
            elif _kind(path) == stat.S_IFREG and not self._in_burst(path):
                engine.record(NewEvent(EventType.FILE_WRITE, {"path": relative}, Outcome.SUCCESS))

    @staticmethod
    def _tell_rename(engine: Engine, origin: str | None, place: str) -> None:
        """A file that comes from where nothing is remembered is a new one."""
        if origin is None:
            engine.record(NewEvent(EventType.FILE_WRITE, {"path": place}, Outcome.SUCCESS))
        else:
            engine.record(NewEvent(EventType.FILE_RENAME, {"path": place, "from": origin}, Outcome.SUCCESS))

    def _in_burst(self, path: Path) -> bool:
        now = time.monotonic()
        told = self._told.get(path)
        if told is not None and now - told < _BURST_SECONDS:
            return True
        if len(self._told) >= _KEPT_STAMPS:
            self._told.clear()
        self._told[path] = now
        return False

    def _is_echo(self, path: Path) -> bool:
        """Whether this only says once more that something was renamed or deleted."""
        now = time.monotonic()
        self._gone = {place: moment for place, moment in self._gone.items() if now - moment < _ECHO_SECONDS}
        if path.exists():
            self._gone.pop(path, None)
        elif self._gone.setdefault(path, now) != now:
            return True
        self._moved = {
            place: moment for place, moment in self._moved.items() if now - moment[0] < _ECHO_SECONDS
        }
        for place in (path, *path.parents):
            if place in self._moved:
                try:
                    return path.stat().st_mtime <= self._moved[place][1]
                except OSError:
                    return True
        return False

    def _is_new(self, path: Path) -> bool:
        stamp = stamp_at(path)
        if stamp is None or _kind(path) != stat.S_IFREG:
            self._stamps.pop(path, None)
            return True
        if self._stamps.get(path) == stamp:
            return False
        if len(self._stamps) >= _KEPT_STAMPS:
            self._stamps.clear()
        self._stamps[path] = stamp.trusted(time.time_ns())
        return True


def _kind(path: Path) -> int | None:
    """Whether a file or a folder is at ``path``; ``None`` for anything else, links included."""
    stamp = stamp_at(path)
    kind = None if stamp is None else stat.S_IFMT(stamp.mode)
    return kind if kind in (stat.S_IFREG, stat.S_IFDIR) else None


def _accepted(engine: Engine, path: Path) -> str | None:
    relative = engine.relative(path)
    return relative if relative is not None and engine.accepts(relative) else None
