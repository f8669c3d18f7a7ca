"""Calls of tools and their results in a history: always both, or neither."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from contextls.assembly.layers.calls import pair_calls
from contextls.memory.conversations.turns import History
from contextls.model import ShownMessage, ToolCall

IDS = st.sampled_from(["a", "b", "c"])
CALLING = st.tuples(st.sampled_from(["", "I look."]), st.lists(IDS, max_size=2, unique=True))
SAID = st.lists(st.tuples(st.just("user"), IDS) | st.tuples(st.just("tool"), IDS) | CALLING, max_size=8)


def message(number: int, what: tuple[str, str | list[str]]) -> ShownMessage:
    kind, value = what
    name = (f"node-{number}",)
    if isinstance(value, list):
        calls = tuple(ToolCall(each, "look", "{}") for each in value)
        return ShownMessage("assistant", kind, name, 9, tool_calls=calls)
    return ShownMessage(kind, f"{kind} says", name, 3, tool_call_id=value if kind == "tool" else None)


@given(SAID)
def test_no_call_is_sent_without_its_result_and_no_result_without_its_call(
    said: list[tuple[str, str | list[str]]],
) -> None:
    history = History(tuple(message(number, what) for number, what in enumerate(said)))
    paired = pair_calls(history, len)
    called: set[str] = set()
    for one in paired.messages:
        assert one.tool_call_id is None or one.tool_call_id in called
        called.update(call.id for call in one.tool_calls)
    assert called == {one.tool_call_id for one in paired.messages if one.role == "tool"}
    nodes = {node for one in paired.messages for node in one.nodes}
    assert nodes | {gone.node for gone in paired.excluded} == {f"node-{n}" for n in range(len(said))}
    assert nodes.isdisjoint(gone.node for gone in paired.excluded)
    assert pair_calls(paired, len) is paired
