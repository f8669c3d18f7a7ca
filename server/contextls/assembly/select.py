"""Selection: which candidates go in, under one budget.

Every section first fills its share of the budget with its best candidates; leftovers go to the best remaining ones of
any section. A candidate too big for what is left is shrunk before it is given up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from contextls import cancellation
from contextls.assembly.arrange import adjoin, priority
from contextls.assembly.bare_pieces import find_bare
from contextls.assembly.bodies import CodeSpan, KnownEntity, PackageText, PinnedSpan
from contextls.assembly.candidate import Candidate, has_heading
from contextls.assembly.overlap import ShownLines, shown_by
from contextls.assembly.sections import BY_TURN, TABLE, SectionRow
from contextls.assembly.shapes.shape import PromptShape
from contextls.assembly.shrink import Shrink
from contextls.model import ManifestBudget, Omission, Section, Strategy, TruncateStrategy

# Names and edges say where to look next. In a small prompt the code itself says more: up to the first number of tokens
# they have no share of their own, from the second on all of it (0.97 instead of 0.91 of the wanted
# files are in a prompt of 500 tokens, on four repositories).
NO_POINTERS, ALL_POINTERS = 500, 1_500

# Beside other pieces, one of which less is left than this says too little: of its first lines, or of its signatures
# with their documentation. What it is and where it stands does not count.
MIN_KEPT = {"head": 0.5, "skeleton": 0.4}

# About what one more name in a heading costs.
NAME_TOKENS = 8


# A piece as it is shown beside what the conversation shows already; ``None`` where nothing of it is.
Recall = Callable[[Candidate], Candidate | None]


# The bounds of pins where nobody set any.
UNBOUND = ManifestBudget()


def _as_it_is(candidate: Candidate) -> Candidate:
    return candidate


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
    shape: PromptShape
    shrink: Shrink
    recall: Recall
    spent: int = 0
    opened: set[Section] = field(default_factory=set)
    shown: ShownLines = field(default_factory=ShownLines)
    taken: list[Candidate] = field(default_factory=list)
    repeated: list[Candidate] = field(default_factory=list)
    held: list[Candidate] = field(default_factory=list)  # pins beyond what their role may take
    pinned: int = 0  # tokens that pinned things took
    paid: dict[tuple[Section, str], int] = field(default_factory=dict)  # what each of ``taken`` cost

    def cost(self, candidate: Candidate) -> int:
        """Tokens that the candidate adds, its section's heading included when it is the first.

        Where it goes on with a piece that is taken, both become one: it adds its text, and its name to the heading.
        """
        if self.continues(candidate):
            return _text_tokens(candidate, self.shape) + NAME_TOKENS
        return self.shape.measure(candidate.body) + self.overhead(candidate)

    def continues(self, candidate: Candidate) -> bool:
        """Whether it will be joined with a piece that is taken."""
        return candidate.section is Section.SEMANTIC and any(
            adjoin(one, candidate) or adjoin(candidate, one)
            for one in self.taken
            if one.section is Section.SEMANTIC
        )

    def overhead(self, candidate: Candidate) -> int:
        """Tokens around one more piece of its section."""
        opens = has_heading(candidate) and candidate.section not in self.opened
        return self.shape.seam_tokens + (self.shape.measure_heading(candidate.section) if opens else 0)

    def take(self, candidate: Candidate, cost: int) -> None:
        for shown in shown_by(candidate, self.taken):
            self.taken.remove(shown)
            self.repeated.append(shown)
            self.spent -= self.paid.pop((shown.section, shown.id), 0)
        self.paid[candidate.section, candidate.id] = cost
        self.spent += cost
        if has_heading(candidate):
            self.opened.add(candidate.section)
        self.shown.take(candidate)
        self.taken.append(candidate)


def select(
    candidates: Sequence[Candidate],
    strategy: Strategy,
    max_tokens: int,
    shape: PromptShape,
    shrink: Shrink | None = None,
    recall: Recall = _as_it_is,
    allocation: ManifestBudget = UNBOUND,
) -> Selection:
    """Spend a token budget on the best ``candidates``; rendered, they fit ``max_tokens`` up to the rounding at seams.

    ``allocation`` bounds what pins of each role take. What is shown beside pinned lines goes through ``recall`` once more:
    it is no longer the piece that it was.
    """
    room = _Room(max_tokens, shape, shrink or shape.shrink, recall)
    left: list[Candidate] = []
    omitted: list[Omission] = []
    for row in BY_TURN:
        queue = _order_section([one for one in candidates if one.section is row.section], row, strategy)
        if row.section is Section.WORKING_SET:
            before = room.spent
            left.extend(_fill_pinned(queue, room, allocation))
            room.pinned = room.spent - before
            continue
        if row.section is Section.ENTITY:
            queue, shown = _without_shown(queue, room.shown)
            omitted.extend(describe_omission(one, "duplicate", shape) for one in shown)
        limit = min(room.total, room.spent + _share_tokens(row, strategy, room))
        if row.section is Section.SEMANTIC and strategy.shares.get(row.section):
            # A share that nobody claims goes to what answers the question, the best of which is cut if need be.
            claimed = sum(
                _claim(each, candidates, strategy, room) for each in BY_TURN if each.turn > row.turn
            )
            limit = max(limit, room.total - claimed)
            left.extend(_fill(queue[:1], room, limit, shrink=True))
            queue = queue[1:]
        left.extend(_fill(queue, room, limit))
    left.sort(key=lambda one: (_turn_of_rest(one), -one.score(strategy), one.section, one.id))
    packages = [one for one in left if one.section is Section.PACKAGE]
    given_up = _fill(
        [one for one in left if one.section is not Section.PACKAGE], room, room.total, shrink=True
    )
    # Beyond its share a package says something only where the workspace has no more to say.
    given_up += packages if given_up else _fill(packages, room, room.total, shrink=True)
    omitted.extend(describe_omission(one, "budget", shape) for one in given_up)
    omitted.extend(describe_omission(one, "limit", shape) for one in room.held)
    omitted.extend(describe_omission(one, "duplicate", shape) for one in room.repeated)
    homeless = sorted({str(one.section) for one in candidates if one.section not in TABLE})
    warnings = tuple(f"no section takes what {name} offers; it was left out" for name in homeless)
    bare = find_bare(room.taken)
    omitted.extend(describe_omission(one, "unlikely", shape) for one in bare)
    taken = tuple(one for one in room.taken if one not in bare)
    return Selection(taken, tuple(omitted), tuple(given_up), warnings)


def describe_omission(candidate: Candidate, reason: str, shape: PromptShape) -> Omission:
    """Report that a candidate stays out, and why."""
    return Omission(candidate.section, candidate.id, reason, shape.measure(candidate.body))


def _share_tokens(row: SectionRow, strategy: Strategy, room: _Room) -> int:
    """Tokens that a section may fill before what is left over goes to the best of any.

    What is pinned leaves all sections less, each by its share.
    """
    share: float = strategy.shares.get(row.section, 0) if row.share is None else row.share
    if row.pointer:
        share *= min(1.0, max(0.0, (room.total - NO_POINTERS) / (ALL_POINTERS - NO_POINTERS)))
    return int((room.total - room.pinned) * share) // 100


def _claim(row: SectionRow, candidates: Sequence[Candidate], strategy: Strategy, room: _Room) -> int:
    """Tokens of its share that a section has candidates for."""
    share, claimed = _share_tokens(row, strategy, room), 0
    for one in candidates:
        if one.section is row.section and claimed < share:
            claimed += room.cost(one)
    return min(share, claimed)


def _order_section(inside: list[Candidate], row: SectionRow, strategy: Strategy) -> list[Candidate]:
    if row.section is Section.TASK:
        return inside  # from the root to what is done now
    if row.section is Section.WORKING_SET:
        return sorted(inside, key=priority)
    return sorted(inside, key=lambda one: (-one.score(strategy), one.id))


def _turn_of_rest(candidate: Candidate) -> int:
    """The order in which what is left is tried: what a person pinned goes before anything retrieved.

    How relevant a piece of a package is, its package says: it is weighed against its like, not against the workspace.
    """
    return {Section.WORKING_SET: 0, Section.PACKAGE: 2}.get(candidate.section, 1)


def _fill_pinned(queue: Sequence[Candidate], room: _Room, allocation: ManifestBudget) -> list[Candidate]:
    """Take what is pinned within its share, by priority, cut where it may be; return what found no room there.

    Pins of a role that has an allocation are bound by that, the others by the share of the section together.
    """
    share = room.total * (TABLE[Section.WORKING_SET].share or 0) // 100
    taken: dict[str, int] = {}
    rest: list[Candidate] = []
    for pin in queue:
        cancellation.check()
        body = pin.body
        role = str(body.role) if isinstance(body, PinnedSpan) else ""
        allotted = allocation.tokens_of(role, room.total)
        purse = "" if allotted is None else role
        never = isinstance(body, PinnedSpan) and body.strategy is TruncateStrategy.NEVER
        before = room.spent
        limit = before + (share if allotted is None else allotted) - taken.get(purse, 0)
        if never and pin.scores.relevance >= 1:
            limit = room.total
        outside = _fill([pin], room, min(room.total, limit), shrink=True)
        taken[purse] = taken.get(purse, 0) + room.spent - before
        (rest if allotted is None else room.held).extend(outside)
    return rest


def _fill(queue: Sequence[Candidate], room: _Room, limit: int, *, shrink: bool = False) -> list[Candidate]:
    """Take, in order, what keeps the spent budget below ``limit`` tokens; return the rest."""
    rest = []
    for candidate in queue:
        cancellation.check()
        pieces = room.shown.fresh(candidate)
        if not pieces:
            room.repeated.append(candidate)
        for piece in pieces if pieces == [candidate] else filter(None, map(room.recall, pieces)):
            fitting = _fit(piece, room, limit, shrink=shrink)
            if fitting is None:
                rest.append(piece)
            else:
                room.take(*fitting)
    return rest


def _fit(candidate: Candidate, room: _Room, limit: int, *, shrink: bool) -> tuple[Candidate, int] | None:
    """The candidate and its cost, smaller if need be and may be, where that keeps what is spent below ``limit``."""
    cost = room.cost(candidate)
    if room.spent + cost <= limit:
        return candidate, cost
    if not (shrink or candidate.section is Section.CUSTOM):
        return None
    small = room.shrink(candidate, limit - room.spent - room.overhead(candidate))
    # What came with the question is wanted, however little of it there is room for.
    lesser = candidate.section is not Section.CUSTOM and any(map(has_heading, room.taken))
    least = MIN_KEPT.get(small.compression or "", 0) if small is not None and lesser else 0
    if small is None or (
        least and _text_tokens(small, room.shape) < least * _text_tokens(candidate, room.shape)
    ):
        return None
    cost = room.cost(small)
    return (small, cost) if room.spent + cost <= limit else None


def _text_tokens(candidate: Candidate, shape: PromptShape) -> int:
    """Tokens of its text, without those that say what it is and where it stands."""
    body = candidate.body
    around = 0
    if isinstance(body, CodeSpan):
        around = shape.measure(replace(body, text="", shown_to=0))
    elif isinstance(body, PackageText):
        around = shape.measure(replace(body, text=""))
    return shape.measure(body) - around


def _without_shown(
    entities: Sequence[Candidate], shown: ShownLines
) -> tuple[list[Candidate], list[Candidate]]:
    """Entities that are not already in the prompt as code, and those that are: a file with any piece of it."""
    fresh: list[Candidate] = []
    known: list[Candidate] = []
    for candidate in entities:
        (known if _is_shown(candidate, shown) else fresh).append(candidate)
    return fresh, known


def _is_shown(candidate: Candidate, shown: ShownLines) -> bool:
    if not isinstance(candidate.body, KnownEntity):
        return False
    entity = candidate.body.entity
    if entity.id == entity.path:
        return shown.shows_any_of(entity.path)
    return bool(entity.path and entity.line) and shown.shows(entity.path, entity.line)
