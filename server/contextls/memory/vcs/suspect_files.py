"""The files of a working tree that may differ from the newest commit, as far as times and sizes tell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from contextls.memory.vcs.clean_files import git_version
from contextls.memory.vcs.disk_versions import DiskVersions
from contextls.memory.vcs.file_pairs import Names
from contextls.memory.vcs.git_state import GitFiles
from contextls.memory.vcs.submodules import Submodules
from contextls.workspace.new_files import find_new
from contextls.workspace.reflog import GitFolder, git_folder
from contextls.workspace.stamps import Stamp


class SuspectFiles:
    """The files to compare, kept up to date from question to question. ``git`` and ``disk`` are what they differ in."""

    def __init__(self, root: Path, accepts: Callable[[str], bool], names: Names, *, watched: bool) -> None:
        """Cheap: asks nothing yet. The arguments are those of ``WorkingTree``."""
        self.git = GitFiles()
        self.disk = DiskVersions(root, Submodules(root))
        self._root = root
        self._accepts = accepts
        self._names = names
        self._watched = watched
        self._touched: set[str] = set()
        self._folder: GitFolder | None = None
        self._git_version: object = None
        self._differing: set[str] = set()
        self._known: object = None
        self._new: frozenset[str] = frozenset()

    def touch(self, paths: Iterable[str]) -> None:
        """These files may have changed; a folder stands for everything below it."""
        self._touched.update(paths)

    def forget(self) -> None:
        """Look at every file again at the next ``refresh``."""
        self._git_version = None

    def clear(self, path: str) -> None:
        """The file was compared and does not differ."""
        self._differing.discard(path)

    def refresh(self, known: Collection[str]) -> bool:
        """Find out which files may differ; False where there is no repository that git reads.

        ``known`` are the files of the index: those of them that git does not know are new ones.
        """
        if self._folder is None:
            self._folder = git_folder(self._root)
        if self._folder is None:
            return False
        version = git_version(self._folder)
        touched, self._touched = self._touched, set()
        # A name that nothing is known of may be a folder that came or went.
        folder = any(
            path not in self.git.entries and path not in known and self._accepts(path) for path in touched
        )
        if version != self._git_version or folder or not self._watched:
            self.disk = DiskVersions(self._root, Submodules(self._root))
            self.git = GitFiles.read(self._root, "HEAD")
            if not self.git.readable:
                self._git_version = None
                return False
            # In the order of git, which sorts them: the system finds files of one folder after the other faster.
            self._differing = self._find_differing(dict.fromkeys((*self.git.entries, *self.git.tree)))
            self._git_version, self._known = version, None
        else:
            self._differing -= touched
            self._differing |= self._find_differing(filter(self._is_tracked, touched))
        if known is not self._known:
            unknown = set(known).difference(self.git.entries, self.git.tree)
            self._new = frozenset(find_new(self._root, unknown))
            self._known = known
        return True

    def list_by_time(self, unsaved: Collection[str]) -> Iterator[tuple[str, Stamp | None]]:
        """The files to compare: those with unsaved text first, then those written last, then those that are only named.

        Each is judged when its turn comes: where everything is new, most are never asked for.
        """
        tracked = {path for path in unsaved if self._is_tracked(path)}
        others = find_new(self._root, [path for path in unsaved if path not in tracked])
        paths = {*self._differing, *self._new, *tracked, *others}
        for group in (paths.intersection(unsaved), paths.difference(unsaved)):
            # Looked at again: one that differed may have been written since, and nobody need have told.
            found = [(path, self.disk.stamp(path)) for path in group]
            found.sort(key=lambda item: (-item[1].modified if item[1] else 0, item[0]))
            only_named = []
            for path, stamp in found:
                if not self._may_tell(path):
                    continue
                if self.is_only_named(path):
                    only_named.append((path, stamp))
                else:
                    yield path, stamp
            yield from only_named

    def is_only_named(self, path: str) -> bool:
        """Whether an answer may name the file, and not show what is in it."""
        return not self._accepts(path) and not self.git.is_submodule(path)

    def _is_tracked(self, path: str) -> bool:
        return path in self.git.entries or path in self.git.tree

    def _find_differing(self, paths: Iterable[str]) -> set[str]:
        """The ``paths`` that are not what the newest commit has, as far as times and sizes tell."""
        found = set()
        for path in paths:
            entry = self.git.entries.get(path)
            stamp = self.disk.stamp(path)
            if entry is not None and not entry.watched:
                continue
            staged = entry is None or entry.content != self.git.tree.get(path)
            if entry is None or staged or not self.disk.is_clean(entry, stamp, self.git.taken):
                found.add(path)
        return found

    def _may_tell(self, path: str) -> bool:
        is_folder = self.git.is_submodule(path)
        return (not is_folder and self._accepts(path)) or self._names(path, is_folder=is_folder)
