"""``context/workingSet/*``: a change waits its turn, and is answered with what is so then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.requests.uris import to_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.engine import Engine
    from contextls.lsp.server import ContextServer
    from contextls.model import Target as WorkspaceTarget
    from contextls.model import UndoAnswer, UpdateAnswer, WorkingSetView
    from contextls.requests.working_set import ListSet, Pin, Target, Undo, UpdateSet


async def show(ls: ContextServer, params: ListSet) -> WorkingSetView:
    """Answer with the working set, also where its file has something wrong: that is among the warnings."""
    workspace = ls.workspaces.choose(params.root_uri)
    return await workspace.ask(lambda engine: engine.working_set.view(params.conversation_id))


async def pin(ls: ContextServer, params: Pin) -> WorkingSetView:
    """Put something into prompts, or change the fields given of what is pinned; no longer excluded."""
    return await _change(
        ls,
        params,
        lambda engine, target: engine.working_set.pin(
            target, params.priority, params.role, params.truncate_strategy, params.max_lines
        ),
    )


async def unpin(ls: ContextServer, params: Target) -> WorkingSetView:
    """No longer pin; what is not pinned stays so."""
    return await _change(ls, params, lambda engine, target: engine.working_set.unpin(target))


async def exclude(ls: ContextServer, params: Target) -> WorkingSetView:
    """Keep something out of every prompt; no longer pinned."""
    return await _change(ls, params, lambda engine, target: engine.working_set.exclude(target))


async def include(ls: ContextServer, params: Target) -> WorkingSetView:
    """Take an exclusion back; what is not excluded stays so."""
    return await _change(ls, params, lambda engine, target: engine.working_set.include(target))


async def update(ls: ContextServer, params: UpdateSet) -> UpdateAnswer:
    """Do what a model asks for, all of it or nothing; recorded, and undone by ``undo``."""
    workspace = ls.workspaces.choose(params.root_uri)
    updates = [one.wanted for one in params.updates]
    return await workspace.change(lambda engine: engine.working_set.update(updates))


async def undo(ls: ContextServer, params: Undo) -> UndoAnswer:
    """Undo an update by a model or the server; what a person did stays."""
    workspace = ls.workspaces.choose(params.root_uri)
    return await workspace.change(lambda engine: engine.working_set.undo(params.id))


async def _change(
    ls: ContextServer, params: Target, change: Callable[[Engine, WorkspaceTarget], WorkingSetView]
) -> WorkingSetView:
    workspace = ls.workspaces.choose(params.root_uri, params.uri, "uri")
    # What an editor shows is what a symbol or a position in it means.
    target = await workspace.ask(lambda engine: _find_target(engine, params))
    return await workspace.change(lambda engine: change(engine, target))


def _find_target(engine: Engine, params: Target) -> WorkspaceTarget:
    """The target of a request in the words of the workspace. Raises ``InvalidRequestError``."""
    line = params.position.line + 1 if params.position else None
    if params.uri is None:
        return engine.working_set.target(params.path or "", params.symbol, line)
    file = to_path(params.uri)
    path = engine.relative(file) if file else None
    if path is None:
        raise InvalidRequestError("uri", "a file or folder inside the workspace", params.uri)
    # The name may hold a # of its own, which begins no symbol here.
    return engine.working_set.target_of(path, params.symbol, line)
