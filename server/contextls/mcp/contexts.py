"""Contexts: a question, or changes to review, become the best context that fits the client's limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from contextls.engine.bounds import check_query
from contextls.errors import InvalidRequestError
from contextls.mcp.answers import ContextAnswer, Piece
from contextls.model import AssembleRequest, EditorPosition, Filters

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.mcp.budget import Budget
    from contextls.mcp.call import Call
    from contextls.mcp.params import AssembleContext, ReviewChanges
    from contextls.model import Context

_REVIEW = "review my changes"
_MIN_TOKENS = 100


async def assemble(call: Call, params: AssembleContext) -> ContextAnswer:
    """The context for a question."""
    check_query(params.query)
    request = AssembleRequest(
        query=params.query,
        other_words=params.other_words,
        archetype=params.strategy.value,
        filters=Filters(paths=params.paths),
        scope=params.scope,
        task_line=False,
    )
    position = None
    if params.file is not None:
        selected = params.end_line is not None
        position = EditorPosition(params.file, params.line, params.end_line or params.line, selected)
    return await answer_request(call, request, params.root, params.cursor, position)


async def review(call: Call, params: ReviewChanges) -> ContextAnswer:
    """The changes that are asked for with the code that they touch, who uses it and what tests it."""
    request = AssembleRequest(
        query=params.query or _REVIEW,
        archetype="review",
        changes=params.changes,
        scope=params.scope,
        task_line=False,
    )
    return await answer_request(call, request, params.root, params.cursor)


async def answer_request(
    call: Call,
    request: AssembleRequest,
    root: str | None = None,
    cursor: str | None = None,
    position: EditorPosition | None = None,
) -> ContextAnswer:
    """The context for a request within the budget of the call, less what earlier pages have shown."""
    shown = call.continuations.find(cursor)
    workspace, warnings = await call.indexed(root)
    tokenizer = call.live.settings.tokenizer

    def ask(engine: Engine) -> tuple[ContextAnswer, Context]:
        asked = replace(
            request,
            tokenizer=tokenizer,
            filters=replace(request.filters, exclude=shown),
            position=position and replace(position, path=_inside(engine, position.path)),
        )
        return _assemble(engine, asked, call.budget, warnings)

    answer, context = await workspace.ask(ask)
    fresh = tuple(one.source for one in context.components if one.source not in shown)
    if fresh and context.id and any(one.reason in ("budget", "limit") for one in context.report.omitted):
        call.continuations.keep(context.id, (*shown, *fresh))
        return replace(answer, next_cursor=context.id)
    return answer


def _assemble(
    engine: Engine, request: AssembleRequest, budget: Budget, warnings: tuple[str, ...]
) -> tuple[ContextAnswer, Context]:
    """The answer within the budget, also with a cursor, and the context that it is made of."""

    def ask(tokens: int) -> tuple[ContextAnswer, Context]:
        context = engine.assemble(replace(request, max_tokens=tokens))
        return _describe(context, warnings), context

    return budget.ask_within(ask, lambda found: [replace(found[0], next_cursor=found[1].id)], _MIN_TOKENS)


def _describe(context: Context, warnings: tuple[str, ...]) -> ContextAnswer:
    complete = context.report.index_complete
    return ContextAnswer(
        content=context.content,
        confidence=round(context.confidence, 2),
        pieces=tuple(Piece(one.source, one.why) for one in context.components),
        index_complete=complete,
        warnings=(*context.report.warnings, *(() if complete else warnings)),
        next_cursor=None,
    )


def _inside(engine: Engine, path: str) -> str:
    inside = engine.relative(engine.root / path)
    if inside is None:
        raise InvalidRequestError("file", "a file inside the workspace folder", path)
    return inside
