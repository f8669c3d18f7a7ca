"""Compaction: old turns give way to a summary, the newest ones stay as they are.

Nothing is deleted. The summary is a node of its own; a branch that begins before it, or an exclusion of it, brings back
what it stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from contextls.errors import ContextLimitError, InvalidRequestError, SummarizerError
from contextls.memory.conversations.compaction_split import (
    MAX_SUMMARY,
    MIN_SUMMARY,
    CountedPath,
    Split,
    split_turns,
)
from contextls.memory.conversations.history import SUMMARY_MARKER, read_history
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.stored_compactions import Compaction, compaction_of, keep_compaction
from contextls.memory.conversations.summary import EarlierSummary, summarize_by_rules, write_transcript
from contextls.model import Author, ChatNode, CompactionView, NewNode, NodeKind, SummaryMethod, Trigger

KEEP_TURNS = 3
# What a compaction leaves of what is available: ahead of an overflow, and after one.
PROACTIVE_SHARE, REACTIVE_SHARE = 0.6, 0.4
# A summary that saves less than a quarter of what it stands for is not worth the words that are lost.
MAX_SUMMARY_SHARE = 0.75

Summarizer = Callable[[str, int], str]


class CompactionRequest(Struct, frozen=True):
    """The bounds of a compaction, and a summary that the client may bring.

    ``target`` is what the history may take afterwards, ``available`` what it must not exceed. ``summary`` is one that the
    client wrote, about everything before the turn ``first_kept``; without that, about what does not fit the target.
    """

    target: int
    available: int | None = None
    keep_turns: int = KEEP_TURNS
    trigger: Trigger = Trigger.MANUAL
    summary: str | None = None
    first_kept: str | None = None


class _Summary(Struct, frozen=True):
    """The text of a summary, who made it, and what went wrong meanwhile."""

    text: str
    method: SummaryMethod
    warnings: tuple[str, ...] = ()


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
    path = CountedPath.read(store, conversation, node, tokenizer)
    before = read_history(store, conversation, path.tip, tokenizer).tokens
    split = split_turns(path, request.target, request.keep_turns, request.first_kept)
    _check_room(split, request.available)
    summary = _summarize(path, split, request, before, summarizer)
    after = split.staying + path.counter.count(f"{SUMMARY_MARKER}\n{summary.text}")
    _check_gain(summary.text, before, after)
    warnings = summary.warnings
    if after > request.target:
        excess = after - request.target
        warnings += (f"the history takes {after:,} tokens now, {excess:,} above the target",)
    made = Compaction(split.kept[0].id, summary.method, request.trigger, request.target, before, after)
    added = keep_compaction(
        store, conversation, NewNode(Author.HUMAN, summary.text, parent_id=path.tip), made
    )
    return CompactionView(
        node_id=added.id,
        first_kept_turn_id=made.first_kept,
        covered=read_history(store, conversation, added.id, tokenizer).summary_of,
        method=made.method,
        trigger=request.trigger,
        summary=added.content,
        target_tokens=request.target,
        tokens_before=before,
        tokens_after=after,
        warnings=warnings,
    )


def _check_room(split: Split, available: int | None) -> None:
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
    path = CountedPath.read(store, conversation, node, tokenizer)
    return sum(path.count_each(path.live_turns())[-keep_turns:])


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


def _room_left(request: CompactionRequest, staying: int, before: int) -> int:
    """The tokens for the summary itself: all that the target leaves, but always less than what it stands for."""
    wanted = max(MIN_SUMMARY, min(MAX_SUMMARY, request.target - staying))
    return min(wanted, int((before - staying) * MAX_SUMMARY_SHARE))


def _summarize(
    path: CountedPath,
    split: Split,
    request: CompactionRequest,
    before: int,
    summarizer: Summarizer | None,
) -> _Summary:
    """The summary of the old turns: the client's, or else the model's, or else one by rules."""
    if request.summary is not None:
        if not request.summary.strip():
            raise InvalidRequestError("summary", "a summary of at least one word", request.summary)
        return _Summary(request.summary.strip(), SummaryMethod.CLIENT)
    room = _room_left(request, split.staying, before) - path.counter.count(f"{SUMMARY_MARKER}\n")
    earlier = _find_earlier(path, split)
    warnings: tuple[str, ...] = ()
    if summarizer is not None:
        try:
            return _Summary(_ask_model(summarizer, split, earlier, room), SummaryMethod.MODEL)
        except SummarizerError as error:
            warnings = (f"summarised by rules: {error}",)
    text = summarize_by_rules(split.old, room, path.counter, earlier, split.kept[0])
    return _Summary(text, SummaryMethod.EXTRACTIVE, warnings)


def _ask_model(summarizer: Summarizer, split: Split, earlier: EarlierSummary | None, room: int) -> str:
    opening = f"Summarised from turns {split.old[0].number} to {split.old[-1].number} by a model:"
    written = summarizer(write_transcript(split.old, earlier), room).strip()
    if not written:
        raise SummarizerError("the model gave no summary")
    return f"{opening}\n{written}"


def _find_earlier(path: CountedPath, split: Split) -> EarlierSummary | None:
    """The summary that stands there now, unless rules made it: they read the turns themselves again."""
    visible = path.visible
    if visible.summary is None:
        return None
    made = compaction_of(path.store, visible.summary)
    if made is None or made.method is SummaryMethod.EXTRACTIVE:
        return None
    last = max(
        (turn.number for turn in split.old if any(node.id in visible.covered for node in turn.nodes)),
        default=0,
    )
    author = "the client" if made.method is SummaryMethod.CLIENT else "a model"
    return EarlierSummary(visible.summary.content, author, last)
