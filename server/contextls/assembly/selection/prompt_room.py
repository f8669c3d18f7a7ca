"""The room in a prompt: a budget of tokens that is spent piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from contextls import cancellation
from contextls.assembly.pieces.bodies import CodeSpan, PackageText
from contextls.assembly.pieces.candidate import Candidate, has_heading
from contextls.assembly.pieces.overlap import ShownLines, shown_by
from contextls.assembly.pieces.shrink import Shrink
from contextls.assembly.shapes.arrange import adjoin
from contextls.assembly.shapes.shape import PromptShape
from contextls.model import Section

# Among other pieces, one cut to less than this share says too little: a share of its lines, or of its signatures with
# their documentation. Its heading does not count.
MIN_KEPT = {"head": 0.5, "skeleton": 0.4}

# About what one more name in a heading costs.
NAME_TOKENS = 8

# A piece without what the conversation shows already; ``None`` where nothing of it is.
Recall = Callable[[Candidate], Candidate | None]


class PromptRoom(Struct):
    """A budget of ``total`` tokens, and the pieces that were taken so far."""

    total: int
    shape: PromptShape
    shrink: Shrink
    # Applied to what is left of a piece around pinned lines: it is no longer the piece that it was.
    recall: Recall
    spent: int = 0
    taken: list[Candidate] = field(default_factory=list)
    # Pieces of which everything is shown by another.
    repeated: list[Candidate] = field(default_factory=list)
    shown: ShownLines = field(default_factory=ShownLines)
    # Sections whose heading is paid for.
    _opened: set[Section] = field(default_factory=set)
    # The cost of each taken piece, by section and id.
    _costs: dict[tuple[Section, str], int] = field(default_factory=dict)

    @property
    def pinned(self) -> int:
        """Tokens spent on what is pinned."""
        return sum(cost for (section, _), cost in self._costs.items() if section is Section.WORKING_SET)

    def fill(self, queue: Sequence[Candidate], limit: int, *, shrink: bool = False) -> list[Candidate]:
        """Take, in order, what keeps the tokens spent within ``limit``; return the rest.

        With ``shrink``, a piece that does not fit is made smaller first.
        """
        rest = []
        for candidate in queue:
            cancellation.check()
            pieces = self.shown.fresh(candidate)
            if not pieces:
                self.repeated.append(candidate)
            for piece in pieces if pieces == [candidate] else filter(None, map(self.recall, pieces)):
                fitting = self._fit(piece, limit, shrink=shrink)
                if fitting is None:
                    rest.append(piece)
                else:
                    self._take(*fitting)
        return rest

    def cost(self, candidate: Candidate) -> int:
        """Tokens that the candidate adds, with its section's heading when it is the first there.

        One that adjoins a taken piece is joined with it: it adds its text, and its name to the heading.
        """
        if self._joins(candidate):
            return self._text_tokens(candidate) + NAME_TOKENS
        return self.shape.measure(candidate.body) + self._overhead(candidate)

    def _joins(self, candidate: Candidate) -> bool:
        if candidate.section is not Section.SEMANTIC:
            return False
        path = candidate.paths[:1]
        beside = (one for one in self.taken if one.paths[:1] == path and one.section is Section.SEMANTIC)
        return any(adjoin(one, candidate) or adjoin(candidate, one) for one in beside)

    def _overhead(self, candidate: Candidate) -> int:
        """Tokens around one more piece of its section."""
        opens = has_heading(candidate) and candidate.section not in self._opened
        return self.shape.seam_tokens + (self.shape.measure_heading(candidate.section) if opens else 0)

    def _fit(self, candidate: Candidate, limit: int, *, shrink: bool) -> tuple[Candidate, int] | None:
        """The candidate and its cost, made smaller where it has to be and may be; ``None`` where it does not fit."""
        cost = self.cost(candidate)
        if self.spent + cost <= limit:
            return candidate, cost
        if not (shrink or candidate.section is Section.CUSTOM):
            return None
        small = self.shrink(candidate, limit - self.spent - self._overhead(candidate))
        if small is None or self._says_too_little(small, candidate):
            return None
        cost = self.cost(small)
        return (small, cost) if self.spent + cost <= limit else None

    def _says_too_little(self, small: Candidate, whole: Candidate) -> bool:
        min_kept = MIN_KEPT.get(small.compression or "", 0)
        # What came with the question is wanted, however little of it there is room for.
        if not min_kept or whole.section is Section.CUSTOM or not any(map(has_heading, self.taken)):
            return False
        return self._text_tokens(small) < min_kept * self._text_tokens(whole)

    def _text_tokens(self, candidate: Candidate) -> int:
        """Tokens of its text, without those that say what it is and where it stands."""
        body = candidate.body
        around = 0
        if isinstance(body, CodeSpan):
            around = self.shape.measure(replace(body, text="", shown_to=0))
        elif isinstance(body, PackageText):
            around = self.shape.measure(replace(body, text=""))
        return self.shape.measure(body) - around

    def _take(self, candidate: Candidate, cost: int) -> None:
        for shown in shown_by(candidate, self.taken):
            self.taken.remove(shown)
            self.repeated.append(shown)
            self.spent -= self._costs.pop((shown.section, shown.id), 0)
        self._costs[candidate.section, candidate.id] = cost
        self.spent += cost
        if has_heading(candidate):
            self._opened.add(candidate.section)
        self.shown.take(candidate)
        self.taken.append(candidate)
