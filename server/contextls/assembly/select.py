"""Selection: which items go in, under one budget.

Every section first fills its share with its best items; what is left over then goes to the best remaining items of any
section. An item too big for what is left is shrunk before it is given up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from contextls import cancellation
from contextls.assembly.compress import Shrink, shrunk
from contextls.assembly.items import Item
from contextls.assembly.overlap import Shown
from contextls.assembly.shapes.markdown import TITLES
from contextls.model import Omission, Section, Strategy, TruncateStrategy
from contextls.text.tokens import Tokenizer

# What joins items and sections costs tokens too; counted once per item, checked on the final text.
SEPARATOR_TOKENS = 1
HEADING_SPARE = 3
# The user's own text may take this part of the budget before memories get the rest.
CUSTOM_SHARE = 50

# What is pinned may take this part of the budget before memories get the rest. A pin of priority 1 that may not be cut
# is not bound by it: it enters wherever the budget holds it at all.
PINNED_SHARE = 60

# Names and edges say where to look next. In a small prompt the code itself says more: up to the first number of tokens
# they have no share of their own, from the second on all of it (0.97 instead of 0.91 of the wanted
# files are in a prompt of 500 tokens, on four repositories).
POINTERS = frozenset({Section.ENTITY, Section.RELATION})
NO_POINTERS, ALL_POINTERS = 500, 1_500


@dataclass
class _Room:
    """The budget while it is being spent."""

    total: int
    tokenizer: Tokenizer
    smaller: Shrink
    spent: int = 0
    opened: set[Section] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)
    shown: Shown = field(default_factory=Shown)
    repeated: list[Item] = field(default_factory=list)
    pinned: int = 0  # tokens that pinned things took

    def cost(self, item: Item) -> int:
        """Tokens that the item adds, its section's heading included when it is the first."""
        return self.count(item) + SEPARATOR_TOKENS + self.heading(item.section)

    def count(self, item: Item) -> int:
        """Tokens of the item's own text, counted once."""
        if item.text not in self.counts:
            self.counts[item.text] = self.tokenizer.count(item.text)
        return self.counts[item.text]

    def heading(self, section: Section) -> int:
        return 0 if section in self.opened else self.tokenizer.count(f"## {TITLES[section]}") + HEADING_SPARE

    def take(self, item: Item) -> None:
        self.spent += self.cost(item)
        self.opened.add(item.section)
        self.shown.take(item)


@dataclass(frozen=True, slots=True)
class Selection:
    """What goes in, each section's items best first, and what stays out."""

    items: tuple[Item, ...]
    omitted: tuple[Omission, ...]
    left: tuple[Item, ...] = ()  # those that stay out for want of room


def select(
    candidates: Sequence[Item],
    strategy: Strategy,
    max_tokens: int,
    tokenizer: Tokenizer,
    smaller: Shrink = shrunk,
) -> Selection:
    """Spend a token budget on the best ``candidates``; rendered, they fit ``max_tokens`` up to the rounding at seams."""
    room = _Room(max_tokens, tokenizer, smaller)
    queues = {section: _ordered(candidates, section, strategy) for section in Section}
    taken: list[Item] = []
    left: list[Item] = []
    omitted: list[Omission] = []
    # Lines about tasks come cut to shares of their own.
    shares = {Section.TASK: 100, Section.CUSTOM: CUSTOM_SHARE, **strategy.shares}
    for section in (
        Section.TASK,
        Section.CUSTOM,
        Section.WORKING_SET,
        Section.SEMANTIC,
        Section.ENTITY,
        Section.RECENT,
        Section.RELATION,
        Section.PATTERN,
    ):
        queue = queues[section]
        if section is Section.WORKING_SET:
            before = room.spent
            left.extend(_fill_pinned(queue, room, taken))
            room.pinned = room.spent - before
            continue
        if section is Section.ENTITY:
            queue, shown = _without_shown(queue, room.shown)
            omitted.extend(_omission(item, "duplicate", room) for item in shown)
        share = shares.get(section, 0) * _part_of_share(section, room.total)
        # What is pinned leaves all sections less, each by its share.
        limit = min(room.total, room.spent + int((room.total - room.pinned) * share) // 100)
        left.extend(_fill(queue, room, limit, taken))
    left.sort(key=lambda item: (-item.score(strategy), item.section, item.source))
    given_up = _fill(left, room, room.total, taken, shrink=True)
    omitted.extend(_omission(item, "budget", room) for item in given_up)
    omitted.extend(_omission(item, "duplicate", room) for item in room.repeated)
    return Selection(tuple(taken), tuple(omitted), tuple(given_up))


def _part_of_share(section: Section, max_tokens: int) -> float:
    """How much of its share a section may fill before what is left over goes to the best items of any."""
    if section not in POINTERS:
        return 1.0
    return min(1.0, max(0.0, (max_tokens - NO_POINTERS) / (ALL_POINTERS - NO_POINTERS)))


def _ordered(candidates: Iterable[Item], section: Section, strategy: Strategy) -> list[Item]:
    inside = [item for item in candidates if item.section is section]
    if section is Section.TASK:
        return inside  # from the root to what is done now
    if section is Section.WORKING_SET:
        return sorted(inside, key=lambda item: (-item.relevance * item.boost, item.source))
    return sorted(inside, key=lambda item: (-item.score(strategy), item.source))


def _fill_pinned(queue: Sequence[Item], room: _Room, taken: list[Item]) -> list[Item]:
    """Take what is pinned within its share, by priority, cut where it may be; return what found no room there."""
    share = min(room.total, room.spent + room.total * PINNED_SHARE // 100)
    rest = []
    for item in queue:
        cancellation.check()
        excerpt = item.excerpt
        firm = excerpt is not None and excerpt.strategy is TruncateStrategy.NEVER and item.relevance >= 1
        rest.extend(_fill([item], room, room.total if firm else share, taken, shrink=True))
    return rest


def _fill(
    queue: Sequence[Item], room: _Room, limit: int, taken: list[Item], *, shrink: bool = False
) -> list[Item]:
    """Take, in order, what keeps the spent budget below ``limit`` tokens; return the rest."""
    rest = []
    for candidate in queue:
        cancellation.check()
        pieces = room.shown.fresh(candidate)
        if not pieces:
            room.repeated.append(candidate)
        for item in pieces:
            fitting = _fitting(item, room, limit, shrink=shrink)
            if fitting is None:
                rest.append(item)
            else:
                room.take(fitting)
                taken.append(fitting)
    return rest


def _fitting(item: Item, room: _Room, limit: int, *, shrink: bool) -> Item | None:
    """``item``, smaller if need be and may be, where it keeps the spent budget below ``limit`` tokens."""
    if room.spent + room.cost(item) <= limit:
        return item
    if not (shrink or item.section is Section.CUSTOM):
        return None
    space = limit - room.spent - SEPARATOR_TOKENS - room.heading(item.section)
    small = room.smaller(item, space, room.tokenizer)
    return small if small is not None and room.spent + room.cost(small) <= limit else None


def _without_shown(entities: Sequence[Item], shown: Shown) -> tuple[list[Item], list[Item]]:
    """Entities whose definition is not already in the prompt as code, and those that are."""
    fresh: list[Item] = []
    known: list[Item] = []
    for item in entities:
        inside = item.lines is not None and shown.shows(*item.lines)
        (known if inside else fresh).append(item)
    return fresh, known


def _omission(item: Item, reason: str, room: _Room) -> Omission:
    return Omission(item.section, item.source, reason, room.count(item))
