"""``contextls assemble``: the best prompt for a question that fits a token budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.cli.options import Json, NoIndex, Root
from contextls.cli.output import count, emit_json, emit_text, note
from contextls.cli.session import open_engine, refresh, workspace_path
from contextls.model import AssembleRequest, Changes, EditorPosition, Filters
from contextls.settings import user_settings

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.model import Context

EXAMPLES = (
    'contextls assemble "how does a request reach its handler?"',
    'contextls assemble "why does login fail?" ~/src/app --budget 8000 --archetype debug',
    'contextls assemble "review my changes" --changes staged --archetype review',
    'contextls assemble "what does this do?" --file src/app.py --line 120 --json | jq .tokenCount',
)


def assemble(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The question.", show_default=False)],
    root: Root = Path(),
    budget: Annotated[
        int | None,
        typer.Option(help="The most tokens the prompt may have.", show_default="the setting, 4000"),
    ] = None,
    as_json: Json = False,
    archetype: Annotated[
        str, typer.Option(help="The strategy: code, debug, explain, review or write.")
    ] = "code",
    tokenizer: Annotated[
        str | None,
        typer.Option(
            help="Encoding or model whose tokens are counted.", show_default="the setting, o200k_base"
        ),
    ] = None,
    file: Annotated[Path | None, typer.Option(help="The file that is open in front of you.")] = None,
    line: Annotated[int | None, typer.Option(min=1, help="The line the cursor is on; needs --file.")] = None,
    path: Annotated[
        list[str] | None,
        typer.Option(help="Only what speaks of files that match this gitignore pattern; may be repeated."),
    ] = None,
    changes: Annotated[
        Changes | None,
        typer.Option(help="Uncommitted changes that lead the prompt, as for a review.", show_default=False),
    ] = None,
    no_index: NoIndex = False,
) -> None:
    """Print the best prompt for a question.

    The prompt never has more tokens than --budget. Figures and warnings go to standard error.
    """
    if line is not None and file is None:
        raise typer.BadParameter("give --file as well", param_hint="--line")
    with open_engine(root) as engine:
        request = AssembleRequest(
            query=query,
            max_tokens=user_settings().max_tokens if budget is None else budget,
            archetype=archetype,
            tokenizer=tokenizer,
            filters=Filters(paths=tuple(path or ())),
            position=None if file is None else _position(engine, file, line),
            changes=changes,
        )
        if not no_index:
            refresh(engine)
        context = engine.assemble(request)
    if as_json:
        emit_json(context)
    else:
        emit_text(context.content)
    _tell(context, request.max_tokens)
    if not context.components:
        note("nothing found")
        raise typer.Exit(1)


def _position(engine: Engine, file: Path, line: int | None) -> EditorPosition:
    return EditorPosition(workspace_path(engine, file, "--file"), line, line)


def _tell(context: Context, budget: int) -> None:
    for warning in context.report.warnings:
        note(f"warning: {warning}")
    if not context.report.index_complete:
        note("the index is not complete; there may be better answers")
    figures = context.metadata
    note(
        f"{context.token_count:,} of {budget:,} tokens ({context.report.tokenizer}), "
        f"{count(figures.chunks_searched, 'chunk')} searched, {figures.assembly_time_ms:.0f} ms"
    )
