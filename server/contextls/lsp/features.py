"""Every method and command that the server answers, in one table each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from contextls.lsp.actions import code_action
from contextls.lsp.commands import copy_context, reindex, show_status
from contextls.lsp.requests import (
    archetypes,
    assemble,
    clear,
    compress,
    count_tokens,
    did_change_diagnostics,
    did_focus,
    entities,
    events,
    feedback,
    file_status,
    graph,
    patterns,
    record_event,
    search,
    status,
    task_block,
    task_list,
    task_path,
    task_peek,
    task_pop,
    task_push,
    task_resume,
    update,
    working_set_exclude,
    working_set_include,
    working_set_list,
    working_set_pin,
    working_set_unpin,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.lsp.server import ContextServer

_RENAMES = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")]
)
_SHUTDOWN_SECONDS = 1.0  # editors lose patience after two

REQUESTS: dict[str, Callable[..., Any]] = {
    "context/assemble": assemble.handle,
    "context/update": update.handle,
    "context/compress": compress.handle,
    "context/countTokens": count_tokens.handle,
    "context/archetypes": archetypes.handle,
    "context/search": search.handle,
    "context/recordEvent": record_event.handle,
    "context/status": status.handle,
    "context/fileStatus": file_status.handle,
    "context/events": events.handle,
    "context/clear": clear.handle,
    "context/entities": entities.handle,
    "context/graph": graph.handle,
    "context/patterns": patterns.handle,
    "context/feedback": feedback.handle,
    "context/task/push": task_push.handle,
    "context/task/pop": task_pop.handle,
    "context/task/block": task_block.handle,
    "context/task/resume": task_resume.handle,
    "context/task/peek": task_peek.handle,
    "context/task/path": task_path.handle,
    "context/task/list": task_list.handle,
    "context/workingSet/list": working_set_list.handle,
    "context/workingSet/pin": working_set_pin.handle,
    "context/workingSet/unpin": working_set_unpin.handle,
    "context/workingSet/exclude": working_set_exclude.handle,
    "context/workingSet/include": working_set_include.handle,
    "context/didFocus": did_focus.handle,
    "context/didChangeDiagnostics": did_change_diagnostics.handle,
}
# Those that may take long, and wait for one another.
QUESTIONS = frozenset(
    f"context/{name}"
    for name in ("assemble", "search", "entities", "graph", "patterns", "events", "fileStatus")
)
COMMANDS: dict[str, Callable[..., Any]] = {
    copy_context.COMMAND: copy_context.run,
    reindex.COMMAND: reindex.run,
    show_status.COMMAND: show_status.run,
}


def register(server: ContextServer) -> None:
    """Make the server answer all of them."""
    for method, handler in REQUESTS.items():
        server.feature(method)(handler)
    for command, handler in COMMANDS.items():
        server.command(command)(handler)
    server.feature(types.INITIALIZE)(_initialize)
    server.feature(types.INITIALIZED)(_initialized)
    server.feature(types.SHUTDOWN)(_shutdown)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))(_did_save)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, code_action.OPTIONS)(code_action.handle)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_did_change_configuration)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_did_change_workspace_folders)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_did_change_watched_files)
    server.feature(types.WORKSPACE_DID_RENAME_FILES, _RENAMES)(_did_rename_files)


def _initialize(ls: ContextServer, params: types.InitializeParams) -> None:
    ls.initialize(params)


async def _initialized(ls: ContextServer, _params: types.InitializedParams) -> None:
    await ls.initialized()


async def _shutdown(ls: ContextServer, _params: None) -> None:
    ls.watch.stop()
    for part in (ls.attention, ls.problems, ls.edits, ls.memory_watch):
        part.stop()
    await ls.close(_SHUTDOWN_SECONDS)


def _did_save(ls: ContextServer, params: types.DidSaveTextDocumentParams) -> None:
    ls.sync.saved(params)


async def _did_change_configuration(ls: ContextServer, params: types.DidChangeConfigurationParams) -> None:
    await ls.change_settings(params.settings)


def _did_change_workspace_folders(ls: ContextServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    ls.change_folders(params.event)


def _did_change_watched_files(ls: ContextServer, params: types.DidChangeWatchedFilesParams) -> None:
    ls.watch.reported(params)


def _did_rename_files(ls: ContextServer, params: types.RenameFilesParams) -> None:
    ls.sync.renamed(params)
