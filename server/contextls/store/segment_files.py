"""The folder of the segments: files of arrays that are written once, mapped by every process, and deleted when replaced."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contextls.errors import StoreError
from contextls.store.array_file import Writable, is_intact, map_arrays, write_arrays
from contextls.store.quarantine import remove
from contextls.store.state_place import make_folder
from contextls.workspace.stamps import Stamp, stamp_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEGMENT, DERIVED = ".segment", ".derived"  # what stands in a file, as the end of its name


class SegmentFiles:
    """The segments of one workspace as files. Writers must hold the workspace's index lock."""

    def __init__(self, folder: Path) -> None:
        """Nothing is opened or created before first use."""
        self._folder = folder

    def write(self, arrays: Mapping[str, Writable], ending: str = SEGMENT) -> tuple[str, int]:
        """Write a new file, on the disk when this returns; its name and its size in bytes. Raises ``StoreError``."""
        try:
            make_folder(self._folder)
        except OSError as error:
            raise StoreError(f"cannot create {self._folder}: {error.strerror}; check permissions") from error
        # No name comes twice: what a process knows of a file stays true as long as the file is there.
        name = f"{uuid.uuid4().hex}{ending}"
        return name, write_arrays(self._folder / name, arrays)

    def map(self, name: str, size: int) -> dict[str, NDArray[Any]]:
        """The arrays of a file of ``size`` bytes. Raises ``StoreError`` when it is missing, of another size or senseless."""
        path = self.place(name)
        try:
            found = path.stat(follow_symlinks=False).st_size
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror}") from error
        if found != size:
            raise StoreError(f"{path} has {found:,} bytes, not the {size:,} that were written")
        return map_arrays(path)

    def has(self, name: str, size: int) -> bool:
        """Whether there is a file of this name and size."""
        try:
            return self.place(name).stat(follow_symlinks=False).st_size == size
        except OSError:
            return False

    def stamp(self, name: str) -> Stamp | None:
        """The stamp of the file of this name; ``None`` where there is none."""
        return stamp_at(self.place(name))

    def is_intact(self, name: str) -> bool:
        """Whether a file holds what was written to it; reads all of it."""
        return is_intact(self.place(name))

    def delete_all_but(self, names: Collection[str]) -> None:
        """Delete every other file, drafts too; one that a process on Windows still maps is left to the next time."""
        for path in self._files():
            if path.name not in names:
                with contextlib.suppress(OSError):
                    remove(path)

    def has_others(self, names: Collection[str]) -> bool:
        """Whether there is any other file, a draft too."""
        return any(path.name not in names for path in self._files())

    def size_bytes(self) -> int:
        """Bytes on disk."""
        total = 0
        for path in self._files():
            with contextlib.suppress(OSError):  # another process may be deleting
                total += path.stat().st_size
        return total

    def place(self, name: str) -> Path:
        """The path of the file of this name. Raises ``StoreError`` for what is no name of one."""
        if Path(name).name != name or not name.endswith((SEGMENT, DERIVED)):
            raise StoreError(f"{name!r} is no name of a segment")
        return self._folder / name

    def _files(self) -> list[Path]:
        return sorted(self._folder.iterdir()) if self._folder.is_dir() else []
