"""Old turns give way to a summary when a conversation grows too large; the newest ones and what is pinned stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import ContextLimitError, InvalidRequestError, SummarizerError
from contextls.memory.conversations.compaction import (
    CompactionRequest,
    compact,
    count_newest_turns,
    recover_from_overflow,
)
from contextls.memory.conversations.editing import branch, mark
from contextls.memory.conversations.history import SUMMARY_MARKER, read_history
from contextls.memory.conversations.store import Conversations
from contextls.model import ShownMessage, SummaryMethod, Trigger

from .chats import H, M, fresh_chat, say, texts, turns


def questions(messages: tuple[ShownMessage, ...]) -> list[str]:
    return [each.content.split(" why")[0] for each in messages if each.content.startswith("question")]


def test_the_newest_turns_stay_and_a_summary_stands_for_the_others(store: Conversations, chat: str) -> None:
    said = say(store, chat, *turns(12, 40))
    before = read_history(store, chat)
    done = compact(store, chat, CompactionRequest(target=600))
    history = read_history(store, chat)
    first, *rest = history.messages
    assert (first.role, first.pinned) == ("user", True)
    assert first.content.startswith(f"{SUMMARY_MARKER}\nExtracted from turns 1 to ")
    assert questions(tuple(rest))[-3:] == ["question 9", "question 10", "question 11"]
    assert tuple(rest) == before.messages[-len(rest) :], "what stays is not changed"
    assert history.summary_of == done.covered == tuple(node.id for node in said[: len(said) - len(rest)])
    assert done.tokens_after == history.tokens <= 600 < done.tokens_before == before.tokens
    assert done.first_kept_turn_id == rest[0].nodes[0]
    assert (done.method, done.trigger, done.warnings) == (SummaryMethod.EXTRACTIVE, Trigger.MANUAL, ())


def test_as_many_turns_stay_as_the_target_has_room_for(store: Conversations, chat: str) -> None:
    say(store, chat, *turns(12, 40))
    total = read_history(store, chat).tokens
    compact(store, chat, CompactionRequest(target=int(total * 0.9)))
    assert 3 < len(questions(read_history(store, chat).messages)) < 12


def test_the_last_turns_stay_even_when_the_target_is_missed(store: Conversations, chat: str) -> None:
    say(store, chat, *turns(12, 40))
    done = compact(store, chat, CompactionRequest(target=50, keep_turns=3))
    assert len(questions(read_history(store, chat).messages)) == 3
    assert "above the target" in done.warnings[0]


def test_only_the_latest_summary_is_sent(store: Conversations, chat: str) -> None:
    say(store, chat, *turns(8, 40))
    first = compact(store, chat, CompactionRequest(target=500))
    say(store, chat, *turns(8, 40))
    second = compact(store, chat, CompactionRequest(target=500))
    history = read_history(store, chat)
    assert sum(SUMMARY_MARKER in content for _, content in texts(history)) == 1
    assert "Extracted from turns 1 to 1" in history.messages[0].content
    assert first.node_id in {each.node for each in history.excluded}
    assert second.node_id == history.messages[0].nodes[0]
    assert set(first.covered) < set(history.summary_of)


def test_after_a_compaction_history_extends_again(store: Conversations, chat: str) -> None:
    say(store, chat, *turns(8, 40))
    compact(store, chat, CompactionRequest(target=500))
    before = read_history(store, chat).messages
    say(store, chat, (H, "and now?"), (M, "go on"))
    assert read_history(store, chat).messages[: len(before)] == before


def test_a_branch_from_before_a_compaction_has_everything(store: Conversations, chat: str) -> None:
    said = say(store, chat, *turns(8, 40))
    compact(store, chat, CompactionRequest(target=500))
    branch(store, chat, said[-1].id)
    assert len(questions(read_history(store, chat).messages)) == 8


def test_excluding_a_summary_brings_back_what_it_stands_for(store: Conversations, chat: str) -> None:
    say(store, chat, *turns(8, 40))
    before = read_history(store, chat).messages
    done = compact(store, chat, CompactionRequest(target=500))
    mark(store, chat, done.node_id, excluded=True)
    assert read_history(store, chat).messages == before


def test_what_is_pinned_stays_as_it_is_after_the_summary(store: Conversations, chat: str) -> None:
    said = say(store, chat, *turns(8, 40))
    mark(store, chat, said[2].id, pinned=True)
    compact(store, chat, CompactionRequest(target=600))
    _, pinned, *_ = read_history(store, chat).messages
    assert (pinned.nodes, pinned.pinned) == ((said[2].id,), True)
    assert said[2].id not in read_history(store, chat).summary_of


def test_the_clients_own_summary_is_taken_as_it_is(store: Conversations, chat: str) -> None:
    said = say(store, chat, *turns(8, 40))
    request = CompactionRequest(target=600, summary=" We chose csv. ", first_kept=said[8].id)
    done = compact(store, chat, request)
    assert (done.method, done.first_kept_turn_id) == (SummaryMethod.CLIENT, said[8].id)
    assert read_history(store, chat).messages[0].content == f"{SUMMARY_MARKER}\nWe chose csv."


def test_what_a_client_wrote_is_not_lost_to_the_next_summary(store: Conversations, chat: str) -> None:
    said = say(store, chat, *turns(8, 40))
    compact(store, chat, CompactionRequest(target=600, summary="We chose csv.", first_kept=said[8].id))
    say(store, chat, *turns(8, 40))
    compact(store, chat, CompactionRequest(target=600))
    summary = read_history(store, chat).messages[0].content
    assert "Up to turn 4, as summarised by the client:\nWe chose csv." in summary
    assert "(turn 11)" in summary
    assert "(turn 4)" not in summary, "those are in what the client wrote"


def test_a_summariser_is_asked_and_rules_stand_in_for_it(store: Conversations, chat: str) -> None:
    asked: list[tuple[str, int]] = []

    def good(text: str, tokens: int) -> str:
        asked.append((text, tokens))
        return "They talked about reasons."

    def bad(_text: str, _tokens: int) -> str:
        raise SummarizerError("no answer within 8 s")

    say(store, chat, *turns(8, 40))
    done = compact(store, chat, CompactionRequest(target=600), summarizer=good)
    assert done.method is SummaryMethod.MODEL
    assert done.summary == "Summarised from turns 1 to 3 by a model:\nThey talked about reasons."
    assert asked[0][0].startswith("Turn 1, the user:\nquestion 0")
    assert asked[0][1] < 3 * 82 * 0.75, "less than what it stands for"
    mark(store, chat, done.node_id, excluded=True)
    done = compact(store, chat, CompactionRequest(target=600), summarizer=bad)
    assert (done.method, done.warnings) == (
        SummaryMethod.EXTRACTIVE,
        ("summarised by rules: no answer within 8 s",),
    )


@pytest.mark.parametrize("count", [1, 2, 3])
def test_too_few_turns_are_said_to_be_too_few(store: Conversations, chat: str, count: int) -> None:
    say(store, chat, *turns(count, 200))
    with pytest.raises(
        InvalidRequestError, match=rf"there (is|are) {count} to sum up, .* last 3 always stay"
    ):
        compact(store, chat, CompactionRequest(target=100))
    assert len(store.nodes(chat)) == 2 * count, "nothing was stored"


def test_an_empty_conversation_cannot_be_compacted(store: Conversations, chat: str) -> None:
    with pytest.raises(InvalidRequestError, match="there are 0 to sum up"):
        compact(store, chat, CompactionRequest(target=100))


def test_what_may_not_be_cut_and_is_too_large_is_an_error_with_numbers(
    store: Conversations, chat: str
) -> None:
    say(store, chat, *turns(8, 200))
    newest = count_newest_turns(store, chat)
    with pytest.raises(
        ContextLimitError, match=f"the last 3 turns .* take {newest:,} tokens and 500 are"
    ) as error:
        compact(store, chat, CompactionRequest(target=300, available=500))
    assert (error.value.needed, error.value.available) == (newest, 500)
    assert len(store.nodes(chat)) == 16, "nothing was stored"


def test_a_summary_that_saves_nothing_is_refused(store: Conversations, chat: str) -> None:
    say(store, chat, *turns(5))
    with pytest.raises(InvalidRequestError, match="something to gain: the history takes"):
        compact(store, chat, CompactionRequest(target=20))


@pytest.mark.parametrize(
    ("turn", "message"),
    [(0, "begins a turn, with another turn"), (1, "begins a turn"), (14, "or an earlier")],
)
def test_a_first_kept_turn_that_cannot_be_is_named(
    store: Conversations, chat: str, turn: int, message: str
) -> None:
    said = say(store, chat, *turns(8, 40))
    with pytest.raises(InvalidRequestError, match=message):
        compact(store, chat, CompactionRequest(target=600, summary="so", first_kept=said[turn].id))


def test_an_overflow_compacts_once_to_two_fifths(store: Conversations, chat: str) -> None:
    say(store, chat, *turns(20, 40))
    say(store, chat, (H, "question 20"))
    done = recover_from_overflow(store, chat, available=1500)
    assert (done.trigger, done.target_tokens) == (Trigger.OVERFLOW_RECOVERY, 600)
    assert done.tokens_after <= 600
    with pytest.raises(ContextLimitError, match="compacted for this turn once already"):
        recover_from_overflow(store, chat, available=1500)
    say(store, chat, (M, "so"), *turns(20, 40), (H, "next"))
    assert recover_from_overflow(store, chat, available=1500).tokens_after <= 600, (
        "another turn may try again"
    )


@given(
    sizes=st.lists(st.integers(1, 60), min_size=5, max_size=14),
    keep=st.integers(1, 4),
    target=st.integers(20, 900),
    pinned=st.sets(st.integers(0, 27), max_size=2),
)
def test_a_compaction_keeps_the_newest_turns_and_loses_no_node(
    sizes: list[int], keep: int, target: int, pinned: set[int]
) -> None:
    with fresh_chat() as (store, chat):
        lines = [line for size in sizes for line in ((H, "why " * size), (M, "so " * size))]
        said = say(store, chat, *lines)
        for place in pinned:
            if place < len(said):
                mark(store, chat, said[place].id, pinned=True)
        before = read_history(store, chat)
        try:
            done = compact(store, chat, CompactionRequest(target, keep_turns=keep))
        except InvalidRequestError:
            assert read_history(store, chat) == before
            return
        after = read_history(store, chat)
        assert after.tokens == done.tokens_after < before.tokens
        assert after.tokens <= target or done.warnings
        shown = [node for message in after.messages for node in message.nodes]
        assert {node.id for node in said[-2 * keep :]} <= set(shown)
        assert sorted([*shown, *after.summary_of]) == sorted([*(node.id for node in said), done.node_id])
        assert {said[place].id for place in pinned if place < len(said)} <= set(shown)
