"""Selection: which candidates go in, under one budget.

Every section first fills its share with its best candidates; what is left over then goes to the best remaining ones of any
section. A candidate too big for what is left is shrunk before it is given up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from contextls import cancellation
from contextls.assembly.arrange import priority
from contextls.assembly.bodies import KnownEntity, PinnedSpan
from contextls.assembly.candidate import Candidate
from contextls.assembly.overlap import ShownLines
from contextls.assembly.sections import BY_TURN, TABLE, SectionRow
from contextls.assembly.shapes.shape import Shape
from contextls.assembly.shrink import Shrink
from contextls.model import Omission, Section, Strategy, TruncateStrategy

# Names and edges say where to look next. In a small prompt the code itself says more: up to the first number of tokens
# they have no share of their own, from the second on all of it (0.97 instead of 0.91 of the wanted
# files are in a prompt of 500 tokens, on four repositories).
NO_POINTERS, ALL_POINTERS = 500, 1_500


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen candidates, each section's best first, and the others; ``left`` are those without room."""

    chosen: tuple[Candidate, ...]
    omitted: tuple[Omission, ...]
    left: tuple[Candidate, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass
class _Room:
    """The budget while it is being spent."""

    total: int
    shape: Shape
    shrink: Shrink
    spent: int = 0
    opened: set[Section] = field(default_factory=set)
    shown: ShownLines = field(default_factory=ShownLines)
    taken: list[Candidate] = field(default_factory=list)
    repeated: list[Candidate] = field(default_factory=list)
    pinned: int = 0  # tokens that pinned things took

    def cost(self, candidate: Candidate) -> int:
        """Tokens that the candidate adds, its section's heading included when it is the first."""
        return self.shape.measure(candidate.body) + self.overhead(candidate.section)

    def overhead(self, section: Section) -> int:
        """Tokens around one more piece of the section."""
        heading = 0 if section in self.opened else self.shape.measure_heading(section)
        return self.shape.seam_tokens + heading

    def take(self, candidate: Candidate) -> None:
        self.spent += self.cost(candidate)
        self.opened.add(candidate.section)
        self.shown.take(candidate)
        self.taken.append(candidate)


def select(
    candidates: Sequence[Candidate],
    strategy: Strategy,
    max_tokens: int,
    shape: Shape,
    shrink: Shrink | None = None,
) -> Selection:
    """Spend a token budget on the best ``candidates``; rendered, they fit ``max_tokens`` up to the rounding at seams."""
    room = _Room(max_tokens, shape, shrink or shape.shrink)
    left: list[Candidate] = []
    omitted: list[Omission] = []
    for row in BY_TURN:
        queue = _order_section([one for one in candidates if one.section is row.section], row, strategy)
        if row.section is Section.WORKING_SET:
            before = room.spent
            left.extend(_fill_pinned(queue, room))
            room.pinned = room.spent - before
            continue
        if row.section is Section.ENTITY:
            queue, shown = _without_shown(queue, room.shown)
            omitted.extend(omission(one, "duplicate", shape) for one in shown)
        # What is pinned leaves all sections less, each by its share.
        share = _share(row, strategy, room.total)
        limit = min(room.total, room.spent + int((room.total - room.pinned) * share) // 100)
        left.extend(_fill(queue, room, limit))
    left.sort(key=lambda one: (-one.score(strategy), one.section, one.id))
    given_up = _fill(left, room, room.total, shrink=True)
    omitted.extend(omission(one, "budget", shape) for one in given_up)
    omitted.extend(omission(one, "duplicate", shape) for one in room.repeated)
    homeless = sorted({str(one.section) for one in candidates if one.section not in TABLE})
    warnings = tuple(f"no section takes what {name} offers; it was left out" for name in homeless)
    return Selection(tuple(room.taken), tuple(omitted), tuple(given_up), warnings)


def omission(candidate: Candidate, reason: str, shape: Shape) -> Omission:
    """Report that a candidate stays out, and why."""
    return Omission(candidate.section, candidate.id, reason, shape.measure(candidate.body))


def _share(row: SectionRow, strategy: Strategy, max_tokens: int) -> float:
    """Percent of the budget that a section may fill before what is left over goes to the best of any."""
    share = strategy.shares.get(row.section, 0) if row.share is None else row.share
    if not row.pointer:
        return share
    return share * min(1.0, max(0.0, (max_tokens - NO_POINTERS) / (ALL_POINTERS - NO_POINTERS)))


def _order_section(inside: list[Candidate], row: SectionRow, strategy: Strategy) -> list[Candidate]:
    if row.section is Section.TASK:
        return inside  # from the root to what is done now
    if row.section is Section.WORKING_SET:
        return sorted(inside, key=priority)
    return sorted(inside, key=lambda one: (-one.score(strategy), one.id))


def _fill_pinned(queue: Sequence[Candidate], room: _Room) -> list[Candidate]:
    """Take what is pinned within its share, by priority, cut where it may be; return what found no room there."""
    row = TABLE[Section.WORKING_SET]
    share = min(room.total, room.spent + room.total * (row.share or 0) // 100)
    rest = []
    for pin in queue:
        cancellation.check()
        never = isinstance(pin.body, PinnedSpan) and pin.body.strategy is TruncateStrategy.NEVER
        limit = room.total if never and pin.scores.relevance >= 1 else share
        rest.extend(_fill([pin], room, limit, shrink=True))
    return rest


def _fill(queue: Sequence[Candidate], room: _Room, limit: int, *, shrink: bool = False) -> list[Candidate]:
    """Take, in order, what keeps the spent budget below ``limit`` tokens; return the rest."""
    rest = []
    for candidate in queue:
        cancellation.check()
        pieces = room.shown.fresh(candidate)
        if not pieces:
            room.repeated.append(candidate)
        for piece in pieces:
            fitting = _fit(piece, room, limit, shrink=shrink)
            if fitting is None:
                rest.append(piece)
            else:
                room.take(fitting)
    return rest


def _fit(candidate: Candidate, room: _Room, limit: int, *, shrink: bool) -> Candidate | None:
    """The candidate, smaller if need be and may be, where it keeps the spent budget below ``limit`` tokens."""
    if room.spent + room.cost(candidate) <= limit:
        return candidate
    if not (shrink or candidate.section is Section.CUSTOM):
        return None
    small = room.shrink(candidate, limit - room.spent - room.overhead(candidate.section))
    return small if small is not None and room.spent + room.cost(small) <= limit else None


def _without_shown(
    entities: Sequence[Candidate], shown: ShownLines
) -> tuple[list[Candidate], list[Candidate]]:
    """Entities whose definition is not already in the prompt as code, and those that are."""
    fresh: list[Candidate] = []
    known: list[Candidate] = []
    for candidate in entities:
        (known if _is_shown(candidate, shown) else fresh).append(candidate)
    return fresh, known


def _is_shown(candidate: Candidate, shown: ShownLines) -> bool:
    if not isinstance(candidate.body, KnownEntity):
        return False
    entity = candidate.body.entity
    is_symbol = bool(entity.path and entity.line) and entity.id != entity.path
    return is_symbol and shown.shows(entity.path, entity.line)
