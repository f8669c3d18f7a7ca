"""``contextls search``: the chunks that answer a question, or many questions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.asking import SearchQuestion, scope_from
from contextls.cli.arguments import asked_scope, read_query
from contextls.cli.batch import answer_all, queries_in
from contextls.cli.indexing import note_missing, refresh, refresh_in_time
from contextls.cli.nothing_found import end_with_nothing
from contextls.cli.options import Json, NoIndex, NoScope, Root, Scope
from contextls.cli.output import emit, emit_json, emit_rich, note, one_line, printable
from contextls.cli.running_session import ask_session
from contextls.cli.session import open_engine
from contextls.cli.user_settings import user_settings

if TYPE_CHECKING:
    from rich.console import RenderableType

    from contextls.model import SearchHit, SearchResult

EXAMPLES = (
    'contextls search "where are routes registered"',
    'contextls search "retry with backoff" ~/src/app --limit 3 --json',
    "contextls search --batch queries.jsonl --limit 50 ~/src/app",
)
_SNIPPET_LINES = 8


def search(
    query: Annotated[
        str | None,
        typer.Argument(metavar="QUERY", help="The question, in words or names; - is standard input."),
    ] = None,
    root: Root = Path(),
    limit: Annotated[int, typer.Option(min=1, help="At most this many chunks.")] = 10,
    as_json: Json = False,
    scope: Scope = None,
    no_scope: NoScope = False,
    batch: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='Answer every line {"query": "..."} of FILE (- is standard input), one JSON line each: '
            '{"query", "results": [[path, start line, end line], ...], "ms"}.',
        ),
    ] = None,
    no_index: NoIndex = False,
) -> None:
    """Find chunks that answer a question.

    The best come first. With --batch, many questions are answered in one go.
    """
    if batch is not None:
        if query is not None and root != Path():
            raise typer.BadParameter("with --batch the only argument is ROOT", param_hint="QUERY")
        queries = queries_in(batch)
        if str(batch) != "-":
            queries = iter(list(queries))  # what is wrong in it is said before anything is done
        with open_engine(root if query is None else Path(query)) as engine:
            if not no_index:
                refresh(engine)
            asked = scope_from(engine, Path.cwd(), asked_scope(scope, none=no_scope))
            answer_all(engine, queries, limit, asked)
        return
    if query is None:
        raise typer.BadParameter("name a question, or give --batch FILE", param_hint="QUERY")
    query = read_query(query)
    question = SearchQuestion(
        query=query, here=str(Path.cwd()), limit=limit, scope=asked_scope(scope, none=no_scope)
    )
    found = _find(question, root, no_index=no_index)
    _tell(found, as_json=as_json)
    if not found.hits:
        end_with_nothing(root)


def _find(question: SearchQuestion, root: Path, *, no_index: bool) -> SearchResult:
    from contextls.model import SearchResult

    found = ask_session(SearchResult, root, question, index=not no_index)
    if found is not None:
        return found
    with open_engine(root) as engine:
        if not no_index:
            refresh_in_time(engine)
        return question.answer(engine, user_settings())


def _tell(result: SearchResult, *, as_json: bool) -> None:
    if not result.index_complete:
        note_missing(result.index_extent)
    if as_json:
        emit_json(result)
    else:
        for position, hit in enumerate(result.hits):
            _show(hit, first=position == 0)
    if result.scope:
        note(f"scope: only {', '.join(result.scope)}; --no-scope searches everything")


def _show(hit: SearchHit, *, first: bool) -> None:
    if sys.stdout.isatty():
        emit_rich(_for_terminal(hit))
        return
    lines = "\n".join(f"    {line}" for line in _snippet(hit))
    heading = f"{_place(hit)}  {_name(hit)}"
    emit(f"{heading}\n{lines}" if first else f"\n{heading}\n{lines}")


def _for_terminal(hit: SearchHit) -> RenderableType:
    from rich.console import Group
    from rich.syntax import Syntax
    from rich.text import Text

    heading = Text.assemble((_place(hit), "bold cyan"), "  ", (_name(hit), "bold"), f"  {hit.score:.3f}")
    snippet = "\n".join(_snippet(hit))
    lexer = Syntax.guess_lexer(hit.path, snippet)
    code = Syntax(
        printable(snippet),
        lexer,
        theme="ansi_dark",
        line_numbers=True,
        start_line=hit.start_line,
        background_color="default",
    )
    return Group(heading, code, Text())


def _place(hit: SearchHit) -> str:
    return f"{one_line(hit.path)}:{hit.start_line}-{hit.end_line}"


def _name(hit: SearchHit) -> str:
    return f"{hit.kind} {hit.symbol}".rstrip()


def _snippet(hit: SearchHit) -> list[str]:
    lines = hit.text.splitlines()
    return lines if len(lines) <= _SNIPPET_LINES else [*lines[: _SNIPPET_LINES - 1], "…"]
