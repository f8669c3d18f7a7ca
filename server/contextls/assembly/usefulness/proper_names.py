"""Names of products, services and people in a question, told by their capitals: "is it synced to Trakt?"."""

from __future__ import annotations

from contextls.assembly.usefulness.mentions import find_mentions
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.search_query import SearchQuery
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.words.named_languages import named_languages
from contextls.memory.index.words.spelling import usual_words
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# Within a sentence only what has a name of its own begins with a capital. People do things, and things are done by them.
_PROPER = compile_late(
    r"(?<=[a-z,] )(?<!\bdid )(?<!\bdoes )(?<!\bhas )(?<!\bby )(?<!\bis )(?<!\bwas )[A-Z][a-z]{3,}\b(?!['’\w])"
)
# Makers whose products often have an ordinary word as their name, which says nothing alone: "Google Keep", "Apple Health".
_MAKERS = (
    "Adobe|Alibaba|Amazon|Apple|Facebook|Google|IBM|Meta|Microsoft|Mozilla|Oracle|Samsung|Sony|Tencent|Yahoo"
)
_PRODUCT = compile_late(rf"\b(?:{_MAKERS}) [A-Z][a-z]{{3,}}+\b(?![-'’])")
_TIMES = word_set(
    "monday tuesday wednesday thursday friday saturday sunday christmas easter january february march april june july "
    "august september october november december"
)
# A name held by at most this many chunks of code is what those are about; search finds a more common one by its words.
MAX_MENTIONS = 3
# The relevance of such a chunk, in 0..1.
SPEAKS_OF_IT = 0.5


def find_proper_names(question: SearchQuery) -> frozenset[str]:
    """The words that a question writes as names of their own and that code is not usually made of.

    Other languages have other rules for capitals, and a report quotes titles.
    """
    if question.in_english or question.is_long:
        return frozenset()
    others = _TIMES.union(word.lower() for word in question.further)
    return frozenset(
        name
        for name in _PROPER.findall(question.text)
        if (word := name.lower()) not in usual_words()
        and word not in others
        and not named_languages(f"in {name}")
    )


def find_products(text: str) -> list[str]:
    """The products in a text that are called by their maker and a word with a capital: "Google Drive"."""
    return _PRODUCT.findall(text)


def weigh_proper_names(ranking: Ranking) -> dict[ChunkRef, float]:
    """The relevance, in 0..1, of the few chunks that mention a name in the question."""
    question, view = ranking.question, ranking.view
    asked = question.kinds | {FileKind.SOURCE}
    found: dict[ChunkRef, float] = {}
    for name in find_proper_names(question):
        speaking = [ref for ref in find_mentions(view, [name]).refs if view.file_kind(ref) in asked]
        if len(speaking) <= MAX_MENTIONS:
            found |= dict.fromkeys(speaking, SPEAKS_OF_IT)
    return found
