"""The last step before an answer: the budget enforced on the final, redacted text."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from contextls import cancellation
from contextls.assembly.pieces.bodies import PinnedSpan
from contextls.assembly.pieces.candidate import Candidate, has_heading
from contextls.assembly.pieces.shrink import Shrink
from contextls.assembly.selection.select import describe_omission
from contextls.assembly.shapes.piece_fields import PieceFields, describe_piece
from contextls.assembly.shapes.shape import PromptShape
from contextls.model import Omission, Section, Strategy
from contextls.text.gate import CleanText, clean


class FittedPiece(Struct, frozen=True):
    """A candidate in the final text, with the text of its own."""

    candidate: Candidate
    text: CleanText
    # Whether no secret had to be redacted from the whole text.
    verbatim: bool

    def describe(self) -> PieceFields:
        """The piece without the marks of the shape, its secrets redacted as in its text."""
        fields = describe_piece(self.candidate.body)
        return replace(fields, body=CleanText(fields.body) if self.verbatim else clean(fields.body))


class Fitted(Struct, frozen=True):
    """The final text."""

    content: CleanText
    # Its exact number of tokens.
    count: int
    # The pieces in it, as they were joined and arranged. The question is no piece.
    pieces: tuple[FittedPiece, ...]
    # The candidates in it, before they were joined.
    chosen: tuple[Candidate, ...]
    # The candidates that had to go, and the same for the report.
    dropped: tuple[Candidate, ...]
    omitted: tuple[Omission, ...]


def fit_to_budget(
    chosen: Sequence[Candidate],
    max_tokens: int,
    strategy: Strategy,
    shape: PromptShape,
    *,
    order: Sequence[str],
    keep: Candidate | None = None,
    shrink: Shrink | None = None,
) -> Fitted:
    """Write ``chosen``; while the exact count is over ``max_tokens``, shrink the weakest candidate or drop it.

    The question goes after all others, and ``keep`` last of all. What ``shrink`` makes no smaller is dropped at once.
    ``order`` is that of the request.
    """
    left = list(chosen)
    dropped: list[Candidate] = []
    while True:
        cancellation.check()
        if not (any(map(has_heading, left)) or shape.frame.tokens):
            left = []  # a question alone is no context
        arranged = shape.arrange(left, order)
        rendered = shape.render(arranged)
        content = clean(rendered)
        count = shape.tokenizer.count(content)
        if count <= max_tokens:
            pieces = _write_pieces(arranged, shape, is_clean=content == rendered)
            break
        if not left:  # what stands around pieces is too much by itself
            content, count, pieces = clean(""), 0, ()
            break
        weakest = _find_weakest(left, keep, strategy)
        place = left.index(weakest)
        room = shape.measure(weakest.body) - (count - max_tokens)
        whole = isinstance(weakest.body, PinnedSpan) or not weakest.compression
        small = (shrink or shape.shrink)(weakest, room) if whole else None
        if small is not None and small.compression and shape.write(small.body) != shape.write(weakest.body):
            left[place] = small
        else:
            del left[place]
            dropped.append(weakest)
    omitted = tuple(describe_omission(each, "budget", shape) for each in dropped)
    return Fitted(content, count, pieces, tuple(left), tuple(dropped), omitted)


def _write_pieces(
    arranged: Sequence[Candidate], shape: PromptShape, *, is_clean: bool
) -> tuple[FittedPiece, ...]:
    """Each candidate with its own text. Where the whole text ``is_clean``, its pieces need no second look."""
    passed = CleanText if is_clean else clean
    verbatim = is_clean and not shape.cleans_pieces
    return tuple(
        FittedPiece(each, passed(shape.finish(each.body)), verbatim) for each in arranged if has_heading(each)
    )


def _find_weakest(left: Sequence[Candidate], keep: Candidate | None, strategy: Strategy) -> Candidate:
    """The candidate that gives way first. What a person pinned never gives way to anything retrieved."""
    others = [each for each in left if each is not keep]
    shown = [each for each in others if has_heading(each)]
    retrieved = [each for each in shown if each.section is not Section.WORKING_SET]
    return max(retrieved or shown or others or left, key=lambda each: (-each.score(strategy), each.id))
