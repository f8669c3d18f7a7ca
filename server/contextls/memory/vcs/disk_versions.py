"""Files, links and submodules as they lie on the disk, told apart as git tells them."""

from __future__ import annotations

import os
import stat
from functools import cached_property
from pathlib import Path

from contextls.memory.vcs.clean_files import MAX_BYTES, hash_blob, is_clean, text_of
from contextls.memory.vcs.file_versions import BINARY, NOT_SHOWN, FileVersion
from contextls.memory.vcs.lfs_pointers import parse_pointer
from contextls.memory.vcs.submodules import Checkout, Submodules
from contextls.workspace.git_head import find_unkept
from contextls.workspace.git_tree import EntryKind, IndexEntry, TreeEntry
from contextls.workspace.regular_file import read_bytes
from contextls.workspace.stamps import Stamp, stamp_at

_LONG_PATH = "\\\\?\\"
_LONG_SHARE = f"{_LONG_PATH}UNC\\"


def spell_target(target: str, *, windows: bool) -> str:
    """The target of a link as git spells it: on Windows too with "/" between the parts, and no prefix for long paths."""
    if not windows:
        return target
    if target.startswith(_LONG_SHARE):
        target = "\\\\" + target.removeprefix(_LONG_SHARE)
    return target.removeprefix(_LONG_PATH).replace("\\", "/")


class DiskVersions:
    """Reads the versions on the disk of one working tree. Cheap to make: asks git once, when it must."""

    def __init__(self, root: Path, submodules: Submodules) -> None:
        self.root = root
        self._top = str(root)
        self._submodules = submodules

    def stamp(self, path: str) -> Stamp | None:
        """The stamp of a file or a link."""
        stamp = stamp_at(f"{self._top}/{path}")
        if stamp is None or not (stat.S_ISREG(stamp.mode) or stat.S_ISLNK(stamp.mode)):
            return None
        if stat.S_ISLNK(stamp.mode) and not stamp.size:
            # Windows says that links are empty; git notes the length of what they point to.
            return stamp._replace(size=len(self._read_link(path) or b""))
        return stamp

    def is_clean(self, entry: IndexEntry, stamp: Stamp | None, taken: int) -> bool:
        """Whether a file or link is what the index holds, as far as its stamp tells."""
        return stamp is not None and is_clean(entry, stamp, taken) and self.kind(stamp, entry) is entry.kind

    def kind(self, stamp: Stamp | None, known: IndexEntry | TreeEntry | None) -> EntryKind:
        """The kind of a file or link; ``known`` says it where the disk does not, as on some file systems."""
        kind = EntryKind.FILE if known is None else known.kind
        if stamp is None:
            return kind
        if stat.S_ISLNK(stamp.mode):
            return EntryKind.LINK
        found = EntryKind.EXECUTABLE if stamp.mode & stat.S_IXUSR else EntryKind.FILE
        # Mostly both say the same, and git need not be asked.
        kept_as = "symlinks" if kind is EntryKind.LINK else "filemode"
        return kind if found is not kind and kept_as in self._unkept else found

    def read(
        self, path: str, known: IndexEntry | TreeEntry | None, unsaved: str | None = None
    ) -> FileVersion | None:
        """The version at ``path``; None where there is none.

        ``known`` is what git has of it, ``unsaved`` the text in an editor, which wins over the disk.
        """
        stamp = self.stamp(path)
        if unsaved is not None:
            return FileVersion(self.kind(stamp, known), unsaved)
        if known is not None and known.kind is EntryKind.SUBMODULE:
            return self._read_submodule(path, known.blob)
        if stamp is None:
            return None
        kind, raw = self.kind(stamp, known), self._read_bytes(path, stamp)
        if raw is not None:
            blob = hash_blob(raw, len(known.blob) if known is not None else 0)
        else:  # of what is too large to read, size is all that tells
            same_size = isinstance(known, IndexEntry) and known.size == stamp.size
            blob = known.blob if known is not None and same_size else ""
        text = text_of(raw)
        if text is None:
            return FileVersion(kind, unread=NOT_SHOWN if raw is None else BINARY, blob=blob)
        return FileVersion(kind, text, blob=blob)

    def is_stored_as(self, path: str, text: str) -> bool:
        """Whether ``text`` is a pointer of Git LFS that stands for the file at ``path``, as far as can be told."""
        pointer, stamp = parse_pointer(text), self.stamp(path)
        if pointer is None or stamp is None or pointer.size != stamp.size:
            return False
        raw = self._read_bytes(path, stamp)
        return raw is None or pointer.has_content(raw)

    def _read_submodule(self, path: str, known: str) -> FileVersion:
        """The checked-out submodule at ``path``; as git knows it where that cannot be told."""
        checkout = self._submodules.read(path) or Checkout(known, edited=False)
        return FileVersion(EntryKind.SUBMODULE, checkout.commit, blob=checkout.commit, edited=checkout.edited)

    def _read_bytes(self, path: str, stamp: Stamp) -> bytes | None:
        """The version that git would keep of a file or link; None when it is too large, or must not or cannot be read."""
        if stat.S_ISLNK(stamp.mode):
            return self._read_link(path)
        if stamp.size > MAX_BYTES:
            return None
        try:
            return read_bytes(self.root / path, MAX_BYTES, within=self.root)
        except OSError:
            return None

    def _read_link(self, path: str) -> bytes | None:
        """The version that git would keep of a link; None when it lies outside of the working tree, or cannot be read."""
        place = self.root / path
        try:
            inside = place.parent.resolve().is_relative_to(self.root.resolve())
            # As it is written: a ``Path`` would take the "./" out of "./till.py".
            target = os.readlink(place) if inside else None  # noqa: PTH115
        except OSError:
            return None
        return None if target is None else os.fsencode(spell_target(target, windows=os.name == "nt"))

    @cached_property
    def _unkept(self) -> frozenset[str]:
        return find_unkept(self.root)
