"""The work in progress: the difference between the newest commit and the files as they are, by symbol.

Computed here and not by ``git diff``, which starts the filters that a repository names. git is asked for the tree of the
newest commit, for its index and for contents; the disk is compared with what the index says about it.
"""

from __future__ import annotations

import hashlib
import stat
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from contextls import cancellation
from contextls.code.model import Definition
from contextls.memory.index.outlines import Outline
from contextls.memory.vcs.hunks import Hunk, find_hunks, shorten_removed
from contextls.text.redact import redact
from contextls.workspace.git_tree import IndexEntry, files_of, index_entries, read_contents
from contextls.workspace.inner_repositories import drop_inner
from contextls.workspace.read import decode
from contextls.workspace.reflog import GitFolder, git_folder
from contextls.workspace.regular_file import POINTER_BYTES, read_bytes, read_text
from contextls.workspace.stamps import Stamp, is_settled, stamp_at

__all__ = ["Hunk", "WorkingTree"]

MAX_FILES = 60  # those changed last
MAX_LOOKS = 600  # files compared at one question; the rest waits for the next
MAX_BYTES = 400_000  # of one file
_SECOND = 1_000_000_000  # in nanoseconds
_GIT_NUMBER = 0xFFFFFFFF  # what git keeps of an inode
# The file on disk (None: there is none), its unsaved text, its committed content, its symbols.
_Key = tuple[Stamp | None, str | None, str | None, tuple[Definition, ...]]


@dataclass(frozen=True, slots=True)
class _Base:
    """The commit and index that the disk is compared with. ``taken`` is when the index was written, in nanoseconds."""

    tree: Mapping[str, str] = field(default_factory=dict)
    index: Mapping[str, IndexEntry] = field(default_factory=dict)
    taken: int = 0


@dataclass(frozen=True, slots=True)
class _Made:
    """The hunks of one file and what they were made from.

    Not ``settled``: the file may change again without its stamp telling, so its text is compared (by its hash).
    """

    key: _Key
    settled: bool
    text: int = 0
    hunks: tuple[Hunk, ...] = ()


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
        self._git_version: object = None
        self._base = _Base()
        self._suspects: dict[str, Stamp | None] = {}
        self._known: object = None
        self._new: dict[str, Stamp | None] = {}
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

    def forget_files(self, paths: Iterable[str]) -> None:
        """These files may have changed; a folder stands for everything below it."""
        with self._guard:
            self._touched.update(paths)

    def forget(self) -> None:
        """Look at every file again at the next question."""
        with self._guard:
            self._git_version = None

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
            for start in range(0, min(len(order), MAX_LOOKS), MAX_FILES):
                part = order[start : start + MAX_FILES]
                looked |= self._look(part, outlines)
                if sum(1 for made in looked.values() if made.hunks) >= MAX_FILES:
                    break
            self._made = looked
            told = sorted(path for path, made in looked.items() if made.hunks)[:MAX_FILES]
            return tuple(hunk for path in told for hunk in looked[path].hunks)

    def _refresh(self, known: Mapping[str, Outline]) -> bool:
        """Find out which files may differ; False where there is no repository."""
        if self._folder is None:
            self._folder = git_folder(self._root)
        if self._folder is None:
            return False
        version = _git_version(self._folder)
        touched, self._touched = self._touched, set()
        # A name that nothing is known of may be a folder that came or went.
        folder = any(
            path not in self._base.index and path not in known and self._accepts(path) for path in touched
        )
        if version != self._git_version or folder or not self._told:
            self._base = self._read_base(self._folder)
            self._suspects = self._differing(self._base.index.keys() | self._base.tree.keys())
            self._git_version, self._known = version, None
        else:
            for path in touched:
                self._suspects.pop(path, None)
            self._suspects |= self._differing(touched & (self._base.index.keys() | self._base.tree.keys()))
        if known is not self._known:
            unknown = known.keys() - self._base.index.keys() - self._base.tree.keys()
            self._new = {path: stamp_of(self._root, path) for path in drop_inner(self._root, unknown)}
            self._known = known
        return True

    def _read_base(self, folder: GitFolder) -> _Base:
        tree = files_of(self._root, "HEAD") or {}
        taken = stamp_of(folder.own, "index")
        return _Base(tree, index_entries(self._root) or {}, taken.modified if taken else 0)

    def _differing(self, paths: Iterable[str]) -> dict[str, Stamp | None]:
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

    def _candidates(self) -> list[tuple[str, Stamp | None]]:
        """The files to compare: those with unsaved text first, then those written last."""
        unsaved = self._overlays.keys()
        foreign = unsaved - self._base.index.keys() - self._base.tree.keys()
        paths = self._suspects.keys() | self._new.keys() | unsaved - foreign
        paths |= set(drop_inner(self._root, foreign))
        # Looked at again: one that differed may have been written since, and nobody need have told.
        found = [(path, stamp_of(self._root, path)) for path in paths if self._accepts(path)]
        return sorted(
            found,
            key=lambda item: (item[0] not in self._overlays, -item[1].modified if item[1] else 0, item[0]),
        )

    def _look(
        self, part: list[tuple[str, Stamp | None]], outlines: Mapping[str, Outline]
    ) -> dict[str, _Made]:
        """The hunks of these files, made again only where something changed."""
        looked: dict[str, _Made] = {}
        stale: dict[str, _Made] = {}
        for path, stamp in part:
            symbols = outlines[path].definitions if path in outlines else ()
            key = (stamp, self._overlays.get(path), self._base.tree.get(path), symbols)
            known = self._made.get(path)
            if known is not None and known.key == key and known.settled:
                looked[path] = known
            else:
                stale[path] = _Made(key, is_settled(stamp))
        after = {path: self._after(path, made.key) for path, made in stale.items()}
        for path, text in after.items():
            known = self._made.get(path)
            stale[path] = replace(stale[path], text=hash(text))
            if known is not None and (known.key, known.text) == (stale[path].key, stale[path].text):
                looked[path] = replace(stale.pop(path), hunks=known.hunks)
        # What is as it was committed needs nothing from git.
        changed = [path for path in stale if after[path] is not None]
        wanted = {self._base.tree[path] for path in changed if path in self._base.tree}
        blobs = read_contents(self._root, wanted, MAX_BYTES)
        for path, made in stale.items():
            cancellation.check()
            blob = self._base.tree.get(path)
            before = "" if blob is None else text_of(blobs.get(blob))
            looked[path] = replace(made, hunks=_compare(path, made.key, before, after[path]))
        for path, made in looked.items():
            # One that turned out to be as it was takes no place of one that changed.
            if not made.hunks and path not in self._overlays and path in self._base.index:
                self._suspects.pop(path, None)
        return looked

    def _after(self, path: str, key: _Key) -> str | None:
        """The text of the file; "" when it is gone, None when it is no text, too large, or what the commit has."""
        stamp, overlay, blob, _ = key
        if overlay is not None:
            return overlay
        if stamp is None:
            return ""
        if stamp.size > MAX_BYTES:
            return None
        try:
            raw = read_bytes(self._root / path, MAX_BYTES, within=self._root)
        except OSError:
            return None
        return None if blob is not None and has_hash(raw, blob) else text_of(raw)


def _compare(path: str, key: _Key, before: str | None, after: str | None) -> tuple[Hunk, ...]:
    stamp, overlay, _, symbols = key
    if before is None or after is None or not (before or after):
        return ()
    gone = overlay is None and stamp is None
    hunks = find_hunks(path, redact(before).text, redact(after).text, () if gone else symbols)
    return shorten_removed(hunks) if gone else hunks


def _git_version(folder: GitFolder) -> object:
    """A version that changes whenever the newest commit or the index does."""
    places = [folder.own / "HEAD", folder.own / "index", folder.moves, folder.shared / "packed-refs"]
    with suppress(OSError, ValueError):
        name = read_text(folder.own / "HEAD", POINTER_BYTES).strip()
        if name.startswith("ref: refs/"):
            places.append(folder.shared / name.removeprefix("ref: "))
    return [stamp_of(place, "") for place in places]


def stamp_of(root: Path, path: str) -> Stamp | None:
    """The stamp of a regular file below ``root``, which a link is not."""
    stamp = stamp_at(f"{root}/{path}" if path else root)
    return stamp if stamp is not None and stat.S_ISREG(stamp.mode) else None


def is_clean(entry: IndexEntry | None, stamp: Stamp | None, taken: int) -> bool:
    """Whether the file is what the index holds: same times, size and inode, and written before the index was."""
    if entry is None or stamp is None or not _looks_clean(entry, stamp, taken):
        return False
    if entry.number and entry.number != stamp.number & _GIT_NUMBER:
        return False
    return not any(entry.changed) or _same_time(entry.changed, stamp.changed)


def _looks_clean(entry: IndexEntry, stamp: Stamp | None, taken: int) -> bool:
    """As ``is_clean``, by what a program can set at will and by what copying a whole folder keeps."""
    if stamp is None or stamp.size != entry.size or not _same_time(entry.mtime, stamp.modified):
        return False
    if entry.mtime[1]:
        return stamp.modified < taken
    return stamp.modified // _SECOND < taken // _SECOND


def _same_time(written: tuple[int, int], time_ns: int) -> bool:
    """Whether git wrote this time; some writers leave the nanoseconds at 0."""
    seconds, nanoseconds = written
    if nanoseconds:
        return time_ns == seconds * _SECOND + nanoseconds
    return time_ns // _SECOND == seconds


def has_hash(raw: bytes, blob: str) -> bool:
    """Whether these bytes are the content of that blob."""
    digest = hashlib.sha256 if len(blob) == 64 else hashlib.sha1
    return digest(b"blob %d\0" % len(raw) + raw).hexdigest() == blob


def text_of(raw: bytes | None) -> str | None:
    """The text of these bytes; None when they are none."""
    text = None if raw is None else decode(raw)
    return None if text is None else text[0]
