"""The last step before an answer: the budget enforced on the final, redacted text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from contextls import cancellation
from contextls.assembly.bodies import PinnedSpan
from contextls.assembly.candidate import Candidate, has_heading
from contextls.assembly.piece_fields import PieceFields, describe_piece
from contextls.assembly.select import describe_omission
from contextls.assembly.shapes.shape import PromptShape
from contextls.assembly.shrink import Shrink
from contextls.model import Omission, Section, Strategy
from contextls.text.gate import CleanText, clean


@dataclass(frozen=True, slots=True)
class FittedPiece:
    """A candidate as it is read, and its own text; ``verbatim`` says that no secret had to be taken out of the whole."""

    candidate: Candidate
    text: CleanText
    verbatim: bool

    def describe(self) -> PieceFields:
        """The piece without the marks of the shape, its body looked through like its text."""
        fields = describe_piece(self.candidate.body)
        return replace(fields, body=CleanText(fields.body) if self.verbatim else clean(fields.body))


@dataclass(frozen=True, slots=True)
class Fitted:
    """The final text, its exact count, the pieces in it, what they were chosen as, and what had to go.

    What is asked is no piece.
    """

    content: CleanText
    count: int
    pieces: tuple[FittedPiece, ...]
    chosen: tuple[Candidate, ...]
    dropped: tuple[Candidate, ...]
    omitted: tuple[Omission, ...]


def fit_to_budget(
    chosen: Sequence[Candidate],
    max_tokens: int,
    strategy: Strategy,
    shape: PromptShape,
    *,
    keep: Candidate | None = None,
    shrink: Shrink | None = None,
    may_shrink: bool = True,
    order: Sequence[str] = (),
) -> Fitted:
    """While the exact count is over ``max_tokens``, the weakest candidate shrinks or, where it cannot, goes.

    What is asked goes behind all others, and ``keep`` last of all; where none ``may_shrink``, the weakest goes as it is.
    ``order`` is that of a request.
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
        small = (shrink or shape.shrink)(weakest, room) if may_shrink and whole else None
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
    """The candidate that gives way first: what a person pinned gives way to nothing that was retrieved."""
    others = [each for each in left if each is not keep]
    shown = [each for each in others if has_heading(each)]
    retrieved = [each for each in shown if each.section is not Section.WORKING_SET]
    return max(retrieved or shown or others or left, key=lambda each: (-each.score(strategy), each.id))
