"""The files of a segment as ranking sees them, computed once per segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from contextls.memory.index.priors import FileKind, file_kinds, find_kinds_by_neighbours
from contextls.memory.index.segments.number_sets import runs
from contextls.memory.index.terms import TermSplitter

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS = tuple(FileKind)


class PathWords(Struct, frozen=True, eq=False, dict=True):
    """The distinct words of the paths of a segment's files, flat.

    Word ``i`` has the hash ``terms[i]``, belongs to file ``files[i]`` (ascending) and takes ``sizes[i]`` characters of the
    file's name (0 for a word of its folders).
    """

    terms: NDArray[np.uint32]
    sizes: NDArray[np.float32]
    files: NDArray[np.int32]

    @cached_property
    def _names(self) -> NDArray[np.float64]:
        """The characters of each file's name."""
        return np.bincount(self.files, self.sizes).astype(np.float64)

    def agreement(
        self, rarity: Mapping[int, float], telling: Mapping[int, float]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The files whose path and a question, given as the rarity of its terms, name the same thing, and how far, in 0..2.

        The share of the file's name (by characters) that the question holds, and the share of the question (by rarity)
        that the path holds. Files that share no word with the question are left out. ``telling`` is what a word of a name
        counts, 1 where it is not there.
        """
        hits = [np.flatnonzero(self.terms == np.uint32(term)) for term in rarity]
        places = np.concatenate(hits) if hits else np.zeros(0, np.intp)
        weights = np.repeat(np.fromiter(rarity.values(), np.float64, len(rarity)), [len(hit) for hit in hits])
        order = np.argsort(places)
        files, of_hit = runs(self.files[places[order]])
        counts = np.repeat([telling.get(term, 1.0) for term in rarity], [len(hit) for hit in hits])
        named = np.bincount(of_hit, self.sizes[places[order]] * counts[order], len(files))
        held = np.bincount(of_hit, weights[order], len(files))
        agreed = named / np.maximum(self._names[files], 1) + held / (sum(rarity.values()) or 1)
        return files.astype(np.int64), agreed.astype(np.float32)


def kind_codes(paths: Sequence[str]) -> NDArray[np.uint8]:
    """The kind of each file as a position in ``KINDS``."""
    return np.array([KINDS.index(kind) for kind in file_kinds(list(paths))], np.uint8)


def mark_by_neighbours(paths: Sequence[str], kinds: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The kinds of files that were looked at apart, now that they are seen together."""
    marked = kinds.copy()
    for number, kind in find_kinds_by_neighbours(paths, [KINDS[code] for code in kinds.tolist()]):
        marked[number] = KINDS.index(kind)
    return marked


def path_words(
    paths: Sequence[str], splitter: TermSplitter
) -> tuple[NDArray[np.uint32], NDArray[np.float32], NDArray[np.int32]]:
    """``terms``, ``sizes`` and ``files`` of the words of these paths."""
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
    sizes = dict.fromkeys(splitter.stem_hashes(path.rsplit(".", 1)[0]), 0)
    for term in splitter.stems(_name(path)):
        sizes[term.hash] = sizes.get(term.hash, 0) + len(term.text)
    return list(sizes.items())


def _name(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.split(".", 1)[0] if not name.startswith(".") else name
    return folder.rpartition("/")[2] if stem.lower() in _GENERIC and folder else stem
