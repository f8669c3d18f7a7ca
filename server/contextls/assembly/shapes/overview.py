"""Retrieved pieces as one line each: where they are and how they begin, for a model that can read files itself."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.assembly.pieces.bodies import Body, CodeSpan, PinnedSpan
from contextls.assembly.pieces.candidate import Candidate, span_id
from contextls.assembly.pieces.sections import ROWS, TABLE
from contextls.assembly.shapes.piece_fields import describe_piece
from contextls.assembly.shapes.shape import PromptShape
from contextls.model import Section
from contextls.text.fence import inline, one_line

MAX_LINE_CHARS = 160


class Overview(PromptShape):
    """A list by section."""

    def compose(self, body: Body) -> str:
        """One line of the list."""
        if isinstance(body, CodeSpan | PinnedSpan):
            place = inline(span_id(body.path, body.start_line, body.end_line))
            telling = _telling_line(body)
            begins = f": {inline(one_line(telling)[:MAX_LINE_CHARS])}" if telling else ""
            return f"- {place}{f' {inline(body.symbol)}' if body.symbol else ''}{begins}"
        fields = describe_piece(body)
        return f"- {one_line(fields.title or fields.body)[:MAX_LINE_CHARS]}"

    def heading(self, section: Section) -> str:
        """The name of the section on a line of its own."""
        return f"{TABLE[section].title}:"

    def render(self, pieces: Sequence[Candidate]) -> str:
        """Sections in the order of their table."""
        sections = []
        for row in ROWS:
            lines = [self.write(piece.body) for piece in pieces if piece.section is row.section]
            if lines:
                sections.append("\n".join([self.heading(row.section), *lines]))
        return "\n\n".join(sections)


def _telling_line(body: CodeSpan | PinnedSpan) -> str:
    """The first line that names what the piece is, else the first of all."""
    lines = [line.strip() for line in _lines(body) if line.strip()]
    name = body.symbol.rpartition(".")[2]
    return next((line for line in lines if name and name in line), next(iter(lines), ""))


def _lines(body: CodeSpan | PinnedSpan) -> list[str]:
    if isinstance(body, CodeSpan):
        return body.text.splitlines()
    return [line.text for line in body.shown]
