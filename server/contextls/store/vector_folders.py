"""The folders of LanceDB's vector indexes: the one that counts is named in the index database, any other is a leftover."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from pathlib import Path

from contextls.errors import StoreError
from contextls.store.locks import StateLock
from contextls.store.quarantine import remove
from contextls.store.state_place import make_folder


class VectorFolders:
    """The vector indexes of one workspace as folders."""

    def __init__(self, folder: Path) -> None:
        """Nothing is created before ``building``."""
        self._folder = folder
        self._lock = StateLock(folder.with_suffix(".lock"))

    @contextlib.contextmanager
    def building(self) -> Iterator[bool]:
        """Whether this thread is the one to build, or to delete leftovers, meanwhile; another one may be at it."""
        try:
            self._lock.acquire(timeout=0)
        except OSError:
            yield False
            return
        try:
            yield True
        finally:
            self._lock.release()

    def begin(self) -> tuple[str, Path]:
        """The name of a new index and where to build it. Raises ``StoreError``."""
        name = uuid.uuid4().hex
        place = self.place(name)
        try:
            make_folder(self._folder)
            make_folder(place)
        except OSError as error:
            raise StoreError(f"cannot create {place}: {error.strerror}; check permissions") from error
        return name, place

    def place(self, name: str) -> Path:
        """The folder of an index. Raises ``StoreError`` for what is no name of one."""
        if not name.isalnum():
            raise StoreError(f"{name!r} is no name of a vector index")
        return self._folder / name

    def has(self, name: str) -> bool:
        """Whether there is an index of this name."""
        return bool(name) and self.place(name).is_dir()

    def delete_leftovers(self, name: str) -> None:
        """Delete every index but this one, unless another process is building; costs nothing where there is none."""
        if self._folder.is_dir():
            with self.building() as is_ours:
                if is_ours:
                    self.delete_all_but(name)

    def delete_all_but(self, name: str) -> None:
        """Delete every other index, half-built ones too. Call it inside ``building()``."""
        for place in sorted(self._folder.iterdir()):
            if place.name != name:
                with contextlib.suppress(OSError):  # on Windows a process may have it open
                    remove(place)

    def size_bytes(self) -> int:
        """Bytes on disk."""
        total = 0
        for place in self._folder.rglob("*") if self._folder.is_dir() else ():
            with contextlib.suppress(OSError):  # another process may be deleting
                total += place.stat().st_size
        return total
