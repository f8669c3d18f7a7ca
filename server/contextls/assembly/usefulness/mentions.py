"""The chunks that hold a word, whatever forms it has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.segments.number_sets import distinct
from contextls.memory.index.segments.segment import are_in_head
from contextls.memory.index.snapshot.view import ChunkRef, IndexView
from contextls.memory.index.terms import TermSplitter, hash_term

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_NAME = 3  # letters before the number of a version: "S3" is one word
MAX_READ = 40  # chunks whose text is read for a version such as HTTP/2, or for words that stand together


class Mentions:
    """Chunks of a view, with the kinds of their files."""

    def __init__(self, view: IndexView, found: Iterable[list[NDArray[np.int32]]]) -> None:
        nothing = [np.empty(0, np.int32) for _ in view.segments]
        self._view = view
        self._chunks = [distinct(np.concatenate(each)) for each in zip(nothing, *found, strict=True)]

    def __len__(self) -> int:
        return sum(map(len, self._chunks))

    @property
    def refs(self) -> tuple[ChunkRef, ...]:
        """The chunks."""
        return tuple(
            ChunkRef(number, at) for number, chunks in enumerate(self._chunks) for at in chunks.tolist()
        )

    def count_kinds(self) -> dict[FileKind, int]:
        """The number of them in files of each kind."""
        counts = np.zeros(len(KINDS), np.intp)
        for segment, chunks in zip(self._view.segments, self._chunks, strict=True):
            counts += np.bincount(segment.file_kinds_of(chunks), minlength=len(KINDS))
        return {KINDS[number]: int(counts[number]) for number in counts.nonzero()[0]}


def find_mentions(view: IndexView, words: Iterable[str], as_names: Iterable[str] = ()) -> Mentions:
    """The chunks that hold one of ``words``, or one of ``as_names`` in their head.

    A word of several parts may be the name of one thing in other places: ``parse_header`` is ``parseHeader``.
    """
    return Mentions(
        view, [*(_find(view, word) for word in words), *(_find_named(view, word) for word in as_names)]
    )


def find_together(view: IndexView, words: Sequence[str]) -> Mentions:
    """The chunks in which one of ``words`` follows the other in a line: ``com.google.android.gms.cast`` for Google Cast.

    All that hold each of them where they are many.
    """
    split = TermSplitter()
    holders = [_holders(view, term) for word in words for term in split.stem_hashes(word)[:1]]
    written = re.compile(r"[^\n]{0,40}".join(map(re.escape, words)), re.IGNORECASE)
    return Mentions(view, [_read_together(view, holders, written)])


def is_held(view: IndexView, term: int) -> bool:
    """Whether any chunk holds a term."""
    return any(map(len, _holders(view, term)))


def _find(view: IndexView, word: str) -> list[NDArray[np.int32]]:
    found = [_holders(view, term) for term in _terms_of(word)]
    parts = TermSplitter().parts(word)
    if len(parts) == 2 and len(parts[0]) >= MIN_NAME and parts[1].isdigit():
        found.append(_find_version(view, *parts))
    return [np.concatenate(each) for each in zip(*found, strict=True)]


def _find_named(view: IndexView, word: str) -> list[NDArray[np.int32]]:
    found = []
    for segment, alive in zip(view.segments, view.alive, strict=True):
        postings = [segment.postings(term) for term in _terms_of(word)]
        chunks = np.concatenate([each.chunks[are_in_head(each.counts)] for each in postings])
        found.append(chunks[alive[chunks]])
    return found


def _terms_of(word: str) -> set[int]:
    """The terms that each stand for the whole of ``word``."""
    split = TermSplitter()
    whole = len(split.parts(word)) > 1
    return {
        hash_term(word.lower()),
        *(term.hash for term in split.question_terms(word) if term.whole is whole),
    }


def _find_version(view: IndexView, name: str, number: str) -> list[NDArray[np.int32]]:
    """The chunks that say ``HTTP/2``, which is two words to the index; all that hold both where they are many."""
    holders = [_holders(view, hash_term(word)) for word in (name, number)]
    return _read_together(view, holders, re.compile(rf"\b{name}/{number}\b", re.IGNORECASE))


def _read_together(
    view: IndexView, holders: Sequence[list[NDArray[np.int32]]], written: re.Pattern[str]
) -> list[NDArray[np.int32]]:
    """The chunks in all ``holders`` that hold what is ``written``; all chunks in them where those are many."""
    shared = [
        reduce(partial(np.intersect1d, assume_unique=True), each) for each in zip(*holders, strict=True)
    ]
    if sum(map(len, shared)) > MAX_READ:
        return shared
    return [
        np.array([at for at in chunks.tolist() if written.search(segment.row(at).text)], np.int32)
        for segment, chunks in zip(view.segments, shared, strict=True)
    ]


def _holders(view: IndexView, term: int) -> list[NDArray[np.int32]]:
    owners = [segment.owners(term) for segment in view.segments]
    return [chunks[alive[chunks]] for chunks, alive in zip(owners, view.alive, strict=True)]
