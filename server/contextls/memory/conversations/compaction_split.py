"""Splits a path into the turns that a compaction keeps and those that a summary will stand for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.memory.conversations.grouping import Turn, group_turns
from contextls.memory.conversations.history import count_messages, visible_of
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.visible import Visible, explain_hidden
from contextls.model import ChatNode
from contextls.text.tokens import Tokenizer, get_tokenizer

# A summary gets this part of the target, within bounds: below the first it says nothing, above the second it is no summary.
SUMMARY_SHARE = 0.25
MIN_SUMMARY, MAX_SUMMARY = 120, 2_000


class CountedPath(Struct, frozen=True):
    """A path of a conversation, what is visible of it, and what counts its tokens."""

    store: Conversations
    nodes: tuple[ChatNode, ...]
    visible: Visible
    counter: Tokenizer

    @classmethod
    def read(cls, store: Conversations, conversation: str, node: str | None, tokenizer: str) -> CountedPath:
        """The path to ``node``, or to the head. Raises ``InvalidRequestError``, ``StoreError``."""
        counter = get_tokenizer(tokenizer)
        nodes = store.path(conversation, node)
        return cls(store, nodes, visible_of(store, nodes), counter)

    @property
    def tip(self) -> str | None:
        """The id of the newest node."""
        return self.nodes[-1].id if self.nodes else None

    def turns(self) -> tuple[Turn, ...]:
        """All turns of the path, those that a summary stands for now too."""
        return group_turns([node for node in self.nodes if explain_hidden(node) is None])

    def live_turns(self) -> list[Turn]:
        """The turns that are shown as they are, numbered along the whole path."""
        shown = {node.id for node in self.visible.nodes}
        return [turn for turn in self.turns() if turn.id in shown]

    def count(self, nodes: Sequence[ChatNode]) -> int:
        """The tokens of the messages that these nodes become."""
        return count_messages(self.store, nodes, self.counter)

    def count_each(self, live: Sequence[Turn]) -> list[int]:
        """The tokens of each live turn: turns do not merge with each other, so their sum is that of all messages."""
        nodes = self.visible.nodes
        places = {node.id: place for place, node in enumerate(nodes)}
        bounds = [*(places[turn.id] for turn in live), len(nodes)]
        return [self.count(nodes[start:end]) for start, end in pairwise(bounds)]


class Split(Struct, frozen=True):
    """The turns that a summary will stand for, those that stay, and the tokens of what stays."""

    old: tuple[Turn, ...]
    kept: tuple[Turn, ...]
    staying: int


def split_turns(path: CountedPath, target: int, keep_turns: int, first_kept: str | None) -> Split:
    """Keep the turns from ``first_kept`` on or, without it, the newest that fit ``target``; ``keep_turns`` at least.

    Raises ``InvalidRequestError`` where no turn is left to sum up.
    """
    if keep_turns < 1:
        raise InvalidRequestError("keepTurns", "1 or more", keep_turns)
    live = path.live_turns()
    if len(live) <= keep_turns:
        raise InvalidRequestError(
            "conversationId",
            f"a conversation of more turns: there {'is' if len(live) == 1 else 'are'} {len(live)} to sum up, and the last "
            f"{keep_turns} always stay",
        )
    newest = len(live) - keep_turns
    costs = path.count_each(live)
    start = (
        _find_start(costs, newest, target)
        if first_kept is None
        else _find_named_start(live, newest, first_kept)
    )
    kept = tuple(live[start:])
    old = tuple(turn for turn in path.turns() if turn.number < kept[0].number)
    pinned = [node for turn in old for node in turn.nodes if node.pinned]
    return Split(old, kept, sum(costs[start:]) + path.count(pinned))


def _find_start(costs: Sequence[int], newest: int, target: int) -> int:
    """The first turn that stays: turns before the ``newest`` do while they fit ``target`` together with a summary."""
    start, staying = newest, sum(costs[newest:])
    while start > 1 and staying + costs[start - 1] + _summary_room(target, staying) <= target:
        start -= 1
        staying += costs[start]
    return start


def _summary_room(target: int, staying: int) -> int:
    wanted = min(MAX_SUMMARY, max(MIN_SUMMARY, int(target * SUMMARY_SHARE)))
    return max(MIN_SUMMARY, min(wanted, target - staying))


def _find_named_start(live: Sequence[Turn], newest: int, first_kept: str) -> int:
    """The turn that the client names as the first that stays."""
    start = next((i for i, turn in enumerate(live) if turn.id == first_kept), None)
    if start is None or start == 0:
        raise InvalidRequestError(
            "firstKeptTurnId", "the id of a node that begins a turn, with another turn before it", first_kept
        )
    if start > newest:
        raise InvalidRequestError(
            "firstKeptTurnId", f"{live[newest].id} or an earlier turn: those after it always stay", first_kept
        )
    return start
