"""Find the project's own name in a report: a word that so many files hold leads to none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import TermSplitter, hash_term
from contextls.memory.index.words.spelling import usual_words
from contextls.regex import compile_late

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A project's own name is in at least MIN_FILES files of source and one in SHARE of all, by imports and licences. The most
# common words for what a project is about are in one of seven.
MIN_FILES, SHARE = 12, 4
MAX_CHARS, MAX_WORDS = 4_000, 100
# With fewer other words than this, the question is about the name itself.
MIN_REST = 2
_SOURCE = KINDS.index(FileKind.SOURCE)
# A word that stands alone: no part of a path, of an address, of an option or of a longer name.
_ALONE = compile_late(r"(?<![\w/\\.@:$#-])[A-Za-z][A-Za-z0-9]{2,40}(?![\w/\\@$]|[.:#(-]\w|\()")
# With its name before it a program prints a message, and the code that prints it has both: "[vitest] There was an error".
_TAG = compile_late(
    r"(?<=\[)[A-Za-z][A-Za-z0-9]{2,40}(?=\])|(?<![\w/\\.@:$#-])[A-Za-z][A-Za-z0-9]{2,40}(?=:\s)"
)


def find_own_names(text: str, view: IndexView, splitter: TermSplitter) -> frozenset[str]:
    """The words of ``text``, as written there, that are no usual words and stand in very many files of source.

    None where hardly anything else is said.
    """
    pairs = zip(view.segments, view.files.alive, strict=True)
    sources = [(segment.file_kinds == _SOURCE) & alive for segment, alive in pairs]
    total = sum(int(np.count_nonzero(mask)) for mask in sources)
    least = max(MIN_FILES, total // SHARE)
    if total < least:
        return frozenset()
    own = frozenset(
        word for word in _candidates(text) if _count_files(word.lower(), view, sources, splitter) >= least
    )
    rest = splitter.question_terms(without_own_names(text[:MAX_CHARS], own)) if own else ()
    return own if len(rest) >= MIN_REST else frozenset()


def without_own_names(text: str, own: frozenset[str]) -> str:
    """``text`` without the words that stand alone in it and are ``own``."""
    return _ALONE.sub(lambda found: "" if found[0] in own else found[0], text) if own else text


def _count_files(
    word: str, view: IndexView, sources: Sequence[NDArray[np.bool_]], splitter: TermSplitter
) -> int:
    """The number of files with ``word`` that are marked in ``sources``, by segment."""
    stems = splitter.stem_hashes(word)
    terms = {hash_term(word), *(stems if len(stems) == 1 else ())}
    count = 0
    for segment, alive, mask in zip(view.segments, view.alive, sources, strict=True):
        files = np.zeros(len(mask), np.bool_)
        for term in terms:
            owners = segment.owners(term)
            files[segment.chunk_files[owners[alive[owners]]]] = True
        count += int(np.count_nonzero(files & mask))
    return count


def _candidates(text: str) -> Iterator[str]:
    """Words that stand alone and that code elsewhere does not have."""
    text = text[:MAX_CHARS]
    known, tags = usual_words(), set(_TAG.findall(text))
    unknown = (
        word
        for word in dict.fromkeys(_ALONE.findall(text))
        if word not in tags and known.isdisjoint((word.lower(), word.lower().removesuffix("s")))
    )
    return islice(unknown, MAX_WORDS)
