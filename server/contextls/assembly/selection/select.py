"""Selection: which candidates go in, under one budget.

Every section first fills its share of the budget with its best candidates; leftovers go to the best remaining ones of
any section. A candidate too big for what is left is shrunk before it is given up.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from contextls import cancellation
from contextls.assembly.pieces.bodies import KnownEntity, PinnedSpan
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.overlap import ShownLines
from contextls.assembly.pieces.sections import BY_TURN, TABLE, SectionRow
from contextls.assembly.pieces.shrink import Shrink
from contextls.assembly.selection.bare_pieces import find_bare
from contextls.assembly.selection.prompt_room import PromptRoom, Recall
from contextls.assembly.shapes.arrange import priority
from contextls.assembly.shapes.shape import PromptShape
from contextls.model import ManifestBudget, Omission, Section, Strategy, TruncateStrategy

# Names and edges say where to look next. In a small prompt the code itself says more: up to the first number of tokens
# they have no share of their own, from the second on all of it (0.97 instead of 0.91 of the wanted
# files are in a prompt of 500 tokens, on four repositories).
NO_POINTERS, ALL_POINTERS = 500, 1_500

# The bounds of pins where nobody set any.
UNBOUND = ManifestBudget()


def _unchanged(candidate: Candidate) -> Candidate:
    return candidate


class Selection(Struct, frozen=True):
    """The chosen candidates, each section's best first, and the others; ``left`` are those without room."""

    chosen: tuple[Candidate, ...]
    omitted: tuple[Omission, ...]
    left: tuple[Candidate, ...] = ()
    warnings: tuple[str, ...] = ()


def select(
    candidates: Sequence[Candidate],
    strategy: Strategy,
    max_tokens: int,
    shape: PromptShape,
    shrink: Shrink | None = None,
    recall: Recall = _unchanged,
    allocation: ManifestBudget = UNBOUND,
) -> Selection:
    """Spend a token budget on the best ``candidates``; rendered, they fit ``max_tokens`` up to the rounding at seams.

    ``allocation`` bounds what pins of each role take.
    """
    room = PromptRoom(max_tokens, shape, shrink or shape.shrink, recall)
    left: list[Candidate] = []
    beyond_role: list[Candidate] = []
    shown_entities: list[Candidate] = []
    for row in BY_TURN:
        queue = _order_section([one for one in candidates if one.section is row.section], row, strategy)
        if row.section is Section.WORKING_SET:
            rest, beyond_role = _fill_pinned(queue, room, allocation)
            left += rest
            continue
        if row.section is Section.ENTITY:
            queue, shown_entities = _without_shown(queue, room.shown)
        limit = min(room.total, room.spent + _share_tokens(row, strategy, room))
        if row.section is Section.SEMANTIC and strategy.shares.get(row.section):
            claimed = sum(
                _claim(each, candidates, strategy, room) for each in BY_TURN if each.turn > row.turn
            )
            # A share that nobody claims goes to what answers the question, the best of which is cut if need be.
            limit = max(limit, room.total - claimed)
            left += room.fill(queue[:1], limit, shrink=True)
            queue = queue[1:]
        left += room.fill(queue, limit)
    given_up = _fill_leftovers(left, strategy, room)
    bare = find_bare(room.taken)
    stays_out = (
        *((one, "duplicate") for one in shown_entities),
        *((one, "budget") for one in given_up),
        *((one, "limit") for one in beyond_role),
        *((one, "duplicate") for one in room.repeated),
        *((one, "unlikely") for one in bare),
    )
    return Selection(
        chosen=tuple(one for one in room.taken if one not in bare),
        omitted=tuple(describe_omission(one, reason, shape) for one, reason in stays_out),
        left=tuple(given_up),
        warnings=_warn_of_unknown_sections(candidates),
    )


def describe_omission(candidate: Candidate, reason: str, shape: PromptShape) -> Omission:
    """Report that a candidate stays out, and why."""
    return Omission(candidate.section, candidate.id, reason, shape.measure(candidate.body))


def _warn_of_unknown_sections(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    unknown = sorted({str(one.section) for one in candidates if one.section not in TABLE})
    return tuple(f"no section takes what {name} offers; it was left out" for name in unknown)


def _share_tokens(row: SectionRow, strategy: Strategy, room: PromptRoom) -> int:
    """Tokens that a section may fill before what is left over goes to the best of any.

    What is pinned leaves all sections less, each by its share.
    """
    share: float = strategy.shares.get(row.section, 0) if row.share is None else row.share
    if row.pointer:
        share *= min(1.0, max(0.0, (room.total - NO_POINTERS) / (ALL_POINTERS - NO_POINTERS)))
    return int((room.total - room.pinned) * share) // 100


def _claim(row: SectionRow, candidates: Sequence[Candidate], strategy: Strategy, room: PromptRoom) -> int:
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
    return sorted(inside, key=lambda one: (not one.leads, -one.score(strategy), one.id))


def _fill_pinned(
    queue: Sequence[Candidate], room: PromptRoom, allocation: ManifestBudget
) -> tuple[list[Candidate], list[Candidate]]:
    """Take what is pinned within its share, by priority, cut where it may be.

    Pins of a role that has an allocation are bound by that, the others by the share of the section together. Returns
    those that found no room in the share, and those beyond the allocation of their role.
    """
    share = room.total * (TABLE[Section.WORKING_SET].share or 0) // 100
    # Tokens by role; of all roles without an allocation, by an empty one.
    spent: dict[str, int] = {}
    beyond_share: list[Candidate] = []
    beyond_role: list[Candidate] = []
    for pin in queue:
        cancellation.check()
        body = pin.body
        role = str(body.role) if isinstance(body, PinnedSpan) else ""
        allotted = allocation.tokens_of(role, room.total)
        purse = "" if allotted is None else role
        before = room.spent
        limit = before + (share if allotted is None else allotted) - spent.get(purse, 0)
        is_uncut = isinstance(body, PinnedSpan) and body.strategy is TruncateStrategy.NEVER
        if is_uncut and pin.scores.relevance >= 1:
            limit = room.total
        outside = room.fill([pin], min(room.total, limit), shrink=True)
        spent[purse] = spent.get(purse, 0) + room.spent - before
        (beyond_share if allotted is None else beyond_role).extend(outside)
    return beyond_share, beyond_role


def _fill_leftovers(left: list[Candidate], strategy: Strategy, room: PromptRoom) -> list[Candidate]:
    """Fill the rest of the room with the best of any section, made smaller where need be; return what is given up."""
    ordered = sorted(left, key=lambda one: (_leftover_turn(one), -one.score(strategy), one.section, one.id))
    packages = [one for one in ordered if one.section is Section.PACKAGE]
    others = [one for one in ordered if one.section is not Section.PACKAGE]
    given_up = room.fill(others, room.total, shrink=True)
    # Beyond its share a package says something only where the workspace has no more to say.
    return given_up + (packages if given_up else room.fill(packages, room.total, shrink=True))


def _leftover_turn(candidate: Candidate) -> int:
    """The order in which leftovers are tried: what a person pinned goes before anything retrieved.

    How relevant a piece of a package is, its package says: it is weighed against its like, not against the workspace.
    """
    return {Section.WORKING_SET: 0, Section.PACKAGE: 2}.get(candidate.section, 1)


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
