"""What happens to a store that cannot be read: it is moved aside, never silently deleted, and a new one begins."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

from contextls.errors import StoreError

Store = TypeVar("Store")

_COMPANIONS = ("-wal", "-shm")


class DamagedError(StoreError):
    """A store exists, but its content makes no sense. ``quarantine`` moves it out of the way."""


def opened_or_new(path: Path, opening: Callable[[], Store], *, keep_all: bool) -> Store:
    """What ``opening`` returns; when it finds ``path`` damaged, the file is quarantined and opened anew.

    Of several processes that find the damage at the same time one moves the file, the others open the new one.
    """
    try:
        return opening()
    except DamagedError:
        with FileLock(path.with_name(f"{path.name}.lock")):
            try:
                return opening()
            except DamagedError:
                quarantine(path, keep_all=keep_all)
            return opening()


def quarantine(path: Path, *, keep_all: bool) -> Path:
    """Move a damaged file or folder, with SQLite's companions, to ``<name>.damaged`` beside it and return that place.

    With ``keep_all`` an earlier one is never overwritten (``.damaged-2`` and so on); without it is replaced.
    Raises ``StoreError``.
    """
    place = path.with_name(f"{path.name}.damaged")
    number = 2
    while keep_all and place.exists():
        place = path.with_name(f"{path.name}.damaged-{number}")
        number += 1
    try:
        for ending in (*_COMPANIONS, ""):
            source, target = path.with_name(path.name + ending), place.with_name(place.name + ending)
            remove(target)
            if source.exists():
                source.rename(target)
    except OSError as error:
        raise StoreError(
            f"{path} is damaged and cannot be moved away ({error}); delete it by hand"
        ) from error
    return place


def quarantined(path: Path) -> list[Path]:
    """What ``quarantine`` moved away from ``path`` and still lies there, oldest name first."""
    found = path.parent.glob(f"{path.name}.damaged*")
    return sorted(place for place in found if not place.name.endswith(_COMPANIONS))


def remove(path: Path) -> None:
    """Delete a file or a folder with everything in it; nothing happens when there is none. Raises ``OSError``."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
