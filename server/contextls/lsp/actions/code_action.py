"""``textDocument/codeAction``: asks each kind of action what it has to offer at a place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from contextls.lsp.actions import copy_for_problem, copy_for_symbol
from contextls.lsp.commands import copy_context
from contextls.lsp.problems import to_problem

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.lsp.actions.offer import Offer
    from contextls.lsp.server import ContextServer

OPTIONS = types.CodeActionOptions(code_action_kinds=[copy_for_problem.KIND, copy_for_symbol.KIND])


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The kinds that a client asked for; all of them when it named none."""

    only: tuple[str, ...] | None

    def covers(self, kind: str) -> bool:
        """Whether an action of this kind may be offered: kinds form a tree, parted by dots."""
        if self.only is None:
            return True
        return any(kind == parent or parent == "" or kind.startswith(parent + ".") for parent in self.only)


def handle(ls: ContextServer, params: types.CodeActionParams) -> list[types.Command | types.CodeAction]:
    """The actions at the cursor or selection of an open document that lies in a workspace."""
    document = ls.documents.get(params.text_document.uri)
    workspace = ls.workspaces.containing(document.path) if document else None
    if document is None or workspace is None:
        return []
    if document.path is not None:
        ls.live.attention.turn_to(document.path)
        ls.live.problems.mention(document.path, map(to_problem, params.context.diagnostics))
    only = params.context.only
    wanted = _Wanted(None if only is None else tuple(str(getattr(kind, "value", kind)) for kind in only))
    place = _name_file(workspace.root, document.path)
    offers = [*copy_for_problem.offers(document, params, place), *copy_for_symbol.offers(document, params)]
    literal = _understands_literals(ls)
    return [_render_offer(offer, params, literal=literal) for offer in offers if wanted.covers(offer.kind)]


def _render_offer(
    offer: Offer, params: types.CodeActionParams, *, literal: bool
) -> types.Command | types.CodeAction:
    argument: dict[str, Any] = {
        "query": offer.query,
        "task": offer.task,
        "uri": params.text_document.uri,
        "range": {
            "start": {"line": offer.range.start.line, "character": offer.range.start.character},
            "end": {"line": offer.range.end.line, "character": offer.range.end.character},
        },
    }
    command = types.Command(title=offer.title, command=copy_context.COMMAND, arguments=[argument])
    if not literal:
        return command
    return types.CodeAction(
        title=offer.title, kind=offer.kind, command=command, diagnostics=list(offer.diagnostics) or None
    )


def _name_file(root: Path, path: Path | None) -> str:
    """What to call the file of a document that lies below ``root``, perhaps behind a link."""
    if path is None:
        return ""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _understands_literals(ls: ContextServer) -> bool:
    document = ls.client_capabilities.text_document
    action = document.code_action if document else None
    return action is not None and action.code_action_literal_support is not None
