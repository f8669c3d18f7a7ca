"""Quarantine for a store that cannot be read: it is moved aside, never silently deleted, and a new one begins."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from contextls.errors import StoreError
from contextls.store.state_place import read_regular
from contextls.workspace.regular_file import blocks
from contextls.workspace.whole_file import replace_file

COMPANIONS = ("-wal", "-shm")
_NOTE = ".txt"
_MAX_NOTE_BYTES = 4_000


class DamagedError(StoreError):
    """A store exists, but its content makes no sense. ``quarantine`` moves it out of the way.

    ``log`` is what the file's log held before SQLite looked at it, where that was kept.
    """

    log: bytes = b""


class NewerError(StoreError):
    """A store was written by a newer contextls, whose form of it is not known here."""


def quarantine(path: Path, *, keep_all: bool) -> Path:
    """Move a damaged file or folder, with SQLite's companions, to ``<name>.damaged`` next to it and return that place.

    With ``keep_all`` an earlier one is never overwritten (``.damaged-2`` and so on); without it is replaced.
    Raises ``StoreError``.
    """
    place = _free_place(path) if keep_all else path.with_name(f"{path.name}.damaged")
    try:
        for ending in (*COMPANIONS, ""):
            source, target = path.with_name(path.name + ending), place.with_name(place.name + ending)
            remove(target)
            if os.path.lexists(source):
                source.rename(target)
    except OSError as error:
        raise StoreError(
            f"{path} is damaged and cannot be moved away ({error}); delete it by hand"
        ) from error
    return place


def set_aside(path: Path, log: bytes) -> Path:
    """Give a damaged file a second name, ``<name>.damaged`` or the next that is free, and return it; so to its ``log``.

    The file keeps its own name until another takes it. Raises ``OSError``.
    """
    for known in list_quarantined(path):
        if known.is_file() and known.samefile(path):
            return known  # a process was killed after it had come so far
    place = _free_place(path)
    try:
        os.link(path, place)
    except OSError:  # a file system without second names
        replace_file(place, blocks(path))
    if log:
        replace_file(place.with_name(place.name + COMPANIONS[0]), [log])
    return place


def list_quarantined(path: Path) -> list[Path]:
    """The files that were moved away from ``path`` and still lie there, oldest name first."""
    found = path.parent.glob(f"{path.name}.damaged*")
    return sorted(place for place in found if not place.name.endswith((*COMPANIONS, _NOTE)))


def describe_quarantined(path: Path, what: str) -> tuple[str, ...]:
    """The notes on everything that was moved away from ``path``; ``what`` describes what has none."""
    return tuple(
        _note_of(place) or f"{what}; the damaged file is kept at {place}" for place in list_quarantined(path)
    )


def remove(path: Path) -> None:
    """Delete a file or a folder with everything in it; nothing happens when there is none. Raises ``OSError``."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _free_place(path: Path) -> Path:
    place = path.with_name(f"{path.name}.damaged")
    number = 2
    while os.path.lexists(place):
        place = path.with_name(f"{path.name}.damaged-{number}")
        number += 1
    return place


def _note_of(place: Path) -> str:
    try:
        said = read_regular(place.with_name(place.name + _NOTE), _MAX_NOTE_BYTES)
    except OSError:
        return ""
    return " ".join((said or b"").decode("utf-8", "replace").split())
