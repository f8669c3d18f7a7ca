"""The files of a repository as git knows them at one moment: in a commit, in the index, in conflict."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from contextls.memory.vcs.clean_files import index_time
from contextls.workspace.git_process import read_line
from contextls.workspace.git_tree import EntryKind, Index, IndexEntry, TreeEntry, read_index, read_tree


class GitFiles(Struct, frozen=True):
    """The files of a commit and of the index. ``taken`` is when the index was written, in nanoseconds.

    Not ``readable`` where git told none of them: then nothing is known, and no file is a new one.
    """

    tree: Mapping[str, TreeEntry] = field(default_factory=dict)
    index: Index = field(default_factory=Index)
    taken: int = 0
    readable: bool = True

    @classmethod
    def read(cls, root: Path, commit: str) -> GitFiles:
        """The files below ``root``, of ``commit`` and of the index as it is; before the first commit, of the index alone."""
        taken = index_time(root)
        tree, index = read_tree(root, commit), read_index(root)
        is_first = tree is None and read_line(root, "rev-parse", "--quiet", "--verify", commit) is None
        if index is None or (tree is None and not is_first):
            return cls(readable=False)
        return cls(tree or {}, index, taken)

    @property
    def entries(self) -> Mapping[str, IndexEntry]:
        """The entries of the index for files that are not in conflict."""
        return self.index.entries

    @property
    def conflicts(self) -> Mapping[str, TreeEntry]:
        """The files in conflict with what they count as."""
        return self.index.conflicts

    def staged(self, path: str) -> TreeEntry | None:
        """The entry that the next commit would have at ``path``."""
        entry = self.entries.get(path)
        return None if entry is None else entry.content

    def is_submodule(self, path: str) -> bool:
        """Whether git keeps a submodule at ``path``, or did in the commit."""
        known = self.entries.get(path) or self.tree.get(path)
        return known is not None and known.kind is EntryKind.SUBMODULE
