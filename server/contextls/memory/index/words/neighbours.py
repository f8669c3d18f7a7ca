"""Finds words that stand side by side in the workspace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import TermSplitter

# The number of chunks with both words that are searched.
_MAX_CHUNKS = 60


def stand_together(view: IndexView, splitter: TermSplitter, first: str, second: str) -> bool:
    """Whether two words stand one after the other somewhere, in prose or in a name."""
    apart = re.compile(rf"(?<![a-z]){first}[ _-]{second}(?![a-z])", re.IGNORECASE)
    camel = _camel(first, second)
    texts = _texts_with(view, splitter, first, second)
    return any(apart.search(text) or camel.search(text) for text in texts)


def count_in_names(view: IndexView, splitter: TermSplitter, first: str, second: str) -> int:
    """In how many chunks, of those looked through, two words stand one after the other in a name: ``onWebSocket``."""
    camel = _camel(first, second)
    return sum(camel.search(text) is not None for text in _texts_with(view, splitter, first, second))


def count_as_one_word(view: IndexView, splitter: TermSplitter, word: str) -> int:
    """In how many chunks, of those looked through, ``word`` is one word: ``lastfm`` and ``LASTFM``, not ``LastFM``."""
    forms = "|".join((word, word.capitalize(), word.upper()))
    one_word = re.compile(rf"(?<![A-Za-z])(?:{forms})(?![a-z])|(?<=[a-z]){word.capitalize()}(?![a-z])")
    return sum(one_word.search(text) is not None for text in _texts_with(view, splitter, word))


def _camel(first: str, second: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?<![A-Za-z]){first}|{first.capitalize()}){second.capitalize()}(?![a-z])")


def _texts_with(view: IndexView, splitter: TermSplitter, *words: str) -> Iterator[str]:
    found = islice(view.holding(splitter.stem_hashes(" ".join(words))), _MAX_CHUNKS)
    return (view.row(ref).text for ref in found)
