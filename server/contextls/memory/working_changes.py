"""What is being worked on: the difference between the newest commit and the files as they are, by symbol.

Computed here and not by ``git diff``, which starts the filters that a repository names. git is asked for the tree of the
newest commit, for its index and for contents; the disk is compared with what the index says about it.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from contextls.code.model import Definition
from contextls.memory.history.hunks import Hunk, hunks_between
from contextls.memory.outlines import Outline
from contextls.text.redact import redact
from contextls.workspace.git_tree import IndexEntry, contents, files_of, index_entries
from contextls.workspace.read import decoded
from contextls.workspace.reflog import GitFolder, git_folder
from contextls.workspace.regular_file import POINTER_BYTES, read_bytes, read_text

__all__ = ["Hunk", "WorkingTree"]

MOST_FILES = 60  # those changed last
MOST_LOOKS = 600  # files compared at one question; the rest waits for the next
MOST_BYTES = 400_000  # of one file
Stamp = tuple[int, int] | None  # time in nanoseconds and size; None: no such file
_Key = tuple[
    Stamp, str | None, str | None, tuple[Definition, ...]
]  # disk, unsaved text, committed content, symbols


@dataclass(frozen=True, slots=True)
class _Base:
    """What the disk is compared with. ``taken`` is when the index was written, in nanoseconds."""

    tree: Mapping[str, str] = field(default_factory=dict)
    index: Mapping[str, IndexEntry] = field(default_factory=dict)
    taken: int = 0


@dataclass(frozen=True, slots=True)
class _Made:
    """The hunks of one file and what they were made from."""

    key: _Key
    hunks: tuple[Hunk, ...]


class WorkingTree:
    """Follows the uncommitted changes of one workspace. Safe to use from any thread."""

    def __init__(self, root: Path, accepts: Callable[[str], bool], *, told: bool = True) -> None:
        """Cheap: asks nothing yet. ``accepts`` says whether a path may be shown.

        ``told`` when ``touched`` hears of every change; without it, each question looks at every file.
        """
        self._root = root
        self._accepts = accepts
        self._told = told
        self._guard = threading.Lock()
        self._overlays: dict[str, str] = {}
        self._touched: set[str] = set()
        self._folder: GitFolder | None = None
        self._signature: object = None
        self._base = _Base()
        self._suspects: dict[str, Stamp] = {}
        self._known: object = None
        self._new: dict[str, Stamp] = {}
        self._made: dict[str, _Made] = {}

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved text of ``path`` wins over the disk until ``None`` takes it away."""
        with self._guard:
            if text is None:
                self._overlays.pop(path, None)
            else:
                self._overlays[path] = text
            self._touched.add(path)

    def unsaved(self) -> dict[str, str]:
        """The unsaved texts by path."""
        with self._guard:
            return dict(self._overlays)

    def touched(self, paths: Iterable[str]) -> None:
        """These files may have changed; a folder stands for everything below it."""
        with self._guard:
            self._touched.update(paths)

    def forget(self) -> None:
        """Look at every file again at the next question."""
        with self._guard:
            self._signature = None

    def hunks(self, outlines: Mapping[str, Outline]) -> tuple[Hunk, ...]:
        """The changed places, by path and line; empty outside of a repository.

        ``outlines`` are those of every known file as it is now: they name the symbols, and a file that git does not know
        is a new one. At most 60 files are told of, those changed last, none larger than 400,000 bytes.
        """
        with self._guard:
            if not self._refresh(outlines):
                return ()
            order = self._candidates()
            looked: dict[str, _Made] = {}
            for start in range(0, min(len(order), MOST_LOOKS), MOST_FILES):
                part = order[start : start + MOST_FILES]
                looked |= self._look(part, outlines)
                if sum(1 for made in looked.values() if made.hunks) >= MOST_FILES:
                    break
            self._made = looked
            told = sorted(path for path, made in looked.items() if made.hunks)[:MOST_FILES]
            return tuple(hunk for path in told for hunk in looked[path].hunks)

    def _refresh(self, known: Mapping[str, Outline]) -> bool:
        """Find out which files may differ; False where there is no repository."""
        if self._folder is None:
            self._folder = git_folder(self._root)
        if self._folder is None:
            return False
        signature = _signature(self._folder)
        touched, self._touched = self._touched, set()
        # A name that nothing is known of may be a folder that came or went.
        folder = any(
            path not in self._base.index and path not in known and self._accepts(path) for path in touched
        )
        if signature != self._signature or folder or not self._told:
            self._base = self._read_base(self._folder)
            self._suspects = self._differing(self._base.index.keys() | self._base.tree.keys())
            self._signature, self._known = signature, None
        else:
            for path in touched:
                self._suspects.pop(path, None)
            self._suspects |= self._differing(touched & (self._base.index.keys() | self._base.tree.keys()))
        if known is not self._known:
            unknown = known.keys() - self._base.index.keys() - self._base.tree.keys()
            self._new = {path: stamp_of(self._root, path) for path in unknown}
            self._known = known
        return True

    def _read_base(self, folder: GitFolder) -> _Base:
        tree = files_of(self._root, "HEAD") or {}
        taken = stamp_of(folder.own, "index")
        return _Base(tree, index_entries(self._root) or {}, taken[0] if taken else 0)

    def _differing(self, paths: Iterable[str]) -> dict[str, Stamp]:
        """Those of ``paths`` that are not what the newest commit has, as far as times and sizes tell."""
        base = self._base
        found = {}
        for path in paths:
            entry = base.index.get(path)
            stamp = stamp_of(self._root, path)
            if entry is not None and not entry.watched:
                continue
            staged = entry is None or entry.blob != base.tree.get(path)
            if staged or not is_clean(entry, stamp, base.taken):
                found[path] = stamp
        return found

    def _candidates(self) -> list[tuple[str, Stamp]]:
        """What to compare: files with unsaved text first, then those written last."""
        paths = self._suspects.keys() | self._new.keys() | self._overlays.keys()
        # Looked at again: one that differed may have been written since, and nobody need have told.
        found = [(path, stamp_of(self._root, path)) for path in paths if self._accepts(path)]
        return sorted(
            found, key=lambda item: (item[0] not in self._overlays, -(item[1] or (0, 0))[0], item[0])
        )

    def _look(self, part: list[tuple[str, Stamp]], outlines: Mapping[str, Outline]) -> dict[str, _Made]:
        """The hunks of these files, made anew only where something changed."""
        looked: dict[str, _Made] = {}
        stale: dict[str, _Made] = {}
        for path, stamp in part:
            symbols = outlines[path].definitions if path in outlines else ()
            key = (stamp, self._overlays.get(path), self._base.tree.get(path), symbols)
            known = self._made.get(path)
            if known is not None and known.key == key:
                looked[path] = known
            else:
                stale[path] = _Made(key, ())
        wanted = {self._base.tree[path] for path in stale if path in self._base.tree}
        blobs = contents(self._root, wanted, MOST_BYTES)
        for path, made in stale.items():
            blob = self._base.tree.get(path)
            before = "" if blob is None else text_of(blobs.get(blob))
            looked[path] = replace(made, hunks=self._compared(path, made.key, before))
        for path, made in looked.items():
            # One that turned out to be as it was takes no place of one that changed.
            if not made.hunks and path not in self._overlays and path in self._base.index:
                self._suspects.pop(path, None)
        return looked

    def _compared(self, path: str, key: _Key, before: str | None) -> tuple[Hunk, ...]:
        stamp, overlay, blob, symbols = key
        after = self._on_disk(path, stamp, blob) if overlay is None else overlay
        if before is None or after is None or not (before or after):
            return ()
        gone = overlay is None and stamp is None
        return hunks_between(path, redact(before).text, redact(after).text, () if gone else symbols)

    def _on_disk(self, path: str, stamp: Stamp, blob: str | None) -> str | None:
        """The text of the file; "" when it is gone, None when it is no text, too large, or what the commit has."""
        if stamp is None:
            return ""
        if stamp[1] > MOST_BYTES:
            return None
        try:
            raw = read_bytes(self._root / path, MOST_BYTES, within=self._root)
        except OSError:
            return None
        return None if blob is not None and has_hash(raw, blob) else text_of(raw)


def _signature(folder: GitFolder) -> object:
    """What changes whenever the newest commit or the index does."""
    places = [folder.own / "HEAD", folder.own / "index", folder.moves, folder.shared / "packed-refs"]
    with suppress(OSError, ValueError):
        name = read_text(folder.own / "HEAD", POINTER_BYTES).strip()
        if name.startswith("ref: refs/"):
            places.append(folder.shared / name.removeprefix("ref: "))
    return [stamp_of(place, "") for place in places]


def stamp_of(root: Path, path: str) -> Stamp:
    """Time and size of a regular file below ``root``, which a link is not."""
    try:
        status = os.lstat(f"{root}/{path}" if path else root)
    except (OSError, ValueError):
        return None
    return (status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None


def is_clean(entry: IndexEntry | None, stamp: Stamp, taken: int) -> bool:
    """Whether the file is what the index holds: same time and size, and written before the index was."""
    if entry is None or stamp is None or stamp[1] != entry.size:
        return False
    seconds, nanoseconds = entry.mtime
    if nanoseconds:
        return stamp[0] == seconds * 1_000_000_000 + nanoseconds and stamp[0] < taken
    return stamp[0] // 1_000_000_000 == seconds and seconds < taken // 1_000_000_000


def has_hash(raw: bytes, blob: str) -> bool:
    """Whether these bytes are the content of that blob."""
    digest = hashlib.sha256 if len(blob) == 64 else hashlib.sha1
    return digest(b"blob %d\0" % len(raw) + raw).hexdigest() == blob


def text_of(raw: bytes | None) -> str | None:
    """The text of these bytes; None when they are none."""
    text = None if raw is None else decoded(raw)
    return None if text is None else text[0]
