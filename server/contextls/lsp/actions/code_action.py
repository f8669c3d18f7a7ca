"""``textDocument/codeAction``: the one action that is worth offering at a place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from msgspec import Struct

from contextls.errors import ContextlsError
from contextls.lsp.actions import copy_for_problem, copy_for_symbol
from contextls.lsp.commands import COPY_CONTEXT
from contextls.lsp.problems import OUR_SOURCE, to_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contextls.engine import Engine
    from contextls.live.workspace import Workspace
    from contextls.lsp.actions.offer import ActionOffer
    from contextls.lsp.server import ContextServer

OPTIONS = types.CodeActionOptions(code_action_kinds=[copy_for_problem.KIND, copy_for_symbol.KIND])


class _Wanted(Struct, frozen=True):
    """The kinds that a client asked for; all of them when it named none."""

    only: tuple[str, ...] | None

    def covers(self, kind: str) -> bool:
        """Whether an action of this kind may be offered: kinds form a tree, parted by dots."""
        if self.only is None:
            return True
        return any(kind == parent or parent == "" or kind.startswith(parent + ".") for parent in self.only)


async def answer_code_action(
    ls: ContextServer, params: types.CodeActionParams
) -> list[types.Command | types.CodeAction]:
    """At most one action at the cursor or selection of an open document that a workspace does not keep out.

    An editor that asks by itself shows a sign for every answer, so it is offered only what is worth one: a problem, a
    selection, the name of what is defined there. People who ask get it for every name.
    """
    document = ls.documents.get(params.text_document.uri)
    path = document.path if document else None
    workspace = ls.workspaces.containing(path)
    if document is None or path is None or workspace is None:
        return []
    ls.live.attention.turn_to(path)
    others = (each for each in params.context.diagnostics if each.source != OUR_SOURCE)
    ls.live.problems.mention(path, map(to_problem, others))
    engine = await _open_engine(workspace)
    place = engine.relative(path) if engine else None
    if engine is None or place is None or not engine.shows(place):
        return []
    only = params.context.only
    wanted = _Wanted(None if only is None else tuple(str(getattr(kind, "value", kind)) for kind in only))
    unasked = params.context.trigger_kind == types.CodeActionTriggerKind.Automatic

    def is_worth_it(name: str, line: str) -> bool:
        return not unasked or engine.defines(place, name, line)

    problems = copy_for_problem.offer_problems(document, params.context.diagnostics, place)
    selection = copy_for_symbol.offer_selection(document, params.range)
    name = copy_for_symbol.offer_name(document, params.range, is_worth_it)
    order = (
        (selection, problems) if _exceeds(params.range, params.context.diagnostics) else (problems, selection)
    )
    offer = next((each for each in (*order, name) if each and wanted.covers(each.kind)), None)
    return [] if offer is None else [_render_offer(offer, params, literal=ls.client.takes_code_actions)]


async def _open_engine(workspace: Workspace) -> Engine | None:
    """The engine, which knows what is kept out; ``None`` where it cannot be opened: nothing is copied then either."""
    try:
        return await workspace.engine()
    except ContextlsError:
        return None


def _exceeds(span: types.Range, diagnostics: Sequence[types.Diagnostic]) -> bool:
    """Whether the user selected more than a problem: editors give the range of a problem as if it were selected."""
    start, end = sorted((_key(span.start), _key(span.end)))
    return start != end and not any(
        _key(each.range.start) <= start and end <= _key(each.range.end) for each in diagnostics
    )


def _key(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def _render_offer(
    offer: ActionOffer, params: types.CodeActionParams, *, literal: bool
) -> types.Command | types.CodeAction:
    (line, character), (end_line, end_character) = sorted((_key(offer.range.start), _key(offer.range.end)))
    argument: dict[str, Any] = {
        "query": offer.query,
        "task": offer.task,
        "uri": params.text_document.uri,
        "range": {
            "start": {"line": line, "character": character},
            "end": {"line": end_line, "character": end_character},
        },
    }
    command = types.Command(title=offer.title, command=COPY_CONTEXT, arguments=[argument])
    if not literal:
        return command
    return types.CodeAction(
        title=offer.title, kind=offer.kind, command=command, diagnostics=list(offer.diagnostics) or None
    )
