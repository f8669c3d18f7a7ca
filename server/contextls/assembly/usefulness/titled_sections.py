"""Finds the sections of documents whose title is the subject of a question, as "Request lifecycle"."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from contextls.code.titles import last_title
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.segments.files import KINDS
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import TermSplitter
from contextls.text.word_set import word_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How relevant the beginning of such a section is, in 0..1.
TITLED = 0.5
# How much of the question, by rarity, its title has at least.
SHARE = 0.6
# What a title says of any subject.
GENERAL = word_set(
    """
    about basics concepts explained getting guide intro introduction overview reference started tutorial understanding using
    working works
    """
)
# A title that more sections have, "Usage" or "Options", says nothing of their subject.
MAX_SECTIONS = 3
# The number of chunks whose titles are compared with the question.
MAX_CHUNKS = 100


def weigh_titled_sections(ranking: Ranking) -> dict[ChunkRef, float]:
    """The first chunk of each section whose title says most of the question and nothing else, with its worth."""
    rarity = ranking.words.rarity
    least = SHARE * sum(rarity.values())
    splitter = TermSplitter()
    found: dict[tuple[str, str], ChunkRef] = {}
    for ref in ranking.numbers.refs(_find_holding(ranking, least)):
        row = ranking.view.row(ref)
        title = {term.hash for term in splitter.question_terms(last_title(row.symbol)) if not term.whole}
        if (
            title - _general_terms() <= rarity.keys()
            and sum(rarity.get(term, 0.0) for term in title) >= least
        ):
            found.setdefault((row.path, row.symbol), ref)
    return dict.fromkeys(found.values(), TITLED) if len(found) <= MAX_SECTIONS else {}


@cache
def _general_terms() -> frozenset[int]:
    splitter = TermSplitter()
    return frozenset(term.hash for word in GENERAL for term in splitter.question_terms(word))


def _find_holding(ranking: Ranking, least: float) -> NDArray[np.int64]:
    """The numbers of the chunks of documents that hold at least this much of the question."""
    rows = ranking.rows
    documents = np.flatnonzero(rows.kinds == KINDS.index(FileKind.DOCUMENT))
    weights = np.array([0.0 if use.whole else use.weight for use in ranking.words.uses], np.float64)
    held = rows.holds[documents] @ weights
    best = np.argsort(-held, kind="stable")[:MAX_CHUNKS]
    chunks: NDArray[np.int64] = rows.numbers[
        documents[np.sort(best[(held[best] >= least) & (held[best] > 0)])]
    ]
    return chunks
