"""The work in progress: the difference between the newest commit and the files as they are, by symbol.

Computed here and not by ``git diff``, which starts the filters that a repository names. git is asked for the tree of the
newest commit, for its index and for contents; the disk is compared with what the index says about it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from contextls import cancellation
from contextls.code.model import Definition
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.vcs.file_pairs import Names, name_nothing, pair_with_kept
from contextls.memory.vcs.file_versions import FileVersion
from contextls.memory.vcs.hunks import Hunk
from contextls.memory.vcs.pair_hunks import FilePair, find_pair_hunks, join_renames
from contextls.memory.vcs.suspect_files import SuspectFiles
from contextls.workspace.git_tree import IndexEntry, TreeEntry
from contextls.workspace.stamps import Stamp, is_settled

__all__ = ["Hunk", "WorkingTree"]

MAX_FILES = 60  # those changed last
MAX_LOOKS = 600  # files compared at one question; the rest waits for the next
# The file on disk (None: there is none), its unsaved text, what is committed and staged, its symbols.
_Key = tuple[Stamp | None, str | None, TreeEntry | None, IndexEntry | None, tuple[Definition, ...]]


class _KnownHunks(Struct, frozen=True):
    """The hunks of one file and what they were made from.

    Not ``settled``: the file may change again without its stamp telling, so what it holds is compared (by its hash).
    """

    key: _Key
    settled: bool
    held: int = 0
    hunks: tuple[Hunk, ...] = ()


class WorkingTree:
    """Follows the uncommitted changes of one workspace. Safe to use from any thread."""

    def __init__(
        self,
        root: Path,
        accepts: Callable[[str], bool],
        names: Names = name_nothing,
        *,
        watched: bool = True,
    ) -> None:
        """Cheap: asks nothing yet. ``accepts`` and ``names`` say what may be shown, as in ``ComparedWorkspace``.

        ``watched`` when ``forget_files`` hears of every change; without it, each question looks at every file.
        """
        self._accepts = accepts
        self._guard = threading.Lock()
        self._overlays: dict[str, str] = {}
        self._suspects = SuspectFiles(root, accepts, names, watched=watched)
        self._made: dict[str, _KnownHunks] = {}
        self._renamed_version: object = None
        self._renamed: dict[str, tuple[Hunk, ...]] = {}

    def set_overlay(self, path: str, text: str | None) -> None:
        """Unsaved text of ``path`` wins over the disk until ``None`` takes it away."""
        with self._guard:
            if text is None:
                self._overlays.pop(path, None)
            else:
                self._overlays[path] = text
            self._suspects.touch([path])

    def unsaved(self) -> dict[str, str]:
        """The unsaved texts by path."""
        with self._guard:
            return dict(self._overlays)

    def forget_files(self, paths: Iterable[str]) -> None:
        """These files may have changed; a folder stands for everything below it."""
        with self._guard:
            self._suspects.touch(paths)

    def forget(self) -> None:
        """Look at every file again at the next question."""
        with self._guard:
            self._suspects.forget()

    def hunks(self, outlines: Mapping[str, Outline]) -> tuple[Hunk, ...]:
        """The changed places, by path and line; empty outside of a repository.

        ``outlines`` are those of every known file as it is now: they name the symbols, and a file that git does not know
        is a new one. At most 60 files are told of, those changed last, none larger than 400,000 bytes. Of a submodule only
        its commit counts: looking into it would keep every question waiting.
        """
        with self._guard:
            if not self._suspects.refresh(outlines):
                return ()
            order = islice(self._suspects.list_by_time(self._overlays), MAX_LOOKS)
            looked: dict[str, _KnownHunks] = {}
            while part := list(islice(order, MAX_FILES)):
                looked |= self._look(part, outlines)
                if sum(1 for made in looked.values() if made.hunks) >= MAX_FILES:
                    break
            self._made = looked
            changed = self._join_renamed(outlines)
            told = sorted(changed, key=lambda path: (self._suspects.is_only_named(path), path))
            return tuple(hunk for path in told[:MAX_FILES] for hunk in changed[path])

    def _join_renamed(self, outlines: Mapping[str, Outline]) -> dict[str, tuple[Hunk, ...]]:
        """The hunks by path, with a file that went and the one that came in its place as one."""
        hunks = {path: made.hunks for path, made in self._made.items() if made.hunks}
        gone = sorted(path for path in hunks if hunks[path][0].gone)
        came = sorted(path for path in hunks if path not in self._suspects.git.tree)
        if not (gone and came):
            return hunks
        version = [(path, self._made[path].key, self._made[path].held) for path in gone + came]
        if version != self._renamed_version:
            pairs = self._pair({path: self._read(path) for path in gone + came})
            self._renamed = {
                pair.path: find_pair_hunks(pair, _symbols(outlines, pair.path))
                for pair in join_renames(pairs)
                if pair.came_from
            }
            self._renamed_version = version
        left = {moved[0].came_from for moved in self._renamed.values()}
        return {path: each for path, each in (hunks | self._renamed).items() if path not in left}

    def _look(
        self, part: list[tuple[str, Stamp | None]], outlines: Mapping[str, Outline]
    ) -> dict[str, _KnownHunks]:
        """The hunks of these files, made again only where something changed."""
        git = self._suspects.git
        looked, stale = self._recall(part, outlines)
        after = {path: self._read(path) for path in stale}
        for path, version in after.items():
            known = self._made.get(path)
            stale[path] = replace(stale[path], held=hash(version))
            if known is not None and (known.key, known.held) == (stale[path].key, stale[path].held):
                looked[path] = replace(stale.pop(path), hunks=known.hunks)
        for pair in self._pair({path: after[path] for path in stale}):
            cancellation.check()
            symbols = _symbols(outlines, pair.path) if pair.after else ()
            stale[pair.path] = replace(stale[pair.path], hunks=find_pair_hunks(pair, symbols))
        looked |= stale
        for path, made in looked.items():
            # One that turned out to be as it was takes no place of one that changed.
            as_it_was = not made.hunks and path not in self._overlays and path in git.entries
            if as_it_was and not git.is_submodule(path):
                self._suspects.clear(path)
        return looked

    def _recall(
        self, part: list[tuple[str, Stamp | None]], outlines: Mapping[str, Outline]
    ) -> tuple[dict[str, _KnownHunks], dict[str, _KnownHunks]]:
        """The hunks that are known of these files, and the files whose hunks have to be made, without any."""
        git = self._suspects.git
        looked: dict[str, _KnownHunks] = {}
        stale: dict[str, _KnownHunks] = {}
        for path, stamp in part:
            symbols = _symbols(outlines, path)
            key = (stamp, self._overlays.get(path), git.tree.get(path), git.entries.get(path), symbols)
            known = self._made.get(path)
            if known is not None and known.key == key and known.settled:
                looked[path] = known
            else:
                stale[path] = _KnownHunks(key, is_settled(stamp) and not git.is_submodule(path))
        return looked, stale

    def _read(self, path: str) -> FileVersion | None:
        git = self._suspects.git
        known = git.entries.get(path) or git.tree.get(path)
        return self._suspects.disk.read(path, known, self._overlays.get(path))

    def _pair(self, found: Mapping[str, FileVersion | None]) -> list[FilePair]:
        return pair_with_kept(self._suspects.disk, self._suspects.git.tree, found, self._accepts)


def _symbols(outlines: Mapping[str, Outline], path: str) -> tuple[Definition, ...]:
    return outlines[path].definitions if path in outlines else ()
