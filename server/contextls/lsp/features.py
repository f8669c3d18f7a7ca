"""Every method and command that the server answers, in one table each."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from contextls.errors import ContextlsError
from contextls.lsp import commands
from contextls.lsp.actions import code_action
from contextls.lsp.requests import (
    assemble,
    conversations,
    events,
    lookup,
    tasks,
    texts,
    working_set,
    workspace,
)
from contextls.lsp.serving import load, serve, serve_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.lsp.server import ContextServer

_RENAMES = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")]
)
_SHUTDOWN_SECONDS = 1.0  # editors lose patience after two

REQUESTS: dict[str, Callable[..., Any]] = {
    "context/assemble": assemble.handle,
    "context/update": assemble.update,
    "context/compress": texts.compress,
    "context/countTokens": texts.count,
    "context/archetypes": lookup.archetypes,
    "context/search": lookup.search,
    "context/recordEvent": events.record,
    "context/status": workspace.status,
    "context/fileStatus": workspace.file_status,
    "context/events": events.list_page,
    "context/clear": workspace.clear,
    "context/scope": workspace.scope,
    "context/setTrust": workspace.set_trust,
    "context/entities": lookup.entities,
    "context/graph": lookup.graph,
    "context/patterns": lookup.patterns,
    "context/feedback": lookup.feedback,
    "context/task/push": tasks.push,
    "context/task/pop": tasks.pop,
    "context/task/block": tasks.block,
    "context/task/resume": tasks.resume,
    "context/task/peek": tasks.peek,
    "context/task/path": tasks.path,
    "context/task/list": tasks.list_all,
    "context/workingSet/list": working_set.show,
    "context/workingSet/pin": working_set.pin,
    "context/workingSet/unpin": working_set.unpin,
    "context/workingSet/exclude": working_set.exclude,
    "context/workingSet/include": working_set.include,
    "context/workingSet/update": working_set.update,
    "context/workingSet/undo": working_set.undo,
    "context/conversation/create": conversations.create,
    "context/conversation/list": conversations.list_all,
    "context/conversation/configure": conversations.configure,
    "context/conversation/append": conversations.append,
    "context/conversation/branch": conversations.branch,
    "context/conversation/path": conversations.path,
    "context/conversation/tree": conversations.tree,
    "context/conversation/history": conversations.history,
    "context/conversation/exclude": conversations.exclude,
    "context/conversation/include": conversations.include,
    "context/conversation/pin": conversations.pin,
    "context/conversation/prune": conversations.prune,
    "context/conversation/edit": conversations.edit,
    "context/conversation/compact": conversations.compact,
    "context/conversation/result": conversations.keep_result,
    "context/conversation/results": conversations.results,
    "context/conversation/import": conversations.import_chat,
    "context/conversation/export": conversations.export_chat,
    "context/conversation/delete": conversations.delete,
    "context/didFocus": events.focus,
    "context/didChangeDiagnostics": events.change_diagnostics,
}
# Those that may take long, and wait for one another.
QUESTIONS = frozenset(
    f"context/{name}"
    for name in ("assemble", "search", "entities", "graph", "patterns", "events", "fileStatus")
)
COMMANDS: dict[str, Callable[..., Any]] = {
    commands.COPY_CONTEXT: commands.copy_context,
    commands.REINDEX: commands.reindex,
    commands.SHOW_STATUS: commands.show_status,
}


def register(server: ContextServer) -> None:
    """Make the server answer all of them."""
    for method, handler in REQUESTS.items():
        server.feature(method)(serve(method, handler))
    for command, handler in COMMANDS.items():
        server.command(command)(serve_command(command, handler))
    server.feature(types.INITIALIZED)(_initialized)
    server.feature(types.SHUTDOWN)(_shutdown)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))(_did_save)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, code_action.OPTIONS)(code_action.answer_code_action)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_did_change_configuration)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_did_change_workspace_folders)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_did_change_watched_files)
    server.feature(types.WORKSPACE_DID_RENAME_FILES, _RENAMES)(_did_rename_files)


async def _initialized(ls: ContextServer, _params: types.InitializedParams) -> None:
    await ls.initialized()
    ls.spawn(_load(ls))


async def _load(ls: ContextServer) -> None:
    with contextlib.suppress(ContextlsError):  # the first request loads them then
        await ls.live.executors.quick(load)


async def _shutdown(ls: ContextServer, _params: None) -> None:
    ls.live.stop()
    await ls.live.close(_SHUTDOWN_SECONDS)


def _did_save(ls: ContextServer, params: types.DidSaveTextDocumentParams) -> None:
    ls.sync.did_save(params)


async def _did_change_configuration(ls: ContextServer, params: types.DidChangeConfigurationParams) -> None:
    await ls.change_settings(params.settings)


def _did_change_workspace_folders(ls: ContextServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    ls.change_folders(params.event)


def _did_change_watched_files(ls: ContextServer, params: types.DidChangeWatchedFilesParams) -> None:
    ls.sync.did_change_watched_files(params)


def _did_rename_files(ls: ContextServer, params: types.RenameFilesParams) -> None:
    ls.sync.did_rename_files(params)
