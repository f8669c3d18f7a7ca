"""Whether words stand side by side in the workspace."""

from __future__ import annotations

import re
from itertools import islice

from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import TermSplitter

# So many chunks that hold both are looked through.
_MAX_CHUNKS = 60


def stand_together(view: IndexView, splitter: TermSplitter, first: str, second: str) -> bool:
    """Whether two words stand one behind the other somewhere, in prose or in a name."""
    apart = re.compile(rf"(?<![a-z]){first}[\W_]{{1,3}}{second}(?![a-z])", re.IGNORECASE)
    camel = re.compile(rf"(?:(?<![A-Za-z]){first}|{first.capitalize()}){second.capitalize()}(?![a-z])")
    both = islice(view.holding(splitter.stem_hashes(f"{first} {second}")), _MAX_CHUNKS)
    return any(apart.search(text) or camel.search(text) for text in (view.row(ref).text for ref in both))
