"""Conversations of a workspace: trees of nodes in SQLite that every editor, shell and script shares.

A node never changes what it hangs on; an edit is a new version of its content, and what is pruned can be restored. A
path from the root to a node is what ``history`` turns into messages.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from contextls.errors import ContextlsError, StoreError
from contextls.memory.conversations.changes import (
    append_nodes,
    clean_columns,
    insert_conversation,
    read_conversation,
    unknown_conversation,
    unknown_node,
    update_conversation,
)
from contextls.memory.conversations.merging import Merger
from contextls.memory.conversations.read_cache import ReadCache
from contextls.memory.conversations.retention import ChatRetention, delete_rows, is_due, purge
from contextls.memory.conversations.rows import (
    CONVERSATION,
    CURRENT_CONTENT,
    MIGRATIONS,
    NODE,
    Row,
    as_conversation,
    as_node,
    conversation_number,
    node_number,
)
from contextls.memory.conversations.salvage import TRUTH
from contextls.memory.conversations.tree import ChatTree
from contextls.model import ChatNode, Conversation, NewNode, Preferences
from contextls.store.database import Database
from contextls.store.notices import Notices
from contextls.store.passes import BackgroundPass
from contextls.store.quarantine import describe_quarantined
from contextls.store.times import now_ms
from contextls.store.transaction import Transaction

FILE_NAME = "conversations.sqlite"
_NO_PREFERENCES = Preferences()

T = TypeVar("T")


class Conversations:
    """The conversations of one workspace, in SQLite (WAL, synced on commit). Safe to use from any thread.

    Secrets are redacted before anything is stored. Every method raises ``StoreError`` when the file cannot be used, and
    those that take ids ``InvalidRequestError`` when there is nothing of that id.
    """

    name = "conversations"

    def __init__(
        self,
        folder: Path,
        notices: Notices | None = None,
        tokenizer: str = "o200k_base",
        *,
        paused: Callable[[], bool] = lambda: False,
        retention: ChatRetention | None = None,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        """Open or create them in ``folder``; a damaged file is kept aside, and what can be read of it saved.

        ``tokenizer`` counts what is appended. While ``paused``, nothing that was said is stored. ``retention`` bounds how
        much is kept, at ``clock``'s time in ms; it is looked after now and whenever a conversation begins.
        """
        self._path = folder / FILE_NAME
        self.tokenizer = tokenizer
        self._paused = paused
        self._database = Database.truth(self._path, MIGRATIONS, TRUTH, notices, shrinks=True)
        self._cache = ReadCache(self.version)
        self.merger = Merger(self.keep_counts)
        self._purging = None if retention is None else _purging(self._database, retention, clock)
        if self._purging is not None:
            self._purging.look()

    # Conversations

    def create(
        self,
        title: str = "",
        *,
        agent_context: str = "",
        system_context: str = "",
        preferences: Preferences = _NO_PREFERENCES,
        origin: str = "",
        fill: Callable[[Transaction, int], None] = lambda _connection, _number: None,
    ) -> Conversation:
        """Begin a conversation. ``fill`` stores what was said in it before, in the same transaction."""
        self.check_not_paused()
        columns = clean_columns(title, agent_context, system_context, preferences, origin)

        def work(connection: Transaction) -> Conversation:
            number = insert_conversation(connection, columns)
            fill(connection, number)
            return read_conversation(connection, number)

        made = self._database.transact(work)
        if self._purging is not None:
            self._purging.look()
        return made

    def configure(
        self,
        conversation: str,
        *,
        title: str | None = None,
        agent_context: str | None = None,
        system_context: str | None = None,
        preferences: Preferences | None = None,
    ) -> Conversation:
        """Change what concerns a whole conversation; what is ``None`` stays."""
        columns = clean_columns(title, agent_context, system_context, preferences)
        return self.change(
            conversation, lambda connection, number: update_conversation(connection, number, columns)
        )

    def list(self) -> tuple[Conversation, ...]:
        """Every conversation, the one that changed last first."""
        return self.query(
            lambda rows: tuple(map(as_conversation, rows)),
            f"SELECT {CONVERSATION} FROM conversations ORDER BY updated_at DESC, id DESC",  # noqa: S608 - constants
        )

    def get(self, conversation: str) -> Conversation:
        """One conversation."""
        return self.cached(("conversation", conversation), lambda: self._read_conversation(conversation))

    def _read_conversation(self, conversation: str) -> Conversation:
        number = conversation_number(conversation)
        found = self.query(
            lambda rows: as_conversation(rows[0]) if rows else None,
            f"SELECT {CONVERSATION} FROM conversations WHERE id = ?",  # noqa: S608 - constants only
            (number,),
        )
        if found is None:
            raise unknown_conversation(conversation)
        return found

    def delete(self, conversation: str) -> None:
        """Delete a conversation with everything that was said in it, also from the disk's free space in the file."""

        def work(connection: Transaction, number: int) -> None:
            delete_rows(connection, number)

        self.change(conversation, work)
        self._cache.forget()
        self.merger.forget()
        self._database.shrink()

    # Nodes

    def append(self, conversation: str, node: NewNode) -> ChatNode:
        """Append a node; durable when this returns. Below the head, unless it names a parent."""
        return self.append_many(conversation, (node,))[0]

    def append_many(self, conversation: str, nodes: Sequence[NewNode]) -> tuple[ChatNode, ...]:
        """Append nodes in one transaction, each below the one before it unless it names a parent."""
        self.check_not_paused()

        def work(connection: Transaction, number: int) -> tuple[ChatNode, ...]:
            owner = read_conversation(connection, number)
            return tuple(append_nodes(connection, owner, nodes, self.tokenizer))

        return self.change(conversation, work)

    def path(self, conversation: str, node: str | None = None) -> tuple[ChatNode, ...]:
        """The nodes from the root to ``node``, or to the head; empty for a conversation in which nothing was said."""
        return self.cached(
            ("path", conversation, node), lambda: self._read_path(self.get(conversation), node)
        )

    def tree(self, conversation: str) -> ChatTree:
        """All nodes of a conversation as they are now."""
        return self.cached(("tree", conversation), lambda: self._read_tree(conversation))

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of ``make`` for this key, kept until any process changes anything."""
        return self._cache.answer(key, make)

    def nodes(self, conversation: str) -> tuple[ChatNode, ...]:
        """Every node of a conversation, oldest first; the pruned ones too."""
        self.get(conversation)
        return self.query(
            lambda rows: tuple(map(as_node, rows)),
            f"SELECT {NODE} FROM nodes {CURRENT_CONTENT} WHERE nodes.conversation = ? ORDER BY nodes.id",  # noqa: S608
            (conversation_number(conversation),),
        )

    def _read_path(self, owner: Conversation, node: str | None) -> tuple[ChatNode, ...]:
        target = node or owner.head
        if target is None:
            return ()
        found = self.tree(owner.id).path(node_number(target))
        if not found:
            raise unknown_node("nodeId", conversation_number(owner.id), target)
        return found

    def _read_tree(self, conversation: str) -> ChatTree:
        number = conversation_number(conversation)
        return self._database.decode(lambda: self._cache.tree(number, self._database.read))

    def keep_counts(self, tokenizer: str, counts: Iterable[tuple[ChatNode, int]]) -> None:
        """Keep what ``tokenizer`` counted of nodes; where that fails, it is counted again the next time."""
        rows = [(tokenizer, tokens, node_number(node.id), node.version) for node, tokens in counts]
        if not rows:
            return
        try:
            with self._database.write() as connection:
                connection.executemany(
                    "UPDATE contents SET tokens = json_set(tokens, '$.' || ?, ?) WHERE node = ? AND version = ?",
                    rows,
                )
        except StoreError:
            return

    # As every memory

    def version(self) -> int:
        """A number that grows with every change by any process."""
        return self.query(lambda rows: int(rows[0][0]), "SELECT generation FROM state")

    def wipe(self) -> int:
        """Delete every conversation, also from the disk's free space in the file; how many those were."""

        def work(connection: Transaction) -> int:
            ((count,),) = connection.execute("SELECT count(*) FROM conversations").fetchall()
            for table in ("results", "compactions", "contents", "nodes", "conversations"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - constants only
            connection.execute("UPDATE state SET generation = generation + 1")
            return int(count)

        count = self._database.transact(work)
        self._cache.forget()
        self.merger.forget()
        self._database.shrink()
        return count

    def warnings(self) -> tuple[str, ...]:
        """Warnings about conversations that were damaged, or cannot be used or written right now."""
        damaged = describe_quarantined(self._path, f"the conversations at {self._path} were damaged")
        problems = (self._database.problem, "" if self._purging is None else self._purging.problem)
        return (*damaged, *filter(None, problems))

    def query(
        self, decode: Callable[[Sequence[Row]], T], sql: str, parameters: Sequence[int | str] = ()
    ) -> T:
        """Decode the rows of a query; rows of which ``decode`` makes no sense are damage, and put right."""
        return self._database.decode(lambda: decode(self._database.read(sql, parameters)))

    def close(self) -> None:
        """Let go of the file."""
        if self._purging is not None:
            self._purging.close()
        self._database.close()

    def change(self, conversation: str, work: Callable[[Transaction, int], T]) -> T:
        """Run ``work`` with the number of a conversation, which is there, in one transaction."""
        number = conversation_number(conversation)

        def checked(connection: Transaction) -> T:
            read_conversation(connection, number)
            return work(connection, number)

        return self._database.transact(checked)

    def check_not_paused(self) -> None:
        """Raise ``ContextlsError`` while the user wants nothing recorded."""
        if self._paused():
            raise ContextlsError(
                "memory is paused (setting memoryPaused), so nothing of the conversation was stored; what was stored "
                "before can still be read"
            )


def _purging(database: Database, limits: ChatRetention, clock: Callable[[], int]) -> BackgroundPass:
    return BackgroundPass(
        database,
        lambda: is_due(database, limits, clock()),
        lambda stopped: purge(database, limits, clock(), stopped),
        "old conversations could not be deleted",
    )
