"""Pairs tool calls in a history with their results: providers reject one without the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import is_

from msgspec.structs import replace

from contextls.memory.conversations.turns import Excluded, History
from contextls.memory.conversations.visible import NO_CALL
from contextls.model import MessageRole, ShownMessage

NO_RESULT = "a call without its result"


def pair_calls(history: History, count: Callable[[str], int]) -> History:
    """``history`` as it can stand before another message of the user.

    A result goes whose call does not stand before it; a call that nothing answers goes, and its message with it if that
    says nothing else. What goes is named in ``excluded``.
    """
    orphans, answered = _match(history.messages)
    messages: list[ShownMessage] = []
    excluded: list[Excluded] = []
    for place, one in enumerate(history.messages):
        calls = tuple(call for call in one.tool_calls if call.id in answered)
        if place in orphans:
            excluded += _name(one, NO_CALL)
        elif len(calls) == len(one.tool_calls):
            messages.append(one)
        elif calls or one.content.strip():
            tokens = count(one.content) + sum(count(call.name + call.arguments) for call in calls)
            messages.append(replace(one, tool_calls=calls, tokens=tokens))
        else:
            excluded += _name(one, NO_RESULT)
    if len(messages) == len(history.messages) and all(map(is_, messages, history.messages)):
        return history
    return replace(history, messages=tuple(messages), excluded=(*history.excluded, *excluded))


def _match(messages: Sequence[ShownMessage]) -> tuple[set[int], set[str]]:
    """The places of results without a call, and the ids of calls that have one."""
    called: set[str] = set()
    orphans: set[int] = set()
    answered: set[str] = set()
    for place, one in enumerate(messages):
        called.update(call.id for call in one.tool_calls)
        if one.role != MessageRole.TOOL:
            continue
        if one.tool_call_id is None:  # of an old client: it answers what was called last
            answered |= called
        elif one.tool_call_id in called:
            answered.add(one.tool_call_id)
        else:
            orphans.add(place)
    return orphans, answered


def _name(message: ShownMessage, reason: str) -> Iterator[Excluded]:
    return (Excluded(node, reason) for node in message.nodes)
