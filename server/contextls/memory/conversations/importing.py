"""Imports a conversation of another program in one transaction: all of it, or nothing."""

from __future__ import annotations

from pathlib import PurePath

from msgspec.structs import replace

from contextls.errors import InvalidRequestError
from contextls.memory.conversations.changes import insert_node
from contextls.memory.conversations.imports.claude_code import parse_session
from contextls.memory.conversations.imports.messages_json import parse_messages
from contextls.memory.conversations.imports.parsed import (
    ParsedChat,
    ParsedNode,
    Shows,
    SkippedTally,
    order_nodes,
)
from contextls.memory.conversations.imports.tree_json import FORMAT, parse_tree
from contextls.memory.conversations.rows import node_id
from contextls.memory.conversations.store import Conversations
from contextls.model import Author, ChatFormat, Edge, Imported, NodeKind, Source, SummaryMethod, Trigger
from contextls.store.transaction import Transaction
from contextls.text.own_words import find_own_words

# A session of weeks; what is larger is no conversation.
MAX_CHARS = 200_000_000


def detect_format(text: str) -> ChatFormat:
    """The form of a file, by its beginning: our tree, a list of messages, or records line by line."""
    start = text.lstrip()[:2_000]
    if start.startswith("["):
        return ChatFormat.MESSAGES
    first_line = start.partition("\n")[0]
    if f'"{FORMAT}"' in start or first_line.startswith('{"nodes"'):
        return ChatFormat.TREE
    if first_line.rstrip().endswith("}") and '"messages"' not in first_line:
        return ChatFormat.CLAUDE_CODE
    if '"type"' in first_line and '"messages"' not in first_line:
        return ChatFormat.CLAUDE_CODE
    return ChatFormat.MESSAGES


def import_chat(
    store: Conversations,
    text: str,
    kind: ChatFormat | None = None,
    *,
    name: str = "",
    title: str = "",
    shows: Shows = lambda _: True,
) -> Imported:
    """Read ``text``, of a file called ``name``, into a new conversation.

    Raises ``InvalidRequestError``; nothing is kept then.
    """
    if len(text) > MAX_CHARS:
        raise InvalidRequestError("content", f"at most {MAX_CHARS:,} characters; this has {len(text):,}")
    chosen = kind or detect_format(text)
    if chosen is ChatFormat.MESSAGES:
        parsed = parse_messages(text)
    elif chosen is ChatFormat.TREE:
        parsed = parse_tree(text)
    else:
        parsed = _parse_session(text, shows, guessed=kind is None)
    return _keep(
        store, parsed, f"{chosen.value}: {name}" if name else chosen.value, title or _title(parsed, name)
    )


def _parse_session(text: str, shows: Shows, *, guessed: bool) -> ParsedChat:
    try:
        return parse_session(text, shows)
    except InvalidRequestError as error:
        if guessed and error.field == "content":
            expected = "messages as JSON, a session file of Claude Code, or an exported tree"
            raise InvalidRequestError("content", expected, text[:80]) from None
        raise


def _title(parsed: ParsedChat, name: str) -> str:
    asked = next((each.node.content for each in parsed.nodes if each.node.author is Author.HUMAN), "")
    return parsed.title or find_own_words(asked).strip() or PurePath(name).stem


def _keep(store: Conversations, parsed: ParsedChat, origin: str, title: str) -> Imported:
    ordered = order_nodes(parsed.nodes)

    def fill(connection: Transaction, number: int) -> None:
        numbers: dict[str, int] = {}
        for each in ordered:
            numbers[each.key] = _insert(connection, number, each, numbers, store.tokenizer)
        _mark(connection, ordered, numbers)
        said = [numbers[each.key] for each in ordered if each.node.edge is Edge.CONTINUATION]
        head = numbers.get(parsed.head or "") or (said[-1] if said else None)
        connection.execute("UPDATE conversations SET head = ? WHERE id = ?", (head, number))

    made = store.create(
        title,
        agent_context=parsed.agent_context,
        system_context=parsed.system_context,
        preferences=parsed.preferences,
        origin=origin,
        fill=fill,
    )
    return Imported(made, len(ordered), (*parsed.warnings, *_name_orphans(ordered)))


def _name_orphans(nodes: list[ParsedNode]) -> tuple[str, ...]:
    """A warning for the results of tools whose call is not in the file: they are kept, and no prompt shows them."""
    called: set[str] = set()
    tally = SkippedTally()
    for each in nodes:
        called.update(call.id for call in each.node.tool_calls)
        answers = each.node.tool_call_id
        if each.node.author is Author.TOOL and answers is not None and answers not in called:
            tally.add("a result of a tool whose call is not in the file; no prompt shows it")
    return tally.warnings()


def _insert(
    connection: Transaction, number: int, parsed: ParsedNode, numbers: dict[str, int], tokenizer: str
) -> int:
    try:
        sources = tuple(Source(node_id(numbers[each.node_id]), each.role) for each in parsed.node.sources)
    except KeyError as error:
        raise InvalidRequestError("nodes", f"the sources of {parsed.key!r} before it", str(error)) from None
    parent = None if parsed.parent is None else numbers[parsed.parent]
    return insert_node(
        connection, number, replace(parsed.node, sources=sources), parent, tokenizer, parsed.kind
    )


def _mark(connection: Transaction, nodes: list[ParsedNode], numbers: dict[str, int]) -> None:
    """Flags, and what a summary stands for; one that does not say so stands for everything before it."""
    for each in nodes:
        number = numbers[each.key]
        flags = (each.excluded, each.pruned, each.pinned, each.included)
        if any(flags):
            connection.execute(
                "UPDATE nodes SET excluded = ?, pruned = ?, pinned = ?, included = ? WHERE id = ?",
                (*map(int, flags), number),
            )
        if each.kind is NodeKind.COMPACTION:
            connection.execute(
                "INSERT INTO compactions VALUES (?, ?, ?, ?, 0, 0, 0)",
                (
                    number,
                    numbers.get(each.first_kept or "", number),
                    SummaryMethod.CLIENT.value,
                    Trigger.MANUAL.value,
                ),
            )
