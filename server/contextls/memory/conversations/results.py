"""Results of models: their messages become nodes, and what a provider counted is kept with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from contextls.errors import InvalidRequestError
from contextls.memory.conversations.changes import append_nodes, read_conversation, read_node, touch
from contextls.memory.conversations.rows import conversation_number, dump, node_id, node_number
from contextls.memory.conversations.store import Conversations
from contextls.model import AgentResult, Author, NewNode, ResultView, ToolOutcome, Usage
from contextls.store.times import now_ms
from contextls.store.transaction import Transaction


def keep_result(
    store: Conversations, conversation: str, result: AgentResult, node: str | None = None
) -> ResultView:
    """Append what a model gave back below ``node`` or the head, in one transaction with its usage.

    A result that brought no message, an error for instance, is kept with the node that it was meant to answer.
    """
    store.check_not_paused()

    def work(connection: Transaction, number: int) -> ResultView:
        owner = read_conversation(connection, number)
        answered = node or owner.head
        if answered is not None:
            read_node(connection, number, node_number(answered))
        new = _with_parent([*_calls_without_message(result), *_messages_with_outcomes(result)], answered)
        appended = append_nodes(connection, owner, new, store.tokenizer) if new else []
        at = appended[-1].id if appended else answered
        if at is None:
            raise InvalidRequestError("messages", "at least one message: there is no node that it answers")
        made = connection.insert(
            "INSERT INTO results (node, result, created_at) VALUES (?, ?, ?)",
            (node_number(at), _dump(result, [each.id for each in appended]), now_ms()),
        )
        touch(connection, number)
        return connection.read(
            lambda rows: _as_result(*rows[0]),
            "SELECT id, node, result, created_at FROM results WHERE id = ?",
            (made,),
        )

    return store.change(conversation, work)


def list_results(store: Conversations, conversation: str) -> tuple[ResultView, ...]:
    """Every result of a conversation, oldest first."""
    number = conversation_number(store.get(conversation).id)
    return store.query(
        lambda rows: tuple(_as_result(*row) for row in rows),
        "SELECT results.id, results.node, results.result, results.created_at FROM results "
        "JOIN nodes ON nodes.id = results.node WHERE nodes.conversation = ? ORDER BY results.id",
        (number,),
    )


def _with_parent(nodes: list[NewNode], parent: str | None) -> list[NewNode]:
    if nodes and nodes[0].parent_id is None:
        nodes[0] = replace(nodes[0], parent_id=parent)
    return nodes


def _calls_without_message(result: AgentResult) -> Iterable[NewNode]:
    """Calls that were reported with their outcome and are in no message: one node for them, one for each outcome."""
    said = {call.id for message in result.messages for call in message.tool_calls}
    unsaid = [outcome for outcome in result.tool_calls if outcome.call.id not in said]
    if unsaid:
        yield NewNode(Author.MODEL, "", tool_calls=tuple(outcome.call for outcome in unsaid))
        yield from map(_outcome_node, unsaid)


def _messages_with_outcomes(result: AgentResult) -> Iterable[NewNode]:
    """The messages, each followed by the outcomes of its calls that no message tells."""
    told = _answered_calls(result.messages)
    untold = {outcome.call.id: outcome for outcome in result.tool_calls if outcome.call.id not in told}
    for message in result.messages:
        yield message
        yield from (_outcome_node(untold.pop(call.id)) for call in message.tool_calls if call.id in untold)


def _answered_calls(messages: Sequence[NewNode]) -> set[str]:
    """The ids of the calls whose outcome stands in ``messages``."""
    told: set[str] = set()
    called: set[str] = set()
    for message in messages:
        called.update(call.id for call in message.tool_calls)
        if message.author is Author.TOOL:
            # A result without an id, as old clients send it, answers the last call.
            told |= called if message.tool_call_id is None else {message.tool_call_id}
    return told


def _outcome_node(outcome: ToolOutcome) -> NewNode:
    return NewNode(
        Author.TOOL, outcome.result, tool_call_id=outcome.call.id, metadata={"failed": outcome.failed}
    )


def _dump(result: AgentResult, nodes: list[str]) -> str:
    usage = result.usage
    return dump(
        {
            "nodes": nodes,
            "input": usage.input_tokens,
            "cached": usage.cached_input_tokens,
            "output": usage.output_tokens,
            "total": usage.total_tokens,
            "stopReason": result.stop_reason,
            "error": result.error,
            "predicted": result.predicted_cached_tokens,
        }
    )


def _as_result(number: int, node: int, result: str, created: int) -> ResultView:
    kept: dict[str, Any] = json.loads(result)
    usage = Usage(kept["input"], kept["cached"], kept["output"], kept["total"])
    return ResultView(
        id=f"result-{number}",
        node_id=node_id(node),
        nodes=tuple(kept["nodes"]),
        usage=usage,
        stop_reason=kept["stopReason"],
        error=kept["error"],
        predicted_cached_tokens=kept["predicted"],
        cached_share=_share(usage.cached_input_tokens, usage.input_tokens),
        predicted_share=_share(kept["predicted"], usage.input_tokens),
        created_at=int(created),
    )


def _share(part: int | None, whole: int | None) -> float | None:
    """A part of the input, to four places; ``None`` where one of both was not reported."""
    if part is None or not whole:
        return None
    return round(part / whole, 4)
