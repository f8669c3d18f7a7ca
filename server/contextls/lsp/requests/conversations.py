"""``context/conversation/*``: a change waits its turn after earlier ones, and is answered once it is durable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.engine.conversations import Chats
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


class _Params(Protocol):
    @property
    def root_uri(self) -> str | None: ...


async def create(ls: ContextServer, params: CreateChat) -> Conversation:
    """Begin a conversation."""
    return await _change(
        ls,
        params,
        lambda chats: chats.create(
            params.title,
            agent_context=params.agent_context,
            system_context=params.system_context,
            preferences=params.preferences.plain,
        ),
    )


async def list_all(ls: ContextServer, params: RootParams) -> ConversationList:
    """Answer with every conversation."""
    from contextls.requests.conversations import ConversationList

    return await _look(ls, params, lambda chats: ConversationList(chats.list()))


async def configure(ls: ContextServer, params: ConfigureChat) -> Conversation:
    """Change what concerns a whole conversation."""
    return await _change(
        ls,
        params,
        lambda chats: chats.configure(
            params.conversation_id,
            title=params.title,
            agent_context=params.agent_context,
            system_context=params.system_context,
            preferences=None if params.preferences is None else params.preferences.plain,
        ),
    )


async def append(ls: ContextServer, params: AppendNode) -> ChatNode:
    """Append what is said next."""
    return await _change(ls, params, lambda chats: chats.append(params.conversation_id, params.node))


async def branch(ls: ContextServer, params: NodeParams) -> Conversation:
    """Go back to a node."""
    return await _change(ls, params, lambda chats: chats.branch(params.conversation_id, params.node_id))


async def path(ls: ContextServer, params: PathParams) -> Thread:
    """Answer with the nodes from the root to one."""
    return await _look(ls, params, lambda chats: chats.path(params.conversation_id, params.node_id))


async def tree(ls: ContextServer, params: OneChat) -> Tree:
    """Answer with every node."""
    from contextls.requests.conversations import Tree

    return await _look(
        ls, params, lambda chats: Tree(chats.get(params.conversation_id), chats.tree(params.conversation_id))
    )


async def history(ls: ContextServer, params: HistoryParams) -> HistoryView:
    """Answer with the messages that a model sees."""
    return await _look(
        ls,
        params,
        lambda chats: chats.history(
            params.conversation_id,
            params.node_id,
            max_tokens=params.max_tokens,
            preferences=params.preferences.plain,
            tokenizer=params.tokenizer,
        ),
    )


async def exclude(ls: ContextServer, params: ExcludeNode) -> ChatNode:
    """Leave a node out of prompts, or take it back in."""
    return await _mark(ls, params, excluded=params.excluded)


async def include(ls: ContextServer, params: IncludeNode) -> ChatNode:
    """Show an annotation, or hide it again."""
    return await _mark(ls, params, included=params.included)


async def pin(ls: ContextServer, params: PinNode) -> ChatNode:
    """Keep a node whatever is cut, or let it go again."""
    return await _mark(ls, params, pinned=params.pinned)


async def prune(ls: ContextServer, params: PruneNode) -> Pruned:
    """Take a node and all below it out of sight, or bring them back."""
    from contextls.requests.conversations import Pruned

    def change(chats: Chats) -> Pruned:
        changed = chats.prune(params.conversation_id, params.node_id, pruned=params.pruned)
        return Pruned(changed, chats.get(params.conversation_id))

    return await _change(ls, params, change)


async def edit(ls: ContextServer, params: EditNode) -> ChatNode:
    """Rewrite a node, or go back to an older version."""
    return await _change(
        ls,
        params,
        lambda chats: chats.edit(params.conversation_id, params.node_id, params.content, params.version),
    )


async def compact(ls: ContextServer, params: CompactChat) -> CompactionView:
    """Sum up old turns."""
    return await _change(
        ls,
        params,
        lambda chats: chats.compact(
            params.conversation_id,
            params.node_id,
            target=params.target,
            available=params.available,
            keep_turns=params.keep_turns,
            summary=params.summary,
            first_kept=params.first_kept_turn_id,
            tokenizer=params.tokenizer,
        ),
    )


async def keep_result(ls: ContextServer, params: ResultParams) -> ResultKept:
    """Write what a model gave back into the conversation; after an overflow, compact it once."""
    from contextls.requests.results import ResultKept

    def change(chats: Chats) -> ResultKept:
        kept = chats.keep_result(params.conversation_id, params.plain, params.node_id)
        compaction = (
            chats.recover(params.conversation_id, params.available, params.node_id)
            if params.overflow and params.available is not None
            else None
        )
        return ResultKept(kept, compaction)

    return await _change(ls, params, change)


async def results(ls: ContextServer, params: OneChat) -> ResultList:
    """Answer with what models gave back."""
    from contextls.requests.results import ResultList

    return await _look(ls, params, lambda chats: ResultList(chats.results(params.conversation_id)))


async def import_chat(ls: ContextServer, params: ImportChat) -> Imported:
    """Read a conversation of another program into a new one."""
    return await _change(
        ls,
        params,
        lambda chats: chats.import_chat(params.content, params.format, name=params.name, title=params.title),
    )


async def export_chat(ls: ContextServer, params: ExportChat) -> Exported:
    """Answer with a conversation as JSON."""
    from contextls.requests.conversations import Exported

    return await _look(
        ls,
        params,
        lambda chats: Exported(chats.export_chat(params.conversation_id, params.format, params.node_id)),
    )


async def delete(ls: ContextServer, params: OneChat) -> ConversationList:
    """Delete a conversation; answer with those that are left."""
    from contextls.requests.conversations import ConversationList

    def change(chats: Chats) -> ConversationList:
        chats.delete(params.conversation_id)
        return ConversationList(chats.list())

    return await _change(ls, params, change)


async def _mark(
    ls: ContextServer, params: ExcludeNode | IncludeNode | PinNode, **marks: bool | None
) -> ChatNode:
    return await _change(
        ls, params, lambda chats: chats.mark(params.conversation_id, params.node_id, **marks)
    )


async def _change(ls: ContextServer, params: _Params, change: Callable[[Chats], T]) -> T:
    workspace = ls.workspaces.choose(params.root_uri)
    return await workspace.change(lambda engine: change(engine.conversations))


async def _look(ls: ContextServer, params: _Params, look: Callable[[Chats], T]) -> T:
    """Reading needs no unsaved text and waits for no question: a conversation of thousands of nodes takes a moment."""
    workspace = ls.workspaces.choose(params.root_uri)
    return await workspace.look(lambda engine: look(engine.conversations))
