"""Takes the picture of a session for docs/mcp.md: ``python -m tests.mcp.screenshot``.

It is what a client of the official SDK gets from a real server, about a package that others wrote.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from rich.text import Text

from ..pictures import write_picture
from .session import Json, Session, connect
from .test_public_package import make_repository

TARGET = Path(__file__).parents[2] / "docs" / "images" / "mcp-session.svg"
COLUMNS = 110
LINES_OF_CODE = 16


class Picture:
    """The session as it is shown: calls, and of their answers what there is room for."""

    def __init__(self, session: Session) -> None:
        self.text = Text()
        self._session = session

    def call(self, tool: str, /, **arguments: Json) -> dict[str, Json]:
        """Call a tool, and show the call."""
        if self.text:
            self.show("")
        self.show(f"› {tool} {json.dumps(arguments)}", "bold green")
        return self._session.call(tool, **arguments)

    def show(self, line: str, style: str = "") -> None:
        """Show one line, as much of it as there is room for."""
        cut = line if len(line) <= COLUMNS else line[: COLUMNS - 1] + "…"
        self.text.append(cut + "\n", style)


def run(picture: Picture) -> None:
    """What an agent asks that is to mend a failing test."""
    for event in picture.call("recent_activity", since="1h")["events"][:1]:
        picture.show(f"  {event['text']}")
        picture.show(f"  {event['output']}", "red")
    context = picture.call("assemble_context", query="fix the failing test", maxTokens=1500)
    for piece in context["pieces"]:
        picture.show(f"  {piece['source']:<36} {piece['why']}", "cyan")
    _, _, code = context["content"].partition("## Relevant Content")
    for line in [*code.strip().splitlines()[:LINES_OF_CODE], "…"]:
        picture.show(f"  {line}", "bright_white")
    related = picture.call("related", name="compile_path")
    for edge in related["relations"][:4]:
        picture.show(f"  {edge['path']}:{edge['line']:<6} {edge['source']} {edge['type']} it")


def main() -> None:
    """Take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CONTEXTLS_HOME"] = str(Path(folder, "contextls"))
        root = Path(folder, "starlette")
        failed = make_repository(root)
        with connect("--root", root) as session:
            session.call("record_event", type="shell_exec", content=failed)
            picture = Picture(session)
            run(picture)
    write_picture(TARGET, picture.text, title="an agent asks contextls mcp", columns=COLUMNS)


if __name__ == "__main__":
    main()
