"""What ranking knows of the files of a segment, computed once per segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.content.priors import FileKind, file_kind
from contextls.memory.content.terms import TermSplitter

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS = tuple(FileKind)


@dataclass(frozen=True, slots=True)
class FileTable:
    """The files of a segment. ``of_chunk`` (n) is each chunk's file number; the rest has one entry per file.

    ``kinds`` are positions in ``KINDS``. The words of file names lie flat: word ``i`` has the hash ``stem_terms[i]``, the
    length ``stem_sizes[i]`` in characters and belongs to file ``stem_files[i]``.
    """

    of_chunk: NDArray[np.intp]
    kinds: NDArray[np.intp]
    stem_terms: NDArray[np.uint32]
    stem_sizes: NDArray[np.float32]
    stem_files: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.kinds)

    def stem_agreement(self, terms: NDArray[np.uint32]) -> NDArray[np.float32]:
        """Per file, the share (0..1, by characters) of its name's words that occur among ``terms``."""
        hit = np.isin(self.stem_terms, terms)
        matched = np.bincount(self.stem_files, self.stem_sizes * hit, len(self))
        whole = np.bincount(self.stem_files, self.stem_sizes, len(self))
        share: NDArray[np.float32] = (matched / np.maximum(whole, 1)).astype(np.float32)
        return share


def file_table(paths: Sequence[str], splitter: TermSplitter) -> FileTable:
    """The table for chunks whose paths are ``paths``, in their order."""
    numbers: dict[str, int] = {}
    of_chunk = np.fromiter((numbers.setdefault(path, len(numbers)) for path in paths), np.intp, len(paths))
    words = [(number, word) for path, number in numbers.items() for word in splitter.stems(_name(path))]
    return FileTable(
        of_chunk=of_chunk,
        kinds=np.array([KINDS.index(file_kind(path)) for path in numbers], np.intp),
        stem_terms=np.array([term.hash for _, term in words], np.uint32),
        stem_sizes=np.array([len(term.text) for _, term in words], np.float32),
        stem_files=np.array([number for number, _ in words], np.intp),
    )


# Names that say nothing of their own: the folder names what such a file is about.
_GENERIC = frozenset({"__init__", "index", "mod", "lib", "main", "init"})


def _name(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.split(".", 1)[0] if not name.startswith(".") else name
    return folder.rpartition("/")[2] if stem.lower() in _GENERIC and folder else stem
