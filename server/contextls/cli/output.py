"""Prints for all commands: data to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import typer

from contextls.errors import ContextlsError, InvalidRequestError
from contextls.regex import compile_late
from contextls.text.gate import CleanText, clean, clean_json
from contextls.text.gated_stream import gate_standard_error
from contextls.wire import to_wire

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import IO

    from rich.console import RenderableType
    from rich.text import Text

_CONTROL_PICTURES = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)} | {
    0x7F: 0x2421,
    **dict.fromkeys((*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), 0xFFFD),
}
_TABLE_COLUMNS = 60
_WORD = compile_late("[a-z][a-z_]{2,}")

# The engine names request fields as they are on the wire; a user of the command line typed these.
_TYPED_AS: Mapping[str, str] = {
    "query": "QUERY",
    "maxTokens": "--budget",
    "changes": "--changes",
    "archetype": "--archetype",
    "strategy": "--archetype",
    "tokenizer": "--tokenizer",
    "filters.paths": "--path",
    "scope": "--scope",
    "types": "--type",
    "language": "--language",
    "workerTask": "--task",
    "shape": "--shape",
    "position": "--file/--line",
    "what": "WHAT",
    "listed": "--stdin",
    "changed": "--changed",
    "ignore": "--ignore",
    "splitTokens": "--split",
    "limit": "--limit",
    "path": "PATH",
    "conversationId": "ID",
    "nodeId": "NODE",
    "keepTurns": "--keep",
    "target": "--to",
    "symbol": "SYMBOL",
    "source": "ID",
    "goal": "GOAL",
    "id": "ID",
    "updates[0].why": "--why",
    "updates[0].path": "PATH",
    "priority": "--priority",
    "content": "FILE",
    "content.exitCode": "--exit-code",
    "content.command": "--command",
    "content.message": "--message",
    "content.path": "--path",
    "content.line": "--line",
    "content.durationMs": "--duration-ms",
    "timestamp": "--at-ms",
}


def prepare_streams() -> None:
    """Make both streams UTF-8, whatever the locale; what UTF-8 cannot say (odd file names) is escaped.

    From here on no secret gets to standard error; to standard output only ``emit`` writes.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    gate_standard_error()


def emit(text: str) -> None:
    """Write ``text``, without its secrets, and a line end to standard output at once.

    Ends the command quietly with status 0 when the reader has gone (``| head``). Raises ``OSError``.
    """
    try:
        sys.stdout.write(clean(text))
        sys.stdout.write("" if text.endswith("\n") else "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        lead_nowhere(sys.stdout)
        raise typer.Exit(0) from None
    except OSError as error:
        lead_nowhere(sys.stdout)
        raise OSError(error.errno, error.strerror, "standard output") from None


def lead_nowhere(stream: IO[Any]) -> None:
    """Let what ``stream`` still holds be lost quietly: Python would try to write it again as it ends, and fail."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)


def emit_json(value: Any) -> None:  # noqa: ANN401 - whatever to_wire takes
    """Write plain data as indented JSON, with the names that the wire uses."""
    emit(json_text(to_wire(value), indent=2))


def json_text(value: Any, indent: int | None = None) -> CleanText:  # noqa: ANN401 - any JSON value
    """``value`` as JSON, with no secret in any of its strings."""
    return CleanText(json.dumps(clean_json(value), ensure_ascii=False, indent=indent))


def yaml_text(value: Any) -> CleanText:  # noqa: ANN401 - any JSON value
    """``value`` as YAML that every reader reads as it was, with no secret in any of its strings."""
    import yaml

    class Dumper(yaml.SafeDumper):
        pass

    def represent(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        # In double quotes every reader takes 1e3, y and the rarer line breaks for what they are.
        style = None if _WORD.fullmatch(text) else '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style=style)

    Dumper.add_representer(str, represent)
    Dumper.add_multi_representer(str, represent)
    written = yaml.dump(
        clean_json(value), Dumper=Dumper, allow_unicode=True, sort_keys=False, width=float("inf")
    )
    return CleanText(written)


def emit_text(text: str) -> None:
    """Write text that came out of a workspace; on a terminal its control characters are shown, not obeyed."""
    emit(CleanText(printable(clean(text))) if sys.stdout.isatty() else text)


def emit_rich(renderable: RenderableType) -> None:
    """Write a rich renderable for the terminal that standard output is."""
    from rich.console import Console
    from rich.segment import Segment

    class PrintableConsole(Console):
        """Shows what a workspace put into a text, such as the name of a file, and does nothing of what it asks for."""

        def render(self, *arguments: Any, **options: Any) -> Iterable[Segment]:  # noqa: ANN401 - rich's own
            for each in super().render(*arguments, **options):
                yield each if each.control else Segment(printable(each.text), each.style)

    size = get_terminal_size()  # rich takes any terminal that is called dumb for one of 80 columns
    console = PrintableConsole(file=sys.stdout, width=size.columns, height=size.lines)
    with console.capture() as captured:
        console.print(renderable)
    emit(captured.get())


def emit_rows(titles: Sequence[str], rows: Iterable[Sequence[tuple[str, str]]]) -> None:
    """Write rows of texts and their styles: as a table where a person reads with room for one, else with tabs between."""
    if not _has_table_room():
        for row in rows:
            emit("\t".join(text for text, _ in row))
        return
    from rich import box
    from rich.table import Table

    table = Table(*titles, box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*(cell(text, style) for text, style in row))
    emit_rich(table)


def cell(text: str, style: str = "") -> Text:
    """``text`` in a table that never cuts it, as half a path leads nowhere; cleaned before a line break parts a secret."""
    from rich.text import Text

    return Text(clean(text), style, overflow="fold")


def send_to_terminal(control: str) -> bool:
    """Send a control sequence, which shows nothing, to the terminal; whether there is one.

    Past the gate, which would take what is encoded for a secret: a text is cleaned before it is encoded.
    """
    for stream in (sys.stderr, sys.stdout):
        if stream.isatty():
            stream.flush()
            os.write(stream.fileno(), control.encode("ascii"))
            return True
    return False


def note(message: str) -> None:
    """One line for the person at the terminal, on standard error."""
    typer.echo(printable(clean(message)), err=True)


@cache
def warn(message: str) -> None:
    """Say on standard error that something is wrong, once for a command: ``cache_clear`` begins the next."""
    note(f"warning: {message}")


def complain(error: Exception) -> None:
    """Say in one line on standard error what was wrong."""
    message = str(error) or type(error).__name__
    if isinstance(error, InvalidRequestError) and error.field in _TYPED_AS:
        message = _TYPED_AS[error.field] + message.removeprefix(error.field)
    if isinstance(error, OSError) and not isinstance(error, ContextlsError):
        message = f"{error.filename}: {error.strerror}" if error.filename else (error.strerror or message)
    note(f"contextls: {' '.join(message.splitlines())}")


def has_colour() -> bool:
    """Whether standard output is a terminal whose user wants colours."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _has_table_room() -> bool:
    """Whether standard output is a terminal that a table fits in: in a narrower one each word would be cut to a sign."""
    return sys.stdout.isatty() and get_terminal_size().columns >= _TABLE_COLUMNS


def printable(text: str) -> str:
    """``text`` with control characters, those that turn text around included, made visible; but for tab and line end."""
    return text.translate(_CONTROL_PICTURES)


def one_line(text: str) -> str:
    """``printable`` of a name that a list has in one line: a line end in it would begin another row."""
    return printable(text).replace("\n", "\N{SYMBOL FOR LINE FEED}")


def count(number: int, noun: str) -> str:
    """``1 file``, ``2,000 files``."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"
