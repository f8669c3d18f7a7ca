"""Compaction: old turns give way to a summary, the newest ones stay as they are.

Nothing is deleted. The summary is a node of its own; a branch that begins before it, or an exclusion of it, brings back
what it stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contextls.errors import ContextLimitError, InvalidRequestError, SummarizerError
from contextls.memory.conversations.compactions import Compaction, compaction_of, keep_compaction
from contextls.memory.conversations.grouping import Turn, group_turns
from contextls.memory.conversations.history import SUMMARY_MARKER, count_messages, read_history, visible_of
from contextls.memory.conversations.priority import REACTIVE_SHARE
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.summary import EarlierSummary, summarize_by_rules, write_transcript
from contextls.memory.conversations.visible import Visible, explain_hidden
from contextls.model import Author, ChatNode, CompactionView, NewNode, NodeKind, SummaryMethod, Trigger
from contextls.text.tokens import Tokenizer, get_tokenizer

KEEP_TURNS = 3
# A summary gets this part of the target, within bounds: below the first it says nothing, above the second it is no summary.
SUMMARY_SHARE = 0.25
MIN_SUMMARY, MAX_SUMMARY = 120, 2_000
# A summary that saves less than a quarter of what it stands for is not worth the words that are lost.
MAX_SUMMARY_SHARE = 0.75

Summarizer = Callable[[str, int], str]


@dataclass(frozen=True, slots=True)
class CompactionRequest:
    """What a compaction is asked for.

    ``target`` is what the history may take afterwards, ``available`` what it must not exceed. ``summary`` is one that the
    client wrote, about everything before the turn ``first_kept``; without that, about what does not fit the target.
    """

    target: int
    available: int | None = None
    keep_turns: int = KEEP_TURNS
    trigger: Trigger = Trigger.MANUAL
    summary: str | None = None
    first_kept: str | None = None


@dataclass(frozen=True, slots=True)
class _Split:
    """The turns that a summary will stand for, those that stay, and what stays in tokens."""

    old: tuple[Turn, ...]
    kept: tuple[Turn, ...]
    staying: int


def compact(
    store: Conversations,
    conversation: str,
    request: CompactionRequest,
    node: str | None = None,
    tokenizer: str = "o200k_base",
    summarizer: Summarizer | None = None,
) -> CompactionView:
    """Put a summary in place of old turns on the path to ``node``, or to the head.

    A ``summarizer`` gets a text and a number of tokens; where it fails, rules make the summary. Raises
    ``InvalidRequestError`` when there is nothing to sum up, ``ContextLimitError`` when what has to stay is too large;
    nothing is stored then.
    """
    counter = get_tokenizer(tokenizer)
    path = store.path(conversation, node)
    visible = visible_of(store, path)
    tip = path[-1].id if path else None
    before = read_history(store, conversation, tip, tokenizer).tokens
    split = _split(store, path, visible, request, counter)
    _check_room(split, request.available)
    text, method, warnings = _summary(store, visible, split, request, before, counter, summarizer)
    after = split.staying + counter.count(f"{SUMMARY_MARKER}\n{text}")
    _check_gain(text, before, after)
    if after > request.target:
        warnings.append(
            f"the history takes {after:,} tokens now, {after - request.target:,} above the target"
        )
    made = Compaction(split.kept[0].id, method, request.trigger, request.target, before, after)
    added = keep_compaction(store, conversation, NewNode(Author.HUMAN, text, parent_id=tip), made)
    return CompactionView(
        node_id=added.id,
        first_kept_turn_id=made.first_kept,
        covered=read_history(store, conversation, added.id, tokenizer).summary_of,
        method=method,
        trigger=request.trigger,
        summary=added.content,
        target_tokens=request.target,
        tokens_before=before,
        tokens_after=after,
        warnings=tuple(warnings),
    )


def _check_room(split: _Split, available: int | None) -> None:
    """Raise ``ContextLimitError`` where what has to stay is too large."""
    if available is not None and split.staying > available:
        raise ContextLimitError(
            f"the last {len(split.kept)} turns and what is pinned take {split.staying:,} tokens and {available:,} "
            "are available for the conversation; they are never cut: keep fewer turns (compactionKeepTurns), unpin or "
            "exclude nodes, or choose a model with a larger context",
            split.staying,
            available,
        )


def _check_gain(text: str, before: int, after: int) -> None:
    """Raise ``InvalidRequestError`` where the history would take no fewer tokens with the summary ``text``."""
    if after >= before or not text:
        raise InvalidRequestError(
            "target",
            f"something to gain: the history takes {before:,} tokens and would take {after:,} with a summary",
        )


def recover_from_overflow(
    store: Conversations,
    conversation: str,
    available: int,
    node: str | None = None,
    *,
    keep_turns: int = KEEP_TURNS,
    tokenizer: str = "o200k_base",
    summarizer: Summarizer | None = None,
) -> CompactionView:
    """Compact to 40 % of ``available`` after a provider said that a prompt was too long: once for each turn.

    Raises ``ContextLimitError`` the second time, and as ``compact`` does.
    """
    last = _recovered_since_last_turn(store, store.path(conversation, node))
    if last is not None:
        raise ContextLimitError(
            f"the conversation was compacted for this turn once already, to {last.tokens_after:,} tokens, and still "
            "overflows; exclude or shorten nodes, or choose a model with a larger context",
            last.tokens_after,
            available,
        )
    request = CompactionRequest(
        int(available * REACTIVE_SHARE), available, keep_turns, Trigger.OVERFLOW_RECOVERY
    )
    return compact(store, conversation, request, node, tokenizer, summarizer)


def count_newest_turns(
    store: Conversations,
    conversation: str,
    node: str | None = None,
    keep_turns: int = KEEP_TURNS,
    tokenizer: str = "o200k_base",
) -> int:
    """The tokens of the newest turns: what no compaction takes away."""
    counter = get_tokenizer(tokenizer)
    path = store.path(conversation, node)
    visible = visible_of(store, path)
    live = _live_turns(path, visible)
    return sum(_turn_costs(store, visible, live, counter)[-keep_turns:]) if live else 0


def _recovered_since_last_turn(store: Conversations, path: Sequence[ChatNode]) -> Compaction | None:
    """The recovery after the newest thing that people said on a path, if there was one."""
    for each in reversed(path):
        if each.kind is NodeKind.COMPACTION:
            made = compaction_of(store, each)
            if made is not None and made.trigger is Trigger.OVERFLOW_RECOVERY:
                return made
        elif each.author is Author.HUMAN:
            return None
    return None


def _live_turns(path: Sequence[ChatNode], visible: Visible) -> list[Turn]:
    """The turns of a path that are shown as they are, numbered along the whole path."""
    shown = {node.id for node in visible.nodes}
    return [turn for turn in _all_turns(path) if turn.id in shown]


def _all_turns(path: Sequence[ChatNode]) -> tuple[Turn, ...]:
    return group_turns([node for node in path if explain_hidden(node) is None])


def _split(
    store: Conversations,
    path: Sequence[ChatNode],
    visible: Visible,
    request: CompactionRequest,
    counter: Tokenizer,
) -> _Split:
    """Choose the turns that stay: the last few at least, and older ones while they fit the target."""
    if request.keep_turns < 1:
        raise InvalidRequestError("keepTurns", "1 or more", request.keep_turns)
    live = _live_turns(path, visible)
    if len(live) <= request.keep_turns:
        raise InvalidRequestError(
            "conversationId",
            f"a conversation of more turns: there {'is' if len(live) == 1 else 'are'} {len(live)} to sum up, and the last "
            f"{request.keep_turns} always stay",
        )
    newest = len(live) - request.keep_turns
    costs = _turn_costs(store, visible, live, counter)
    if request.first_kept is not None:
        start = _named_start(live, request.first_kept, newest)
        return _split_at(store, path, live, start, sum(costs[start:]), counter)
    start, staying = newest, sum(costs[newest:])
    while start > 1 and staying + costs[start - 1] + _summary_room(request, staying) <= request.target:
        start -= 1
        staying += costs[start]
    return _split_at(store, path, live, start, staying, counter)


def _turn_costs(
    store: Conversations, visible: Visible, live: Sequence[Turn], counter: Tokenizer
) -> list[int]:
    """The tokens of each turn: turns do not merge with each other, so their sum is that of all messages."""
    places = {node.id: place for place, node in enumerate(visible.nodes)}
    starts = [places[turn.id] for turn in live]
    ends = [*starts[1:], len(visible.nodes)]
    return [
        count_messages(store, visible.nodes[start:end], counter)
        for start, end in zip(starts, ends, strict=True)
    ]


def _named_start(live: Sequence[Turn], first_kept: str, latest: int) -> int:
    start = next((i for i, turn in enumerate(live) if turn.id == first_kept), None)
    if start is None or start == 0:
        raise InvalidRequestError(
            "firstKeptTurnId", "the id of a node that begins a turn, with another turn before it", first_kept
        )
    if start > latest:
        raise InvalidRequestError(
            "firstKeptTurnId", f"{live[latest].id} or an earlier turn: those after it always stay", first_kept
        )
    return start


def _split_at(
    store: Conversations,
    path: Sequence[ChatNode],
    live: Sequence[Turn],
    start: int,
    staying: int,
    counter: Tokenizer,
) -> _Split:
    """Turns from ``start`` on stay, and what is pinned of those before."""
    kept = tuple(live[start:])
    old = tuple(turn for turn in _all_turns(path) if turn.number < kept[0].number)
    pinned = [node for turn in old for node in turn.nodes if node.pinned]
    return _Split(old, kept, staying + count_messages(store, pinned, counter))


def _summary_room(request: CompactionRequest, staying: int) -> int:
    wanted = min(MAX_SUMMARY, max(MIN_SUMMARY, int(request.target * SUMMARY_SHARE)))
    return max(MIN_SUMMARY, min(wanted, request.target - staying))


def _room_left(request: CompactionRequest, staying: int, before: int) -> int:
    """What the summary itself may take: all that the target leaves, but always less than what it stands for."""
    wanted = max(MIN_SUMMARY, min(MAX_SUMMARY, request.target - staying))
    return min(wanted, int((before - staying) * MAX_SUMMARY_SHARE))


def _summary(
    store: Conversations,
    visible: Visible,
    split: _Split,
    request: CompactionRequest,
    before: int,
    counter: Tokenizer,
    summarizer: Summarizer | None,
) -> tuple[str, SummaryMethod, list[str]]:
    """The text of the summary, who made it, and what went wrong."""
    if request.summary is not None:
        if not request.summary.strip():
            raise InvalidRequestError("summary", "a summary of at least one word", request.summary)
        return request.summary.strip(), SummaryMethod.CLIENT, []
    room = _room_left(request, split.staying, before) - counter.count(f"{SUMMARY_MARKER}\n")
    earlier = _earlier(store, visible, split)
    warnings = []
    if summarizer is not None:
        try:
            return _by_model(summarizer, split, earlier, room), SummaryMethod.MODEL, []
        except SummarizerError as error:
            warnings.append(f"summarised by rules: {error}")
    text = summarize_by_rules(split.old, room, counter, earlier, split.kept[0])
    return text, SummaryMethod.EXTRACTIVE, warnings


def _by_model(summarizer: Summarizer, split: _Split, earlier: EarlierSummary | None, room: int) -> str:
    opening = f"Summarised from turns {split.old[0].number} to {split.old[-1].number} by a model:"
    written = summarizer(write_transcript(split.old, earlier), room).strip()
    if not written:
        raise SummarizerError("the model gave no summary")
    return f"{opening}\n{written}"


def _earlier(store: Conversations, visible: Visible, split: _Split) -> EarlierSummary | None:
    """The summary that stands there now, unless rules made it: they read the turns themselves again."""
    if visible.summary is None:
        return None
    made = compaction_of(store, visible.summary)
    if made is None or made.method is SummaryMethod.EXTRACTIVE:
        return None
    last = max(
        (turn.number for turn in split.old if any(node.id in visible.covered for node in turn.nodes)),
        default=0,
    )
    author = "the client" if made.method is SummaryMethod.CLIENT else "a model"
    return EarlierSummary(visible.summary.content, author, last)
