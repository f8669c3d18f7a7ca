"""``contextls chat``: conversations that were kept: look at them, bring them in, give them away, make them smaller."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contextls.cli.arguments import readable
from contextls.cli.confirm import confirm
from contextls.cli.help import HelpGroup
from contextls.cli.local_time import write_time
from contextls.cli.options import Json, RootOption, epilog
from contextls.cli.output import count, emit, emit_json, emit_text, note, warn
from contextls.cli.session import open_engine
from contextls.errors import InvalidRequestError
from contextls.model import ChatFormat
from contextls.text.kept_ends import keep_beginning
from contextls.text.own_words import find_own_words

if TYPE_CHECKING:
    from contextls.model import ChatNode, Conversation, ResultView

Id = Annotated[str, typer.Argument(metavar="ID", help="As in chat list.", show_default=False)]
NodeOption = Annotated[
    str | None, typer.Option("--node", metavar="NODE", help="The end of the path.", show_default="the head")
]
_FORMATS = {"messages": ChatFormat.MESSAGES, "claude-code": ChatFormat.CLAUDE_CODE, "tree": ChatFormat.TREE}
_LINE = 100
_AUTHORS = {"human": "you", "model": "model", "tool": "tool"}

chat = typer.Typer(
    name="chat",
    help="Look at conversations, import and export them, leave parts out, sum up old turns.",
    cls=HelpGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
)


@chat.command(
    "list", epilog=epilog("contextls chat list", "contextls chat list --json | jq '.conversations[0].id'")
)
def list_all(root: RootOption = Path(), as_json: Json = False) -> None:
    """Show every conversation, the one that changed last first."""
    with open_engine(root) as engine:
        found = engine.conversations.list()
    if as_json:
        emit_json({"conversations": found})
    elif found:
        for each in found:
            _print_conversation(each)
    else:
        note("no conversations")


@chat.command("show", epilog=epilog("contextls chat show chat-1", "contextls chat show chat-1 --full | less"))
def show(
    conversation: Id,
    node: NodeOption = None,
    full: Annotated[
        bool, typer.Option("--full", help="Print whole messages, not their first lines.")
    ] = False,
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Show the path through a conversation: one line per node, with what keeps it out of prompts."""
    with open_engine(root) as engine:
        owner = engine.conversations.get(conversation)
        thread = engine.conversations.path(conversation, node)
        history = engine.conversations.history(conversation, node)
        results = engine.conversations.results(conversation)
    if as_json:
        emit_json({"conversation": owner, "thread": thread, "results": results})
        return
    hidden = {each.node_id: each.reason for each in history.excluded} | dict.fromkeys(
        history.summary_of, "summed up"
    )
    for each in thread.nodes:
        _print_node(each, hidden.get(each.id, ""), full=full)
    messages = count(len(history.messages), "message")
    note(
        f"{messages} for a model, {count(history.tokens, 'token')} ({history.tokenizer}){_describe_cache(results)}"
    )


@chat.command(
    "import",
    epilog=epilog(
        "contextls chat import conversation.json",
        "contextls chat import ~/.claude/projects/-home-me-app/4f1c….jsonl",
        "curl -s $URL | contextls chat import - --format messages",
    ),
)
def import_chat(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Messages as JSON, a session of Claude Code, or an exported tree."
        ),
    ],
    kind: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help=f"One of {', '.join(_FORMATS)}.",
            show_default="seen in the file",
        ),
    ] = None,
    title: Annotated[
        str, typer.Option("--title", help="What it is about.", show_default="taken from it")
    ] = "",
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Read a conversation of another program into a new one; secrets are redacted."""
    with readable(file, "FILE") as source:
        text = source.read().decode("utf-8", "replace")
    with open_engine(root) as engine:
        done = engine.conversations.import_chat(
            text, _format(kind), name="" if str(file) == "-" else file.name, title=title
        )
    if as_json:
        emit_json(done)
        return
    emit(done.conversation.id)
    note(f"{count(done.nodes, 'node')}: {done.conversation.title}")
    for warning in done.warnings:
        warn(warning)


@chat.command(
    "export",
    epilog=epilog(
        "contextls chat export chat-1 > messages.json", "contextls chat export chat-1 --format tree"
    ),
)
def export_chat(
    conversation: Id,
    kind: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="messages: what a model sees; tree: everything.")
    ] = "messages",
    node: NodeOption = None,
    root: RootOption = Path(),
) -> None:
    """Print a conversation as JSON."""
    if kind not in (ChatFormat.MESSAGES, ChatFormat.TREE):
        raise InvalidRequestError("--format", "messages or tree", kind)
    chosen = ChatFormat(kind)
    with open_engine(root) as engine:
        emit(engine.conversations.export_chat(conversation, chosen, node))


@chat.command(
    "exclude",
    epilog=epilog("contextls chat exclude chat-1 node-7", "contextls chat exclude chat-1 node-7 --undo"),
)
def exclude(
    conversation: Id,
    node: Annotated[str, typer.Argument(metavar="NODE", help="As in chat show.", show_default=False)],
    undo: Annotated[bool, typer.Option("--undo", help="Take it back in.")] = False,
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Leave a node out of every prompt; it stays in the conversation."""
    with open_engine(root) as engine:
        changed = engine.conversations.mark(conversation, node, excluded=not undo)
        tokens = engine.conversations.history(conversation).tokens
    if as_json:
        emit_json(changed)
    else:
        note(f"{node} is {'back in' if undo else 'left out'}; the history takes {count(tokens, 'token')} now")


@chat.command(
    "compact",
    epilog=epilog(
        "contextls chat compact chat-1", "contextls chat compact chat-1 --to 8000 --summary notes.md"
    ),
)
def compact(
    conversation: Id,
    target: Annotated[
        int | None,
        typer.Option(
            "--to", min=1, metavar="TOKENS", help="What the history may take.", show_default="60 % of now"
        ),
    ] = None,
    keep: Annotated[
        int | None,
        typer.Option(
            "--keep", min=1, metavar="TURNS", help="Newest turns that stay whole.", show_default="setting: 3"
        ),
    ] = None,
    summary: Annotated[
        Path | None, typer.Option("--summary", metavar="FILE", help="Your own summary of what goes.")
    ] = None,
    node: NodeOption = None,
    root: RootOption = Path(),
    as_json: Json = False,
) -> None:
    """Put a summary in place of old turns; nothing is deleted."""
    with open_engine(root) as engine:
        done = engine.conversations.compact(
            conversation, node, target=target, keep_turns=keep, summary=_summary(summary)
        )
    if as_json:
        emit_json(done)
        return
    emit_text(done.summary)
    note(f"{done.node_id}: {done.tokens_before:,} → {count(done.tokens_after, 'token')}")
    for warning in done.warnings:
        warn(warning)


@chat.command("delete", epilog=epilog("contextls chat delete chat-1 --yes"))
def delete(
    conversation: Id,
    root: RootOption = Path(),
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a conversation with everything that was said in it; clear --conversations deletes all."""
    with open_engine(root) as engine:
        owner = engine.conversations.get(conversation)
        if not yes:
            confirm(f"Delete {owner.id} ({owner.title})?")
        engine.conversations.delete(conversation)
    note(f"{conversation} deleted")


def _format(given: str | None) -> ChatFormat | None:
    if given is None:
        return None
    if given not in _FORMATS:
        raise InvalidRequestError("--format", f"one of {', '.join(_FORMATS)}", given)
    return _FORMATS[given]


def _summary(file: Path | None) -> str | None:
    if file is None:
        return None
    with readable(file, "--summary") as source:
        return source.read().decode("utf-8", "replace")


def _print_conversation(each: Conversation) -> None:
    """One line; in a pipe with tabs: id, nodes, when it changed, origin, title."""
    when = write_time(each.updated_at)
    if not sys.stdout.isatty():
        emit("\t".join((each.id, str(each.nodes), when, each.origin, each.title)))
        return
    emit_text(f"{each.id:<9} {when}  {count(each.nodes, 'node'):>11}  {each.title}")


def _print_node(node: ChatNode, hidden: str, *, full: bool) -> None:
    """One line, or the whole message; in a pipe with tabs: id, author, state, first line."""
    who = "summary" if node.kind == "compaction" else _AUTHORS[node.author]
    marks = [hidden] if hidden else []
    if node.pinned:
        marks.append("pinned")
    if node.version > 1:
        marks.append(f"version {node.version}")
    state = ", ".join(marks)
    text = node.content or " ".join(f"→ {call.name} {call.arguments}" for call in node.tool_calls)
    if full:
        emit_text(f"── {node.id} · {who}{f' · {state}' if state else ''}\n{text}\n")
        return
    line = keep_beginning(" ".join(find_own_words(text).split()), _LINE)
    if sys.stdout.isatty():
        emit_text(f"{node.id:<9} {who:<8}{line}{f'  [{state}]' if state else ''}")
    else:
        emit("\t".join((node.id, who, state, line)))


def _describe_cache(results: Sequence[ResultView]) -> str:
    """The share of the input that providers read from their caches, in words."""
    reported = [each for each in results if each.cached_share is not None]
    if not reported:
        return ""
    cached = sum(each.usage.cached_input_tokens or 0 for each in reported)
    whole = sum(each.usage.input_tokens or 0 for each in reported)
    return f"; {cached / whole:.0%} of the input came from the provider's cache"
