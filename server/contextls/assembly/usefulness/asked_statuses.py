"""Code that alone sets an HTTP status which a question gives by its number: "why do we answer 429?"."""

from __future__ import annotations

from contextls.assembly.usefulness.proper_names import MAX_MENTIONS, SPEAKS_OF_IT
from contextls.memory.index.priors import FileKind
from contextls.memory.index.ranking.ranking import Ranking
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import hash_term
from contextls.memory.index.words.http_statuses import status_names


def weigh_statuses(ranking: Ranking) -> dict[ChunkRef, float]:
    """The relevance, in 0..1, of the chunks that alone name a status in the question; what many set says nothing."""
    question, view = ranking.question, ranking.view
    names = frozenset(map(hash_term, status_names(question.text)))
    asked = question.kinds | {FileKind.SOURCE}
    setting = {
        ref
        for use in ranking.words.uses
        if use.hash in names and use.living
        for ref in ranking.numbers.refs(ranking.words.holding(use))
        if view.file_kind(ref) in asked
    }
    return dict.fromkeys(sorted(setting), SPEAKS_OF_IT) if len(setting) <= MAX_MENTIONS else {}
