"""Whether words stand side by side in the workspace."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import TermSplitter

# So many chunks that hold both are looked through.
_MAX_CHUNKS = 60


def stand_together(view: IndexView, splitter: TermSplitter, first: str, second: str) -> bool:
    """Whether two words stand one behind the other somewhere, in prose or in a name."""
    apart = re.compile(rf"(?<![a-z]){first}[\W_]{{1,3}}{second}(?![a-z])", re.IGNORECASE)
    camel = re.compile(rf"(?:(?<![A-Za-z]){first}|{first.capitalize()}){second.capitalize()}(?![a-z])")
    texts = islice(_texts_with(view, splitter.stem_hashes(f"{first} {second}")), _MAX_CHUNKS)
    return any(apart.search(text) or camel.search(text) for text in texts)


def _texts_with(view: IndexView, terms: Sequence[int]) -> Iterator[str]:
    """The texts of the chunks that hold all ``terms``, one segment after the other."""
    for segment, alive in zip(view.segments, view.alive, strict=True):
        holding = np.flatnonzero(alive)
        for term in terms:
            holding = np.intersect1d(holding, segment.owners(term), assume_unique=True)
        yield from (segment.row(at).text for at in holding.tolist())
