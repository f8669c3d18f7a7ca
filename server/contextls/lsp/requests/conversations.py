"""``context/conversation/*``: a change waits its turn behind those before it, and is answered once it is durable."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.model import ChatNode, CompactionView, Conversation, HistoryView, Imported, Thread
    from contextls.requests.common import RootParams
    from contextls.requests.conversations import (
        AppendNode,
        CompactChat,
        ConfigureChat,
        ConversationList,
        CreateChat,
        EditNode,
        ExcludeNode,
        ExportChat,
        Exported,
        HistoryParams,
        ImportChat,
        IncludeNode,
        NodeParams,
        OneChat,
        PathParams,
        PinNode,
        Pruned,
        PruneNode,
        Tree,
    )
    from contextls.requests.results import ResultKept, ResultList, ResultParams

T = TypeVar("T")


async def create(ls: ContextServer, asked: CreateChat) -> Conversation:
    """Begin a conversation."""
    return await _change(
        ls,
        asked.root_uri,
        lambda engine: engine.conversations.create(
            asked.title,
            agent_context=asked.agent_context,
            system_context=asked.system_context,
            preferences=asked.preferences.plain,
        ),
    )


async def list_all(ls: ContextServer, asked: RootParams) -> ConversationList:
    """Answer with every conversation."""
    from contextls.requests.conversations import ConversationList

    return await _look(ls, asked.root_uri, lambda engine: ConversationList(engine.conversations.list()))


async def configure(ls: ContextServer, asked: ConfigureChat) -> Conversation:
    """Change what concerns a whole conversation."""
    return await _change(
        ls,
        asked.root_uri,
        lambda engine: engine.conversations.configure(
            asked.conversation_id,
            title=asked.title,
            agent_context=asked.agent_context,
            system_context=asked.system_context,
            preferences=None if asked.preferences is None else asked.preferences.plain,
        ),
    )


async def append(ls: ContextServer, asked: AppendNode) -> ChatNode:
    """Append what is said next."""
    return await _change(
        ls, asked.root_uri, lambda engine: engine.conversations.append(asked.conversation_id, asked.node)
    )


async def branch(ls: ContextServer, asked: NodeParams) -> Conversation:
    """Go back to a node."""
    return await _change(
        ls, asked.root_uri, lambda engine: engine.conversations.branch(asked.conversation_id, asked.node_id)
    )


async def path(ls: ContextServer, asked: PathParams) -> Thread:
    """Answer with the nodes from the root to one."""
    return await _look(
        ls, asked.root_uri, lambda engine: engine.conversations.path(asked.conversation_id, asked.node_id)
    )


async def tree(ls: ContextServer, asked: OneChat) -> Tree:
    """Answer with every node."""
    from contextls.requests.conversations import Tree

    return await _look(
        ls,
        asked.root_uri,
        lambda engine: Tree(
            engine.conversations.get(asked.conversation_id), engine.conversations.tree(asked.conversation_id)
        ),
    )


async def history(ls: ContextServer, asked: HistoryParams) -> HistoryView:
    """Answer with the messages that a model sees."""
    return await _look(
        ls,
        asked.root_uri,
        lambda engine: engine.conversations.history(
            asked.conversation_id,
            asked.node_id,
            max_tokens=asked.max_tokens,
            preferences=asked.preferences.plain,
            tokenizer=asked.tokenizer,
        ),
    )


async def exclude(ls: ContextServer, asked: ExcludeNode) -> ChatNode:
    """Leave a node out of prompts, or take it back in."""
    return await _mark(ls, asked, excluded=asked.excluded)


async def include(ls: ContextServer, asked: IncludeNode) -> ChatNode:
    """Show an annotation, or hide it again."""
    return await _mark(ls, asked, included=asked.included)


async def pin(ls: ContextServer, asked: PinNode) -> ChatNode:
    """Keep a node whatever is cut, or let it go again."""
    return await _mark(ls, asked, pinned=asked.pinned)


async def prune(ls: ContextServer, asked: PruneNode) -> Pruned:
    """Take a node and all below it out of sight, or bring them back."""
    from contextls.requests.conversations import Pruned

    def change(engine: Engine) -> Pruned:
        changed = engine.conversations.prune(asked.conversation_id, asked.node_id, pruned=asked.pruned)
        return Pruned(changed, engine.conversations.get(asked.conversation_id))

    return await _change(ls, asked.root_uri, change)


async def edit(ls: ContextServer, asked: EditNode) -> ChatNode:
    """Rewrite a node, or go back to an older version."""
    return await _change(
        ls,
        asked.root_uri,
        lambda engine: engine.conversations.edit(
            asked.conversation_id, asked.node_id, asked.content, asked.version
        ),
    )


async def compact(ls: ContextServer, asked: CompactChat) -> CompactionView:
    """Sum up old turns."""
    return await _change(
        ls,
        asked.root_uri,
        lambda engine: engine.conversations.compact(
            asked.conversation_id,
            asked.node_id,
            target=asked.target,
            available=asked.available,
            keep_turns=asked.keep_turns,
            summary=asked.summary,
            first_kept=asked.first_kept_turn_id,
            tokenizer=asked.tokenizer,
        ),
    )


async def keep_result(ls: ContextServer, asked: ResultParams) -> ResultKept:
    """Write what a model gave back into the conversation; after an overflow, compact it once."""
    from contextls.requests.results import ResultKept

    def change(engine: Engine) -> ResultKept:
        kept = engine.conversations.keep_result(asked.conversation_id, asked.plain, asked.node_id)
        compaction = (
            engine.conversations.recover(asked.conversation_id, asked.available, asked.node_id)
            if asked.overflow and asked.available is not None
            else None
        )
        return ResultKept(kept, compaction)

    return await _change(ls, asked.root_uri, change)


async def results(ls: ContextServer, asked: OneChat) -> ResultList:
    """Answer with what models gave back."""
    from contextls.requests.results import ResultList

    return await _look(
        ls,
        asked.root_uri,
        lambda engine: ResultList(engine.conversations.results(asked.conversation_id)),
    )


async def import_chat(ls: ContextServer, asked: ImportChat) -> Imported:
    """Read a conversation of another program into a new one."""
    return await _change(
        ls,
        asked.root_uri,
        lambda engine: engine.conversations.import_chat(
            asked.content, asked.format, name=asked.name, title=asked.title
        ),
    )


async def export_chat(ls: ContextServer, asked: ExportChat) -> Exported:
    """Answer with a conversation as JSON."""
    from contextls.requests.conversations import Exported

    return await _look(
        ls,
        asked.root_uri,
        lambda engine: Exported(
            engine.conversations.export_chat(asked.conversation_id, asked.format, asked.node_id)
        ),
    )


async def delete(ls: ContextServer, asked: OneChat) -> ConversationList:
    """Delete a conversation; answer with those that are left."""
    from contextls.requests.conversations import ConversationList

    def change(engine: Engine) -> ConversationList:
        engine.conversations.delete(asked.conversation_id)
        return ConversationList(engine.conversations.list())

    return await _change(ls, asked.root_uri, change)


async def _mark(
    ls: ContextServer, asked: ExcludeNode | IncludeNode | PinNode, **marks: bool | None
) -> ChatNode:
    return await _change(
        ls,
        asked.root_uri,
        lambda engine: engine.conversations.mark(asked.conversation_id, asked.node_id, **marks),
    )


async def _change(ls: ContextServer, root_uri: str | None, change: Callable[[Engine], T]) -> T:
    return await ls.workspaces.choose(root_uri).change(change)


async def _look(ls: ContextServer, root_uri: str | None, look: Callable[[Engine], T]) -> T:
    """Reading needs no unsaved text and waits for no question: a conversation of thousands of nodes takes a moment."""
    return await ls.workspaces.choose(root_uri).look(look)
