"""``context/assemble`` and ``context/update``: a question becomes a prompt, and a prompt is brought up to date."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from contextls.errors import InvalidRequestError
from contextls.live.first_index import wait_for_first_index
from contextls.model import DEFAULT_ARCHETYPE, AssembleRequest, EditorPosition, TurnRequest
from contextls.requests.turn import ONE_TEXT
from contextls.requests.uris import to_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.engine.several import Ask
    from contextls.live.workspace import Workspace
    from contextls.lsp.server import ContextServer
    from contextls.model import Context
    from contextls.requests.assemble import UpdateParams
    from contextls.requests.common import Place
    from contextls.requests.turn import AssembleParams
    from contextls.settings import Settings

MAX_URI_CHARS = 200  # that a warning shows


async def handle(ls: ContextServer, params: AssembleParams) -> Context:
    """Answer one question; progress and its cancellation go by the client's own token."""
    task = asyncio.current_task()

    def cancel() -> None:
        if task is not None:
            task.cancel()

    job = ls.jobs.adopt(params.work_done_token, "Assembling context", cancel)
    try:
        return await assemble(ls, params)
    finally:
        job.end()


async def assemble(ls: ContextServer, params: AssembleParams, uri_field: str = "textDocument.uri") -> Context:
    """The context that was asked for, in its shape.

    Raises ``InvalidRequestError``, ``WorkspaceError``, ``ContextLimitError``.
    """
    several = _meant_roots(ls, params)
    asking = _assemble_several(ls, params, several) if several else _assemble_one(ls, params, uri_field)
    context = await asking
    warnings = (*_explain_document(params.place), *params.without_effect)
    return replace(context, report=context.report.with_warnings(warnings)) if warnings else context


def _explain_document(place: Place | None) -> Iterator[str]:
    """The reason why nothing of the document in front of the user can enter a prompt, where it has no place on disk."""
    if place is not None and to_path(place.uri) is None:
        uri = " ".join(place.uri.split())[:MAX_URI_CHARS]
        yield f"{uri} is no file: nothing of it can be shown; send what matters of it as additionalContext"


async def _assemble_one(ls: ContextServer, params: AssembleParams, uri_field: str) -> Context:
    """The context of one workspace."""
    place = params.place
    if place is not None:
        place = replace(place, uri=ls.workspaces.named(place.uri))
    uri = place.uri if place else None
    workspace = ls.workspaces.choose(params.root_uri, uri, uri_field)
    path = to_path(uri) if uri else None
    if path is not None:
        ls.live.open_files.ask_about(path)
    settings = ls.settings
    warning = await wait_for_first_index(workspace)
    context = await workspace.ask(
        lambda engine: _answer(engine, params, settings, _position(engine, place, uri_field))
    )
    warnings = list(_explain_choice(ls, workspace, params.root_uri, path))
    if warning and not context.report.index_complete:
        warnings.append(warning)
    return replace(context, report=context.report.with_warnings(warnings)) if warnings else context


def _explain_choice(
    ls: ContextServer, workspace: Workspace, root_uri: str | None, path: Path | None
) -> Iterator[str]:
    """A note of which folder was asked, where several are open and neither the request nor a document names one."""
    folders = len(list(ls.live.workspaces))
    if folders > 1 and root_uri is None and path is None:
        yield (
            f"only {' '.join(workspace.root.name.split())} was asked, of {folders} open folders; "
            "`rootUri` names another, `roots` or the setting `allFolders` asks all"
        )


async def _assemble_several(
    ls: ContextServer, params: AssembleParams, workspaces: Sequence[Workspace]
) -> Context:
    """One prompt from several folders; the document that the user is in counts in its own."""
    from contextls.engine.model_window import fit_to_model
    from contextls.engine.several import assemble_several, name_roots

    settings = ls.settings
    place = params.place and replace(params.place, uri=ls.workspaces.named(params.place.uri))
    own = ls.workspaces.choose(None, place.uri) if place else None
    warnings = [await wait_for_first_index(workspace) for workspace in workspaces]

    def ask(workspace: Workspace) -> Ask:
        def answer(engine: Engine, request: AssembleRequest, name: str) -> Context:
            position = _position(engine, place, "textDocument.uri") if workspace is own else None
            return engine.assemble_part(replace(request, position=position), name)

        return lambda request, name: workspace.ask(lambda engine: answer(engine, request, name))

    names = name_roots([workspace.root for workspace in workspaces])
    request, notes = fit_to_model(
        _request(params, settings, params.max_tokens or settings.max_tokens, None),
        params.turn,
        params.max_tokens,
        settings,
    )
    asks = {name: ask(workspace) for name, workspace in zip(names, workspaces, strict=True)}
    context = await assemble_several(request, asks, settings.tokenizer)
    if params.dependencies:
        notes = (*notes, "`dependencies` has no effect with several folders")
    return replace(context, report=context.report.with_warnings([*filter(None, warnings), *notes]))


def _meant_roots(ls: ContextServer, params: AssembleParams) -> list[Workspace]:
    """The folders that answer together; none where one answers for itself."""
    roots = params.roots
    if roots is None:
        together = ls.settings.all_folders and params.root_uri is None and params.turn.is_plain
        found = list(ls.live.workspaces) if together else []
        return found if len(found) > 1 else []
    if isinstance(roots, str):
        return list(ls.live.workspaces)
    try:
        return list(dict.fromkeys(ls.workspaces.choose(uri) for uri in roots))
    except InvalidRequestError as error:
        raise InvalidRequestError("roots", error.expected, error.got) from None


async def update(ls: ContextServer, params: UpdateParams) -> Context:
    """Record the event after earlier writes and answer with the context that has it first."""
    workspace = ls.workspaces.choose(params.root_uri)
    event = params.event.event
    return await workspace.change(lambda engine: engine.update(params.context_id, event, params.max_tokens))


def _answer(
    engine: Engine, params: AssembleParams, settings: Settings, position: EditorPosition | None
) -> Context:
    if params.shape in ONE_TEXT:
        question = _request(params, settings, params.max_tokens, position)
        return engine.follow_up(TurnRequest(question, params.turn))
    # ``maxTokens`` bounds all of a turn; what is retrieved has a bound of its own.
    usual = engine.working_set.usual_budget(settings.max_tokens)
    return engine.assemble_turn(TurnRequest(_request(params, settings, usual, position), params.turn))


def _request(
    params: AssembleParams, settings: Settings, max_tokens: int | None, position: EditorPosition | None
) -> AssembleRequest:
    return AssembleRequest(
        query=params.query,
        max_tokens=max_tokens,
        session_id=params.session_id,
        archetype=params.archetype or DEFAULT_ARCHETYPE,
        strategy_overrides=params.strategy_overrides,
        additional_context=params.additional_context,
        filters=params.filters,
        boosts=params.boosts,
        position=position,
        tokenizer=params.tokenizer,
        other_words=params.other_words,
        order=params.order,
        changes=params.changes,
        scope=params.scope,
        dependencies=params.dependencies,
        identity=params.identity,
        permissions_granted=params.permissions_granted,
        task_line=settings.task_line if params.task_line is None else params.task_line,
        task=params.task or "",
    )


def _position(engine: Engine, place: Place | None, uri_field: str) -> EditorPosition | None:
    path = to_path(place.uri) if place else None
    if place is None or path is None:
        return None
    relative = engine.relative(path)
    if relative is None:
        raise InvalidRequestError(
            uri_field, "a document inside the workspace, also after links are resolved", place.uri
        )
    return EditorPosition(relative, place.start_line, place.end_line, place.selected)
