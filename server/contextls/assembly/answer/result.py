"""Makes the answer of the fitted pieces, with what an update needs of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec import Struct

from contextls.assembly.pieces.candidate import Candidate, phrase
from contextls.assembly.pieces.sent import EARLIER
from contextls.assembly.request import BudgetedRequest
from contextls.assembly.selection.fit import FittedPiece
from contextls.assembly.shapes.shape import PromptShape
from contextls.model import Component, Context, Omission, Section, Strategy

# For what says nothing of itself: a client can rely on a phrase being there.
_UNTOLD = "found for the question"
# Why something stays out that a larger budget, or a higher limit, would let in.
_WANTED = frozenset({"budget", "limit"})


class Assembled(Struct, frozen=True):
    """An answer with what it was made of: the candidates that went in, and those that did not fit.

    ``flawed`` says that something failed on the way, which another try may not.
    """

    context: Context
    request: BudgetedRequest
    shape: PromptShape
    chosen: tuple[Candidate, ...]
    left: tuple[Candidate, ...]
    flawed: bool = False


def context_id(content: str, request: str, before: str = "") -> str:
    """An id that the same answer to the same request, after the same context, gets again."""
    digest = hashlib.blake2b("\0".join((before, request, content)).encode(errors="replace"), digest_size=8)
    return f"context-{digest.hexdigest()}"


def component(piece: FittedPiece, strategy: Strategy, shape: PromptShape) -> Component:
    """``piece`` as it is answered; its score without what a boost adds beyond 1."""
    candidate = piece.candidate
    score = round(min(1.0, candidate.score(strategy)), 4)
    why = phrase(candidate.why) or _UNTOLD
    if candidate.scores.boost > 1:
        why += "; raised by the request"
    fields = piece.describe()
    return Component(
        type=candidate.section,
        source=candidate.id,
        content=piece.text,
        tokens=shape.count(piece.text),
        relevance_score=score,
        compression=candidate.compression,
        why=why,
        title=fields.title,
        path=fields.path,
        start_line=fields.start_line,
        end_line=fields.end_line,
        symbol=fields.symbol,
        language=fields.language,
        body=fields.body,
    )


def confidence(pieces: Sequence[FittedPiece]) -> float:
    """The chance that the best of ``pieces`` is of use."""
    return round(max((min(1.0, piece.candidate.chance) for piece in pieces), default=0.0), 3)


def is_truncated(components: Sequence[Component], omitted: Sequence[Omission]) -> bool:
    """Whether there was more to show: a piece was cut, or stayed out for want of room or because of a limit."""
    cut = any(each.compression not in (None, EARLIER) for each in components)
    return cut or any(each.reason in _WANTED for each in omitted)


def section_tokens(components: Sequence[Component]) -> dict[str, int]:
    """The tokens of each section's components, headings not counted."""
    totals = dict.fromkeys(map(str, Section), 0)
    for each in components:
        totals[each.type] += each.tokens
    return totals
