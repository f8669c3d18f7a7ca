"""``contextls assemble``: the best prompt for a question that fits a token budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from contextls.asking import PromptQuestion
from contextls.cli.arguments import asked_scope, read_query
from contextls.cli.context_output import copy_context, explain_context, note_figures, write_context
from contextls.cli.indexing import refresh_in_time
from contextls.cli.nothing_found import end_with_nothing
from contextls.cli.options import Json, NoIndex, NoScope, Root, Scope, Tokenizer, parse_tokens
from contextls.cli.output import emit, emit_json, emit_text
from contextls.cli.report_text import ReportFormat, write_report
from contextls.cli.running_session import ask_session
from contextls.cli.session import open_engine
from contextls.cli.turn_options import read_turn, warn_of_unused
from contextls.cli.user_settings import user_settings
from contextls.errors import InvalidRequestError
from contextls.model import (
    DEFAULT_ARCHETYPE,
    AgentRole,
    Changes,
    InjectionFormat,
    InjectionPosition,
    Shape,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contextls.engine import Engine
    from contextls.model import AssembleRequest, Context, TurnOptions

_ONE_TEXT = (Shape.MARKDOWN, Shape.TAGGED)
EXAMPLES = (
    'contextls assemble "how does a request reach its handler?"',
    'contextls assemble "why does login fail?" ~/src/app --budget 8k --archetype debug',
    'contextls assemble "review my changes" --changes staged --archetype review',
    'contextls assemble "review this branch" --changes main --archetype review --budget 16k',
    'contextls assemble "where are retries handled?" --copy',
    "make 2>&1 | contextls assemble -",
    'contextls assemble "what throws old entries away?" --other-words "evict expire LruCache"',
    'contextls assemble "what does this do?" --file src/app.py --line 120 --json | jq .tokenCount',
    'contextls assemble "how are fines computed?" --shape tagged --trust --report yaml',
    'contextls assemble "and the tests?" --shape messages --history chat.json --model gpt-4o --trust --explain',
)


def assemble(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="The question; - is standard input.", show_default=False)
    ],
    root: Root = Path(),
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            "--max-tokens",
            parser=parse_tokens,
            metavar="N",
            help="The most tokens the prompt may have, such as 4000 or 4k; of messages, what is retrieved.",
            show_default="the setting, 4000",
        ),
    ] = None,
    as_json: Json = False,
    archetype: Annotated[
        str, typer.Option(help="The strategy: code, debug, explain, review or write.")
    ] = DEFAULT_ARCHETYPE,
    tokenizer: Tokenizer = None,
    file: Annotated[Path | None, typer.Option(help="The file that is open in front of you.")] = None,
    line: Annotated[int | None, typer.Option(min=1, help="The line the cursor is on; needs --file.")] = None,
    path: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="Only what speaks of files that match this gitignore pattern; may be repeated.",
        ),
    ] = None,
    with_root: Annotated[
        list[Path] | None,
        typer.Option(
            "--with-root",
            metavar="ROOT",
            help="Another workspace that answers as well, within the same budget; may be repeated.",
            show_default=False,
        ),
    ] = None,
    dependencies: Annotated[
        bool,
        typer.Option("--dependencies", help="Draw on installed packages that the question names as well."),
    ] = False,
    scope: Scope = None,
    no_scope: NoScope = False,
    other_words: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="Words and names that the code may have for what the question says otherwise, with spaces between.",
            show_default=False,
        ),
    ] = None,
    changes: Annotated[
        str | None,
        typer.Option(
            metavar="staged|unstaged|all|BRANCH",
            help="Changes that lead the prompt, as for a review; of a branch, those since you left it.",
            autocompletion=lambda: list(Changes),
            show_default=False,
        ),
    ] = None,
    shape: Annotated[
        Shape, typer.Option(help="The form: one text, plain or in tags by role; messages, or a document.")
    ] = Shape.MARKDOWN,
    history: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The messages before this one: a file of JSON, - for standard input."
        ),
    ] = None,
    conversation: Annotated[
        str | None,
        typer.Option(
            help="A stored conversation that goes before this message (see contextls chat).",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The model whose window is divided.", show_default=False)
    ] = None,
    role: Annotated[AgentRole, typer.Option(help="What the model is in this turn.")] = AgentRole.UNIFIED,
    task: Annotated[str | None, typer.Option(help="What a worker is to do.", show_default=False)] = None,
    inject: Annotated[
        InjectionPosition | None,
        typer.Option(
            help="Where retrieved pieces stand.", show_default="after_history; before_history in a document"
        ),
    ] = None,
    inject_format: Annotated[
        InjectionFormat,
        typer.Option("--format", help="How retrieved pieces are written in messages and documents."),
    ] = InjectionFormat.RAW,
    buffer: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Text that ends a document: a file, - for standard input."),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Trust this folder: its rules files go into the system prompt.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Instead of the prompt, show what is in it and what is not.")
    ] = False,
    report: Annotated[
        ReportFormat | None,
        typer.Option(
            "--report",
            help="Instead of the prompt, print its account: budget, what is in it, what is not and why.",
            show_default=False,
        ),
    ] = None,
    copy: Annotated[
        bool, typer.Option("--copy", "-c", help="Put the prompt on the clipboard instead of printing it.")
    ] = False,
    no_index: NoIndex = False,
) -> None:
    """Print the best prompt for a question.

    The prompt never has more tokens than --budget. Figures and warnings go to standard error.
    """
    if line is not None and file is None:
        raise typer.BadParameter("give --file as well", param_hint="--line")
    query = read_query(query)
    output = _Output(as_json, explain, report, copy)
    output.check()
    given = {
        "--role": role is not AgentRole.UNIFIED,
        "--task": task is not None,
        "--inject": inject is not None,
        "--format": inject_format is not InjectionFormat.RAW,
        "--buffer": buffer is not None,
        "--dependencies": dependencies,
        "--trust": trust,
    }
    warn_of_unused([option for option, is_given in given.items() if is_given], shape)
    turn = read_turn(
        shape,
        history=history,
        conversation=conversation,
        model=model,
        role=role,
        task=task,
        inject=inject,
        inject_format=inject_format,
        buffer=buffer,
    )
    question = PromptQuestion(
        query=query,
        other_words=tuple((other_words or "").split()),
        here=str(Path.cwd()),
        max_tokens=budget,
        archetype=archetype,
        tokenizer=tokenizer,
        file=None if file is None else str(file),
        line=line,
        paths=tuple(path or ()),
        changes=changes,
        dependencies=dependencies,
        scope=asked_scope(scope, none=no_scope),
    )
    context = _ask(root, question, turn, with_root or (), trust=trust, index=not no_index)
    output.write(context)
    if shape in _ONE_TEXT and not context.components:
        end_with_nothing(root)


class _Output(Struct, frozen=True):
    """The part of a context that is printed or copied."""

    as_json: bool
    explain: bool
    report: ReportFormat | None
    copy: bool

    def check(self) -> None:
        """At most one thing is printed instead of the prompt, and only the prompt is copied."""
        instead = {"--json": self.as_json, "--explain": self.explain, "--report": self.report is not None}
        chosen = [name for name, given in instead.items() if given]
        if self.copy and chosen:
            raise typer.BadParameter(
                "it copies the prompt, not --json, --explain nor --report", param_hint="--copy"
            )
        if len(chosen) > 1:
            raise typer.BadParameter(f"either this or {chosen[1]}", param_hint=chosen[0])

    def write(self, context: Context) -> None:
        """Print it, and the figures after it unless they are what was asked for."""
        if self.as_json:
            emit_json(context)
        elif self.explain:
            explain_context(context)
        elif self.report is not None and context.report.assembly is not None:
            emit(write_report(context.report.assembly, self.report))
        elif self.copy:
            copy_context(context)
        else:
            emit_text(write_context(context))
        if not self.explain:
            note_figures(context)


def _ask(
    root: Path,
    question: PromptQuestion,
    turn: TurnOptions | None,
    others: Sequence[Path],
    *,
    trust: bool,
    index: bool,
) -> Context:
    """The answer of a process that has the workspace open, or of an engine opened for this question."""
    from contextls.model import Context

    answered = None if turn or others else ask_session(Context, root, question, index=index)
    if answered is not None:
        return answered
    with open_engine(root) as engine:
        request = question.request(engine, user_settings())
        if index:
            refresh_in_time(engine)
        if trust:
            engine.set_trust(True)
        return _assemble(engine, request, turn, others, index=index)


def _assemble(
    engine: Engine, request: AssembleRequest, turn: TurnOptions | None, others: Sequence[Path], *, index: bool
) -> Context:
    if others:
        if turn is not None and not turn.is_plain:
            raise typer.BadParameter("it is for one text without a history", param_hint="--with-root")
        from contextls.cli.several_workspaces import assemble_together

        return assemble_together(engine, others, request, turn, user_settings(), index=index)
    if turn is None:
        return engine.assemble(request)
    return _assemble_turn(engine, request, turn)


def _assemble_turn(engine: Engine, request: AssembleRequest, turn: TurnOptions) -> Context:
    from contextls.model import TurnRequest

    asked = TurnRequest(request, turn)
    try:
        return engine.follow_up(asked) if turn.shape in _ONE_TEXT else engine.assemble_turn(asked)
    except InvalidRequestError as error:
        if error.field != "conversationId":
            raise
        raise InvalidRequestError("--conversation", error.expected, error.got) from None
