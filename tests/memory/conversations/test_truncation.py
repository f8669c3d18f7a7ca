"""A history that is too long is cut as its strategy says, within the limit, and what is missing is named."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import ContextLimitError, InvalidRequestError
from contextls.memory.conversations.history import read_history
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.truncation import marker_text, truncate
from contextls.memory.conversations.turns import History
from contextls.model import ShownMessage, ToolCall, Truncation
from contextls.text.tokens import get_tokenizer

from .chats import say, turns

COUNTER = get_tokenizer("o200k_base")
MIDDLE, ROLLING, STOP = Truncation.TRUNCATE_MIDDLE, Truncation.ROLLING_WINDOW, Truncation.STOP_AT_LIMIT


def message(number: int, text: str, role: str = "", *, pinned: bool = False) -> ShownMessage:
    chosen = role or ("user", "assistant")[number % 2]
    assert chosen in ("user", "assistant", "tool")
    return ShownMessage(chosen, text, (f"node-{number}",), COUNTER.count(text), pinned)


def history_of(*messages: ShownMessage, system: str = "") -> History:
    return History(messages, system=system, system_tokens=COUNTER.count(system))


def numbered(count: int, words: int = 10) -> History:
    return history_of(*(message(n, f"number {n} " + "word " * words) for n in range(count)))


def nodes(messages: tuple[ShownMessage, ...]) -> list[str]:
    return [node for each in messages for node in each.nodes]


def test_what_fits_is_left_alone() -> None:
    history = numbered(6)
    for strategy in Truncation:
        cut = truncate(history, strategy, history.tokens)
        assert (cut.messages, cut.dropped, cut.marker, cut.is_truncated) == (history.messages, (), "", False)


def test_the_middle_goes_and_a_marker_stands_in_its_place() -> None:
    history = numbered(40)
    cut = truncate(history, MIDDLE, history.tokens // 2)
    shown = nodes(cut.messages)
    assert shown[0] == "node-0"
    assert shown[-4:] == ["node-36", "node-37", "node-38", "node-39"]
    place = next(i for i, each in enumerate(cut.messages) if not each.nodes)
    assert cut.messages[place].content == cut.marker == marker_text(len(cut.dropped))
    assert list(cut.dropped) == [f"node-{n}" for n in range(place, place + len(cut.dropped))]
    assert cut.is_truncated


def test_the_beginning_stays_the_same_while_a_conversation_goes_on() -> None:
    """A provider's cache knows the beginning by its bytes."""
    heads = set()
    for count in range(60, 80):
        cut = truncate(numbered(count), MIDDLE, 400)
        heads.add(tuple(each for each in cut.messages[: [bool(m.nodes) for m in cut.messages].index(False)]))
    assert len(heads) == 1


def test_the_four_newest_nodes_stay_by_default_and_more_on_request() -> None:
    history = numbered(20)
    four, eight = (sum(each.tokens for each in history.messages[-keep:]) for keep in (4, 8))
    marker = COUNTER.count(marker_text(20))
    assert nodes(truncate(history, MIDDLE, four + marker).messages) == [f"node-{n}" for n in range(16, 20)]
    assert nodes(truncate(history, MIDDLE, eight + marker, 8).messages) == [
        f"node-{n}" for n in range(12, 20)
    ]
    with pytest.raises(ContextLimitError, match="the 8 newest nodes and what is pinned take"):
        truncate(history, MIDDLE, four + marker, 8)


def test_a_rolling_window_keeps_only_what_is_newest() -> None:
    cut = truncate(numbered(20), ROLLING, 100)
    shown = nodes(cut.messages)
    assert shown == [f"node-{n}" for n in range(20 - len(shown), 20)]
    assert cut.messages[0].content == cut.marker


def test_a_rolling_window_shortens_a_newest_message_that_is_too_long() -> None:
    long = "\n".join(f"line {n}" for n in range(400))
    cut = truncate(history_of(message(0, "why?"), message(1, long)), ROLLING, 200)
    assert cut.shortened
    assert cut.is_truncated
    assert "lines omitted" in cut.messages[-1].content
    assert sum(each.tokens for each in cut.messages) <= 200


def test_stop_at_limit_says_how_much_is_too_much() -> None:
    history = numbered(20)
    with pytest.raises(ContextLimitError, match="stopAtLimit never truncates") as raised:
        truncate(history, STOP, 100)
    assert (raised.value.needed, raised.value.available) == (history.tokens, 100)


@pytest.mark.parametrize("strategy", Truncation)
def test_a_system_context_that_alone_exceeds_the_limit_is_an_error(strategy: Truncation) -> None:
    history = history_of(message(0, "why?"), system="rule " * 100)
    with pytest.raises(ContextLimitError, match="the system context alone takes 101 of 50 tokens"):
        truncate(history, strategy, 50)


def test_at_least_one_message_is_asked_for() -> None:
    with pytest.raises(InvalidRequestError, match="minimumRecentNodes"):
        truncate(numbered(3), MIDDLE, 10, 0)


def test_what_is_pinned_stays() -> None:
    messages = list(numbered(20).messages)
    messages[7] = message(7, messages[7].content, pinned=True)
    for strategy in (MIDDLE, ROLLING):
        cut = truncate(history_of(*messages), strategy, 140)
        assert "node-7" in nodes(cut.messages)
        assert cut.marker.count("left out here") == 2, "one marker for each gap"


def test_a_result_never_stays_without_its_call(store: Conversations, chat: str) -> None:
    say(store, chat, *turns(6, 5))
    history = read_history(store, chat)
    call = ShownMessage("assistant", "", ("node-90",), 4, tool_calls=(ToolCall("c1", "read"),))
    result = ShownMessage("tool", "text " * 30, ("node-91",), 31, tool_call_id="c1")
    whole = history_of(*history.messages, call, result, *history.messages[:4])
    for limit in range(60, 160, 3):
        with contextlib.suppress(ContextLimitError):
            cut = nodes(truncate(whole, MIDDLE, limit, 2).messages)
            assert ("node-90" in cut) is ("node-91" in cut)


SIZES = st.lists(st.tuples(st.integers(1, 60), st.booleans()), min_size=1, max_size=25)


@given(
    sizes=SIZES,
    strategy=st.sampled_from(list(Truncation)),
    limit=st.integers(1, 600),
    system=st.integers(0, 80),
    keep=st.integers(1, 6),
)
def test_a_cut_history_fits_and_names_what_is_gone(
    sizes: list[tuple[int, bool]], strategy: Truncation, limit: int, system: int, keep: int
) -> None:
    """Whatever is asked: within the limit, never empty, system context whole, newest nodes there, nothing lost unnamed."""
    messages = [
        message(n, "word " * size, pinned=pinned and size < 10) for n, (size, pinned) in enumerate(sizes)
    ]
    history = history_of(*messages, system="rule " * system)
    try:
        cut = truncate(history, strategy, limit, keep)
    except ContextLimitError:
        assert history.tokens + history.system_tokens > limit, "what fits is no error"
        return
    assert sum(each.tokens for each in cut.messages) + history.system_tokens <= limit
    assert all(each.tokens == COUNTER.count(each.content) for each in cut.messages), "counted as they are"
    shown = nodes(cut.messages)
    assert shown
    everything = [f"node-{n}" for n in range(len(sizes))]
    assert sorted(shown + list(cut.dropped)) == sorted(everything)
    assert shown == [node for node in everything if node in set(shown)], "in their order"
    assert bool(cut.dropped) == bool(cut.marker)
    assert {each.nodes[0] for each in messages if each.pinned} <= set(shown)
    kept = keep if strategy is Truncation.TRUNCATE_MIDDLE else 1
    assert set(everything[-kept:]) <= set(shown)
    originals = {each.nodes: each.content for each in messages}
    changed = [each for each in cut.messages if each.nodes and each.content != originals[each.nodes]]
    assert bool(changed) == cut.shortened


@given(sizes=SIZES, share=st.floats(0.2, 0.9))
def test_truncating_what_was_truncated_changes_nothing(sizes: list[tuple[int, bool]], share: float) -> None:
    history = history_of(*(message(n, "word " * size) for n, (size, _) in enumerate(sizes)))
    limit = int(history.tokens * share)
    with contextlib.suppress(ContextLimitError):
        cut = truncate(history, MIDDLE, limit)
        assert truncate(history_of(*cut.messages), MIDDLE, limit).messages == cut.messages
