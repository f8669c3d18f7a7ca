"""Changes to conversations within one transaction: what is checked, and what is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contextls.errors import InvalidRequestError
from contextls.memory.conversations.rows import (
    ANCESTRY,
    CONVERSATION,
    CURRENT_CONTENT,
    DESCENDANTS,
    NODE,
    as_conversation,
    as_node,
    conversation_id,
    conversation_number,
    dump,
    dump_extra,
    dump_preferences,
    node_id,
    node_number,
)
from contextls.model import (
    Author,
    ChatNode,
    Conversation,
    Edge,
    NewNode,
    NodeKind,
    Preferences,
    Source,
    SourceRole,
)
from contextls.store.times import now_ms
from contextls.store.transaction import Transaction
from contextls.text.gate import clean
from contextls.text.kept_ends import keep_beginning
from contextls.text.surrogates import repair_surrogates
from contextls.text.tokens import get_tokenizer

# What is longer is no turn but a file; a model would not be shown it either.
MAX_CHARS = 2_000_000
MAX_SOURCES = 100
MAX_TITLE_CHARS = 200


def touch(connection: Transaction, conversation: int) -> None:
    """Note that a conversation changed."""
    connection.execute("UPDATE conversations SET updated_at = ? WHERE id = ?", (now_ms(), conversation))
    connection.execute("UPDATE state SET generation = generation + 1")


def clean_columns(
    title: str | None,
    agent_context: str | None,
    system_context: str | None,
    preferences: Preferences | None,
    origin: str | None = None,
) -> dict[str, str]:
    """The columns of a conversation to update; a value of ``None`` leaves its column alone."""
    texts = {"agent_context": agent_context, "system_context": system_context, "origin": origin}
    columns: dict[str, str] = {
        name: clean(repair_surrogates(text)) for name, text in texts.items() if text is not None
    }
    if title is not None:
        columns["title"] = _short_title(title)
    if preferences is not None:
        columns["preferences"] = dump_preferences(preferences)
    return columns


def _short_title(text: str) -> str:
    line = next(iter(clean(repair_surrogates(text)).strip().splitlines()), "")
    return keep_beginning(line, MAX_TITLE_CHARS)


def insert_conversation(connection: Transaction, columns: Mapping[str, str]) -> int:
    """Begin a conversation in which nothing was said; its number."""
    names, values = ", ".join(columns), ", ".join("?" * len(columns))
    number = connection.insert(
        f"INSERT INTO conversations ({names}, created_at, updated_at) VALUES ({values}, ?, ?)",  # noqa: S608 - ours
        (*columns.values(), now_ms(), now_ms()),
    )
    touch(connection, number)
    return number


def update_conversation(connection: Transaction, number: int, columns: Mapping[str, str]) -> Conversation:
    """Change these columns of a conversation, and no others."""
    for name, value in columns.items():
        connection.execute(
            f"UPDATE conversations SET {name} = ? WHERE id = ?",  # noqa: S608 - constants only
            (value, number),
        )
    touch(connection, number)
    return read_conversation(connection, number)


def read_conversation(connection: Transaction, number: int) -> Conversation:
    """One conversation. Raises ``InvalidRequestError`` when there is none of this number."""
    found = connection.read(
        lambda rows: as_conversation(rows[0]) if rows else None,
        f"SELECT {CONVERSATION} FROM conversations WHERE id = ?",  # noqa: S608 - constants only
        (number,),
    )
    if found is None:
        raise unknown_conversation(conversation_id(number))
    return found


def read_node(connection: Transaction, conversation: int, number: int, field: str = "nodeId") -> ChatNode:
    """One node. Raises ``InvalidRequestError`` naming ``field`` when the conversation has none of this number."""
    found = connection.read(
        lambda rows: as_node(rows[0]) if rows else None,
        f"SELECT {NODE} FROM nodes {CURRENT_CONTENT} WHERE nodes.id = ? AND nodes.conversation = ?",  # noqa: S608
        (number, conversation),
    )
    if found is None:
        raise unknown_node(field, conversation, node_id(number))
    return found


def unknown_conversation(given: str) -> InvalidRequestError:
    """No conversation has this id."""
    return InvalidRequestError("conversationId", "the id of a conversation of this workspace", given)


def unknown_node(field: str, conversation: int, given: str) -> InvalidRequestError:
    """The conversation has no node with this id."""
    return InvalidRequestError(field, f"the id of a node of {conversation_id(conversation)}", given)


def clean_content(content: str) -> str:
    """Content as it is stored: without secrets, within bounds. Raises ``InvalidRequestError``."""
    if len(content) > MAX_CHARS:
        raise InvalidRequestError(
            "content",
            f"at most {MAX_CHARS:,} characters; this has {len(content):,}, which is no message but a file",
        )
    return clean(repair_surrogates(content))


def append_nodes(
    connection: Transaction,
    conversation: Conversation,
    nodes: Sequence[NewNode],
    tokenizer: str,
    kind: NodeKind = NodeKind.MESSAGE,
) -> list[ChatNode]:
    """Append nodes, each below the one before it unless it names a parent; the last one becomes the head.

    An annotation is attached to a node and is never the head. Raises ``InvalidRequestError``.
    """
    number = conversation_number(conversation.id)
    head = None if conversation.head is None else node_number(conversation.head)
    has_root = conversation.nodes > 0 or head is not None or _has_nodes(connection, number)
    appended = []
    for each in nodes:
        parent = _parent_of(connection, number, each, head, has_root=has_root)
        made = insert_node(connection, number, each, parent, tokenizer, kind)
        has_root = True
        if each.edge is Edge.CONTINUATION:
            head = made
        appended.append(made)
    connection.execute("UPDATE conversations SET head = ? WHERE id = ?", (head, number))
    touch(connection, number)
    return [read_node(connection, number, made) for made in appended]


def _has_nodes(connection: Transaction, conversation: int) -> bool:
    return bool(
        connection.execute("SELECT 1 FROM nodes WHERE conversation = ? LIMIT 1", (conversation,)).fetchall()
    )


def _parent_of(
    connection: Transaction, conversation: int, new: NewNode, head: int | None, *, has_root: bool
) -> int | None:
    """The node that ``new`` follows: the one it names, its primary source, or the head."""
    primary = [source.node_id for source in new.sources if source.role is SourceRole.PRIMARY]
    if len(primary) > 1:
        raise InvalidRequestError("sources", "at most one primary source: a node has one parent", primary)
    if primary and new.parent_id is not None and primary[0] != new.parent_id:
        raise InvalidRequestError("sources", f"the parent {new.parent_id} as the primary source", primary[0])
    given = new.parent_id or (primary[0] if primary else None)
    if given is not None:
        parent = node_number(given, "parentId")
        if read_node(connection, conversation, parent, "parentId").pruned:
            raise InvalidRequestError("parentId", "a node that was not pruned; restore it first", given)
        return parent
    if head is None and has_root:
        raise InvalidRequestError(
            "parentId", "a node to follow: the conversation has a root already, and there can be only one"
        )
    if head is None and new.edge is Edge.ANNOTATION:
        raise InvalidRequestError("parentId", "a node that is annotated, and there is none yet")
    return head


def insert_node(
    connection: Transaction,
    conversation: int,
    new: NewNode,
    parent: int | None,
    tokenizer: str,
    kind: NodeKind,
) -> int:
    """Insert a node below ``parent``, whatever parent it names itself; its number. The head stays where it is."""
    content = clean_content(new.content)
    if new.author is Author.HUMAN and not content.strip():
        raise InvalidRequestError("content", "a message of at least one word", new.content)
    sources = _check_sources(connection, conversation, new.sources)
    number = connection.insert(
        "INSERT INTO nodes (conversation, parent, author, kind, edge, version, excluded, pruned, pinned, included, "
        "sources, extra, created_at) VALUES (?, ?, ?, ?, ?, 1, 0, 0, 0, 0, ?, ?, ?)",
        (
            conversation,
            parent,
            new.author.value,
            kind.value,
            new.edge.value,
            dump(sources),
            dump_extra(new.metadata, new.trace, new.context, new.tool_calls, new.tool_call_id),
            now_ms(),
        ),
    )
    store_version(connection, number, 1, content, tokenizer)
    return number


def _check_sources(
    connection: Transaction, conversation: int, sources: Sequence[Source]
) -> list[tuple[int, str]]:
    """Sources as a column holds them, the primary one left to the parent, in the order in which they were given."""
    if len(sources) > MAX_SOURCES:
        raise InvalidRequestError("sources", f"at most {MAX_SOURCES} sources", len(sources))
    checked = []
    for source in sources:
        number = node_number(source.node_id, "sources")
        read_node(connection, conversation, number, "sources")
        if source.role is not SourceRole.PRIMARY:
            checked.append((number, source.role.value))
    return checked


def store_version(connection: Transaction, node: int, version: int, content: str, tokenizer: str) -> None:
    """Keep one version of a node's content, with its tokens."""
    counted = dump({get_tokenizer(tokenizer).name: get_tokenizer(tokenizer).count(content)})
    connection.execute(
        "INSERT INTO contents (node, version, content, tokens, created_at) VALUES (?, ?, ?, ?, ?)",
        (node, version, content, counted, now_ms()),
    )


def edit_node(connection: Transaction, node: ChatNode, content: str, tokenizer: str) -> None:
    """Make a new version of a node current; the older ones stay."""
    number = node_number(node.id)
    text = clean_content(content)
    if node.author is Author.HUMAN and not text.strip():
        raise InvalidRequestError("content", "a message of at least one word", content)
    newest = _newest_version(connection, number)
    store_version(connection, number, newest + 1, text, tokenizer)
    connection.execute("UPDATE nodes SET version = ? WHERE id = ?", (newest + 1, number))


def use_version(connection: Transaction, node: ChatNode, version: int) -> None:
    """Make an older version of a node current again. Raises ``InvalidRequestError``."""
    number = node_number(node.id)
    newest = _newest_version(connection, number)
    if not 1 <= version <= newest:
        raise InvalidRequestError("version", f"a version of {node.id}, 1 to {newest}", version)
    connection.execute("UPDATE nodes SET version = ? WHERE id = ?", (version, number))


def _newest_version(connection: Transaction, node: int) -> int:
    sql = "SELECT max(version) FROM contents WHERE node = ?"
    ((newest,),) = connection.execute(sql, (node,)).fetchall()
    return int(newest)


def prune_below(connection: Transaction, conversation: Conversation, node: ChatNode, *, pruned: bool) -> int:
    """Mark a node and everything below it; how many those are. The head moves up to what is left."""
    number, owner = node_number(node.id), conversation_number(conversation.id)
    connection.execute(
        f"{DESCENDANTS} UPDATE nodes SET pruned = ? WHERE id IN below",  # noqa: S608 - constants only
        (number, owner, int(pruned)),
    )
    ((changed,),) = connection.execute("SELECT changes()").fetchall()
    head = node.id if conversation.head is None else conversation.head
    left = connection.execute(
        f"{ANCESTRY} SELECT max(up.id) FROM up JOIN nodes ON nodes.id = up.id AND nodes.pruned = 0",  # noqa: S608
        (node_number(head), owner),
    ).fetchall()
    connection.execute("UPDATE conversations SET head = ? WHERE id = ?", (left[0][0], owner))
    return int(changed)
