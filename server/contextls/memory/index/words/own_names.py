"""Find the project's own name in a report: a word that so many files hold leads to none of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import TermSplitter, hash_term
from contextls.memory.index.words.spelling import usual_words
from contextls.regex import compile_late

# So many files of source hold it, and at least one in so many of all: names of projects stand in their imports and
# licences. The commonest words that say what a project is about are in one of seven.
MIN_FILES, SHARE = 12, 4
MAX_CHARS, MAX_WORDS = 4_000, 100
# With so few other words the name itself is meant.
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
    total, masks = 0, []
    for segment, alive in zip(view.segments, view.files.alive, strict=True):
        masks.append((segment.file_kinds == _SOURCE) & alive)
        total += int(np.count_nonzero(masks[-1]))
    least = max(MIN_FILES, total // SHARE)
    if total < least:
        return frozenset()

    def count(word: str) -> int:
        found = 0
        stems = splitter.stems(word.lower())
        terms = {hash_term(word.lower()), *(term.hash for term in stems[:1] if len(stems) == 1)}
        for number, segment in enumerate(view.segments):
            files = np.zeros(len(masks[number]), np.bool_)
            for term in terms:
                owners = segment.owners(term)
                files[segment.chunk_files[owners[view.alive[number][owners]]]] = True
            found += int(np.count_nonzero(files & masks[number]))
        return found

    own = frozenset(word for word in _candidates(text) if count(word) >= least)
    rest = splitter.question_terms(without_own_names(text[:MAX_CHARS], own)) if own else ()
    return own if len(rest) >= MIN_REST else frozenset()


def without_own_names(text: str, own: frozenset[str]) -> str:
    """``text`` without the words that stand alone in it and are ``own``."""
    return _ALONE.sub(lambda found: "" if found[0] in own else found[0], text) if own else text


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
