"""The files of a segment as ranking sees them, computed once per segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.priors import FileKind, file_kinds, find_copies
from contextls.memory.index.terms import TermSplitter

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS = tuple(FileKind)


@dataclass(frozen=True, slots=True)
class FileTable:
    """The files of a segment.

    ``of_chunk`` (n) is each chunk's file number; ``kinds``, one per file, are positions in ``KINDS``.
    The distinct words of the paths lie flat: word ``i`` has the hash ``word_terms[i]``, belongs to file ``word_files[i]``
    and takes ``word_sizes[i]`` characters of the file's name (0 for a word of its folders).
    """

    of_chunk: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    word_terms: NDArray[np.uint32]
    word_sizes: NDArray[np.float32]
    word_files: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.kinds)

    def agreement(self, rarity: Mapping[int, float]) -> NDArray[np.float32]:
        """How far each file's path and a question, given as the rarity of its terms, name the same thing, in 0..2.

        The share of the file's name (by characters) that the question holds, and the share of the question (by rarity)
        that the path holds.
        """
        terms = np.fromiter(rarity.keys(), np.uint32, len(rarity))
        weights = np.fromiter(rarity.values(), np.float64, len(rarity))
        order = np.argsort(terms)
        at = np.minimum(np.searchsorted(terms, self.word_terms, sorter=order), max(len(terms) - 1, 0))
        if not len(terms):
            return np.zeros(len(self), np.float32)
        asked = order[at]
        hit = terms[asked] == self.word_terms
        named = np.bincount(self.word_files, self.word_sizes * hit, len(self))
        whole = np.bincount(self.word_files, self.word_sizes, len(self))
        held = np.bincount(self.word_files, weights[asked] * hit, len(self))
        both: NDArray[np.float32] = (named / np.maximum(whole, 1) + held / (weights.sum() or 1)).astype(
            np.float32
        )
        return both


def kind_codes(paths: Sequence[str]) -> NDArray[np.uint8]:
    """The kind of each file as a position in ``KINDS``."""
    return np.array([KINDS.index(kind) for kind in file_kinds(list(paths))], np.uint8)


def mark_copies(paths: Sequence[str], kinds: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The kinds of files that were looked at apart, now that they are seen together."""
    marked = kinds.copy()
    copies = [number for number in find_copies(paths) if kinds[number] == KINDS.index(FileKind.SOURCE)]
    marked[copies] = KINDS.index(FileKind.LEGACY)
    return marked


def path_words(
    paths: Sequence[str], splitter: TermSplitter
) -> tuple[NDArray[np.uint32], NDArray[np.float32], NDArray[np.int32]]:
    """``word_terms``, ``word_sizes`` and ``word_files`` of these files."""
    words = [(*said, number) for number, path in enumerate(paths) for said in _words(path, splitter)]
    return (
        np.array([term for term, _, _ in words], np.uint32),
        np.array([size for _, size, _ in words], np.float32),
        np.array([number for _, _, number in words], np.int32),
    )


# Names that say nothing of their own: the folder names what such a file is about.
_GENERIC = frozenset({"__init__", "index", "mod", "lib", "main", "init"})


def _words(path: str, splitter: TermSplitter) -> list[tuple[int, int]]:
    """The distinct terms of a path, each with the characters that it takes of the file's name."""
    sizes = {term.hash: 0 for term in splitter.stems(path.rsplit(".", 1)[0])}
    for term in splitter.stems(_name(path)):
        sizes[term.hash] = sizes.get(term.hash, 0) + len(term.text)
    return list(sizes.items())


def _name(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.split(".", 1)[0] if not name.startswith(".") else name
    return folder.rpartition("/")[2] if stem.lower() in _GENERIC and folder else stem
